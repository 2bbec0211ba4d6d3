#include "tools/reporting/compare.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "replay/diff.h"
#include "tools/replaying/options.h"
#include "tools/replaying/trace_host.h"
#include "tools/reporting/oldest_first.h"
#include "trace/reader.h"

namespace midwire::tools {
namespace {

using replay::Aligned;
using trace::Difference;
using trace::DifferenceKind;

// Messages of the second trace by what they are, in order, for what the report names by its kind
// alone.
class Unmatched {
 public:
  // The next message like the one of a difference that was not given out; 0: none.
  uint32_t Take(const Difference& difference) {
    OldestFirst<uint32_t>& numbers =
        by_kind_[{difference.direction, wire::IsAnswer(difference.kind), difference.method}];
    if (numbers.empty()) return 0;
    const uint32_t number = numbers.front();
    numbers.PopFront();
    return number;
  }
  void Add(const Aligned& message) {
    by_kind_[{message.direction, message.is_answer, message.method}].Push(message.b);
  }

 private:
  std::map<std::tuple<wire::Direction, bool, std::string>, OldestFirst<uint32_t>> by_kind_;
};

// The rows of both in the order to show them: that of the first trace, with what only the second
// has where it came.
void Merge(const replay::Script& script, const std::map<uint32_t, uint32_t>& b_of,
           const std::vector<Aligned>& aligned, const RowOfNumber& row_of_a,
           const RowOfNumber& row_of_b, view::PageCompare* to) {
  std::vector<uint32_t> only_b;
  std::map<uint32_t, bool> taken;
  for (const auto& [a, b] : b_of) taken[b] = true;
  for (const Aligned& message : aligned) {
    if (!taken[message.b]) only_b.push_back(message.b);
    taken[message.b] = true;
  }
  std::sort(only_b.begin(), only_b.end());
  auto next = only_b.begin();
  const auto add_until = [&](uint32_t number) {
    for (; next != only_b.end() && *next < number; ++next) {
      to->pairs.emplace_back(view::kNoRow, row_of_b(*next));
    }
  };
  uint32_t before = 0;
  for (const replay::Step& step : script.steps) {
    if (step.number == before) continue;  // an element of a batch
    before = step.number;
    const auto pair = b_of.find(step.number);
    if (pair != b_of.end()) add_until(pair->second);
    to->pairs.emplace_back(row_of_a(step.number),
                           pair == b_of.end() ? view::kNoRow : row_of_b(pair->second));
  }
  add_until(UINT32_MAX);
}

}  // namespace

Result<view::PageCompare> CompareTraces(const std::string& a, const std::string& b,
                                        const std::string& dialect, const RowOfNumber& row_of_a,
                                        const RowOfNumber& row_of_b) {
  DeclareArguments arguments;
  arguments.dialect = dialect;
  Result<ParsedDeclarations> parsed = arguments.ParseOptions({a, b});
  if (!parsed) return parsed.error();
  replay::Declarations& declared = parsed->declared;
  Result<replay::HostIdentity> host = HostOfTrace(b);
  if (!host) return host.error();
  declared.host = std::move(*host);
  declared.any_pid = true;
  const auto loaded = replay::Load(a, replay::Direction::kHostToPlugin, declared);
  if (!loaded) return loaded.error();
  const auto reader = trace::OpenTrace(b);
  if (!reader) return reader.error();
  std::vector<Aligned> aligned;
  const Result<trace::ReplayReport> report = replay::Diff(loaded->get(), reader->get(), &aligned);
  if (!report) return report.error();

  std::map<uint32_t, uint32_t> b_of;
  Unmatched unmatched;
  for (const Aligned& message : aligned) {
    if (message.a != 0) {
      b_of.try_emplace(message.a, message.b);
    } else {
      unmatched.Add(message);
    }
  }
  // Changed notifications are decided at the end, without an alignment of their own.
  for (const Difference& difference : report->differences) {
    if (difference.difference != DifferenceKind::kDiffers || b_of.contains(difference.frame)) {
      continue;
    }
    if (const uint32_t number = unmatched.Take(difference)) b_of.emplace(difference.frame, number);
  }
  view::PageCompare compare;
  for (const Difference& difference : report->differences) {
    view::PageCompare::Change change{.difference = difference};
    change.a = row_of_a(difference.frame);
    const auto pair = b_of.find(difference.frame);
    if (difference.frame == 0) {
      change.b = row_of_b(unmatched.Take(difference));
    } else if (pair != b_of.end()) {
      change.b = row_of_b(pair->second);
    }
    compare.changes.push_back(std::move(change));
  }
  compare.more = report->difference_count - report->differences.size();
  Merge((*loaded)->script, b_of, aligned, row_of_a, row_of_b, &compare);
  return compare;
}

}  // namespace midwire::tools
