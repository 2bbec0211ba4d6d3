// Rule type "path": paths that must be denied: those with a `..` step, and those outside of every
// root that is granted.
//   {"type":"path","at":["host/fs/read_dir:/params/path","host/fs/read_file:/params/path"],
//    "roots":[{"prefix":"~/.claude/projects",
//              "grant":"plugin/init:/result/manifest/capabilities/read_claude_logs",
//              "known":"plugin/init:/result/manifest"},
//             {"prefix":"/usr/share/ainb"}],
//    "code":-32001,"asking":"should"}
// A root without "grant" is always granted; so is one whose grant is still unknown ("known", as in
// "gate"). `~` stands for itself and for any absolute folder, because a trace does not show where
// home is. "code" and "asking" as in "gate". Paths are compared as text: links are not followed.
#include "wire/json/path.h"

#include <algorithm>

#include "check/rules/denial.h"
#include "wire/json/parts.h"
#include "wire/json/unescape.h"

namespace midwire::check {
namespace {

using Steps = std::vector<std::string_view>;

// "/a//./b/" is "", "a", "b"; "~/a" is "~", "a".
Steps StepsOf(std::string_view path) {
  Steps steps;
  if (path.starts_with('/')) steps.push_back("");
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view step = path.substr(0, slash);
    if (!step.empty() && step != ".") steps.push_back(step);
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return steps;
}

// `..` as a step, also between backslashes, which a host on Windows takes for separators.
bool Climbs(std::string_view path) {
  while (!path.empty()) {
    const size_t end = std::min(path.find_first_of("/\\"), path.size());
    if (path.substr(0, end) == "..") return true;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return false;
}

bool IsUnder(const Steps& root, const Steps& path) {
  if (path.size() >= root.size() && std::equal(root.begin(), root.end(), path.begin())) return true;
  if (root.empty() || root.front() != "~" || path.empty() || path.front() != "") return false;
  return std::search(path.begin(), path.end(), root.begin() + 1, root.end()) != path.end();
}

class PathRule : public DenialRule {
 public:
  PathRule(const wire::RuleSpec& rule, RuleReader* in)
      : DenialRule(rule, in), at_(in->Places("at")) {
    if (at_.empty()) in->Expect("at", "a list of METHOD:/pointer");
    in->Objects("roots", [this, in](wire::MemberReader* item) {
      Root root{item->Text("prefix"), std::nullopt};
      if (StepsOf(root.prefix).empty()) item->Expect("prefix", "a path");
      std::optional<RulePlace> known;
      if (auto place = item->OptionalPlace("known")) known = in->Compiled(std::move(*place));
      if (auto place = item->OptionalPlace("grant")) {
        root.grant.emplace(in->Compiled(std::move(*place)), std::move(known), *in);
      }
      roots_.push_back(std::move(root));
    });
    if (roots_.empty()) in->Expect("roots", "a list of objects");
    for (Root& root : roots_) {
      if (root.grant) grants_.push_back(&*root.grant);
    }
  }

 protected:
  bool Judges(std::string_view method) const override { return AnyOfMethod(at_, method); }
  std::optional<Denied> Judge(const Observed& seen) override {
    std::optional<Denied> denied;
    for (const RulePlace& place : at_) {
      EachValueOf(place, seen, [&](const wire::Path& at, std::string_view value) {
        if (denied || wire::TypeOf(value) != wire::JsonType::kString) return;
        const std::string path = wire::StringValue(value);
        if (std::string expected = Wrong(path); !expected.empty()) {
          denied = {wire::PointerText(at), std::move(expected), Kept(path)};
        }
      });
    }
    return denied;
  }

 private:
  struct Root {
    std::string prefix;
    std::optional<Grant> grant;
  };

  // What is expected instead; "": the path is allowed.
  std::string Wrong(std::string_view path) const {
    if (Climbs(path)) return "a path without \"..\"";
    const Steps steps = StepsOf(path);
    const Root* closed = nullptr;
    for (const Root& root : roots_) {
      if (!IsUnder(StepsOf(root.prefix), steps)) continue;
      if (!root.grant || root.grant->state() != Grant::State::kNo) return "";
      closed = &root;
    }
    return closed ? "a grant at " + closed->grant->place() : "a path in one of the roots";
  }

  Places at_;
  std::vector<Root> roots_;
};

}  // namespace

MadeRule MakePathRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<PathRule>(rule, in);
}

}  // namespace midwire::check
