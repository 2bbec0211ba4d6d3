// Rule type "uri": a resource has one spelling.
//   {"type":"uri","at":["textDocument/*:/params/textDocument/uri","/params/uri"]}
// The first spelling of each resource is remembered. Another one (PlainUri in uri.h is the same) is
// reported once for each party: a program that compares URIs as texts takes them for two.
#include <array>
#include <map>

#include "check/documents/rule_types.h"
#include "check/documents/uri.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::check {
namespace {

// Resources whose spelling is kept. A session names thousands of files; with the longest names,
// are 128 MiB.
constexpr size_t kMaxResources = 8192;
constexpr std::string_view kManyResources = "at most 8192 resources in a session";

class UriRule : public CheckRule {
 public:
  UriRule(const wire::RuleSpec* rule, RuleReader* in) : rule_(rule), at_(in->Places("at")) {
    if (at_.empty()) in->Expect("at", "METHOD:/pointer");
  }

  bool Reads(std::string_view method) const override { return AnyOfMethod(at_, method); }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    for (const RulePlace& place : at_) {
      EachValueOf(place, seen, [&](const wire::Path& path, std::string_view value) {
        // Lists of places in one file name it again and again.
        if (value == latest_ && seen.direction() == latest_by_) return;
        if (value.size() > kMaxUri || wire::TypeOf(value) != wire::JsonType::kString) return;
        latest_ = value;
        latest_by_ = seen.direction();
        Compare(path, wire::StringValue(value), seen, report);
      });
    }
  }

  void OnSessionEnd(bool, CheckReport*) override {
    known_.clear();
    latest_.clear();
    noted_ = false;
  }

 private:
  struct Spelling {
    std::string text;
    uint64_t number = 0;  // the message that has it first
    std::array<bool, 2> reported = {};
  };

  void Compare(const wire::Path& path, std::string uri, const Observed& seen, CheckReport* report) {
    std::string plain = PlainUri(uri);
    const auto found = known_.find(plain);
    if (found == known_.end()) {
      if (known_.size() == kMaxResources) return NoteLimit(seen, report);
      known_.emplace(std::move(plain), Spelling{std::move(uri), seen.number()});
      return;
    }
    Spelling& first = found->second;
    bool& reported = first.reported[static_cast<int>(seen.direction())];
    if (first.text == uri || reported) return;
    reported = true;
    report->AddWrong(seen, *rule_, wire::PointerText(path),
                     first.text + " as in #" + std::to_string(first.number), std::move(uri));
  }

  // Once per session: silence about the other resources would look like praise.
  void NoteLimit(const Observed& seen, CheckReport* report) {
    if (noted_ || rule_->severity == wire::Severity::kOff) return;
    noted_ = true;
    Violation violation = CheckReport::Of("documents.followed", seen);
    violation.text = "midwire does not remember how further resources are spelled";
    violation.unchecked = true;
    violation.expected = kManyResources;
    report->Add(std::move(violation), wire::Severity::kNote);
  }

  const wire::RuleSpec* rule_;
  Places at_;
  std::map<std::string, Spelling, std::less<>> known_;  // by PlainUri
  std::string latest_;                                  // as spelled in JSON
  wire::Direction latest_by_ = wire::Direction::kHostToPlugin;
  bool noted_ = false;  // that there are too many
};

}  // namespace

MadeRule MakeUriRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<UriRule>(&rule, in);
}

}  // namespace midwire::check
