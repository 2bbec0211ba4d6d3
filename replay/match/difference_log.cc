#include "replay/match/difference_log.h"

#include <algorithm>
#include <tuple>

namespace midwire::replay {
namespace {

// Differences without a step follow those that have one. The end of the plugin is last.
bool Precedes(const Difference& a, const Difference& b) {
  const auto end = [](const Difference& item) {
    return item.frame == 0 &&
           (item.difference == DifferenceKind::kEnded || item.difference == DifferenceKind::kHung);
  };
  const auto number = [](const Difference& item) {
    return item.frame == 0 ? UINT32_MAX : item.frame;
  };
  const auto key = [&](const Difference& item) {
    // What the run waited for explains what is missing.
    const bool hung = item.difference == DifferenceKind::kHung;
    return std::make_tuple(end(item), number(item), !hung, item.other, item.direction,
                           std::string_view(item.method), item.difference,
                           std::string_view(item.pointer), std::string_view(item.expected),
                           std::string_view(item.got), std::string_view(item.text));
  };
  return key(a) < key(b);
}

}  // namespace

Difference DifferenceLog::ItemOf(DifferenceKind kind, StepIndex index) const {
  const Step& step = script_->steps[index];
  return {.difference = kind,
          .frame = step.number,
          .direction = step.direction,
          .kind = step.kind,
          .method = script_->methods[step.method]};
}

void DifferenceLog::SetPlace(const ValueDifference& first, Difference* item) {
  item->pointer = first.pointer;
  item->expected = first.expected;
  item->got = first.got;
  item->line = first.line;
}

void DifferenceLog::NameLiveValues(Difference* item) const {
  item->got = bindings_->Named(std::move(item->got));
  for (trace::ItemChange& change : item->items.first) {
    change.got = bindings_->Named(std::move(change.got));
    if (change.what != trace::ItemChange::What::kNew) continue;  // else it is the recorded name
    change.item = bindings_->Named(std::move(change.item));
  }
}

// Twice the limit is kept before the list is cut, so that cutting costs little per difference.
void DifferenceLog::Add(Difference item) {
  ++report_->difference_count;
  if (item.difference != DifferenceKind::kMissing) item.other = from_;
  NameLiveValues(&item);
  report_->differences.push_back(std::move(item));
  if (report_->differences.size() >= 2 * kMaxDifferences) Trim(kMaxDifferences);
}

void DifferenceLog::Trim(size_t limit) {
  std::vector<Difference>& all = report_->differences;
  std::stable_sort(all.begin(), all.end(), Precedes);
  if (all.size() <= limit) return;
  report_->more_disorder =
      report_->more_disorder ||
      std::any_of(all.begin() + static_cast<std::ptrdiff_t>(limit), all.end(),
                  [](const Difference& item) { return trace::IsDisorder(item.difference); });
  all.resize(limit);
}

// Values that were bound after a difference was added have names now.
void DifferenceLog::Finish() {
  for (Difference& item : report_->differences) NameLiveValues(&item);
  Trim(kMaxDifferences);
}

}  // namespace midwire::replay
