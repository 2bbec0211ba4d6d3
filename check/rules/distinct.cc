// Rule type "distinct": the values at a place differ, within a message, a session or a list.
//   {"type":"distinct","at":"tools/list:/result/tools/*/name","page":"/params/cursor"}
//   {"type":"distinct","at":"progressStart:/body/progressId","session":true}
// Each value at "at" differs from those before it in the same message. "session": also from those
// that the same party sent in earlier messages, with an equal value at "by", if there is "by". A
// value at "reset" starts over for that value of "by", without "by" for all. "page": place of the
// cursor in the request; values differ over the pages of one list. A request without a cursor
// starts a new list of its method, and the page of one cursor may be sent again. "retry": a value
// of a request that was answered with an error may be sent again. Compared as JSON values.
#include "check/rules/types.h"
#include "wire/json/decimal.h"
#include "wire/json/hash.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

class DistinctRule : public CheckRule {
 public:
  DistinctRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        at_(in->ScopedPlaces("at")),
        by_(in->OptionalPlace("by")),
        page_(in->OptionalPlace("page")),
        reset_(in->Places("reset")),
        session_(in->Flag("session")),
        retry_(in->Flag("retry")) {
    if (at_.empty()) in->Expect("at", "METHOD:/pointer");
    if (session_ && page_) in->Expect("page", "either this or \"session\"");
    if (by_ && !session_) in->Expect("by", "\"session\" beside it");
    if (retry_ && !session_) in->Expect("retry", "\"session\" beside it");
    if (!reset_.empty() && !session_ && !page_) in->Expect("reset", "\"session\" beside it");
  }

  bool Reads(std::string_view method) const override {
    return AnyOfMethod(at_, method) || AnyOfMethod(reset_, method);
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    for (const RulePlace& place : reset_) {
      EachValueOf(place, seen, [&](const wire::Path&, std::string_view value) {
        if (!by_) return Forget();
        for (const bool host : {false, true}) Drop({host, wire::HashValue(value)});
      });
    }
    if (page_ && AnyOfMethod(at_, seen.method)) FollowPage(seen);
    while (const auto sent = sent_.Take(seen)) {
      if (seen.kind() == wire::Kind::kError) Withdraw(*sent, seen.request->number);
    }
    for (const RulePlace& place : at_) {
      const bool has = seen.values->At(place.node()).data() != nullptr;
      if (has && place.OfMethod(seen.method) && IsInScope(place, seen)) Judge(place, seen, report);
    }
  }

  bool ReadsOnly(const Observed& seen, RuleReads* reads) const override {
    if (!HasNone(reset_, seen) || (page_ && AnyOfMethod(at_, seen.method))) return false;
    if (retry_ && seen.message->IsAnswer()) return false;
    for (const RulePlace& place : at_) {
      if (HasNone(place, seen)) continue;
      if (session_ || !place.scope.members.empty()) return false;
      AddValuesOf(place, seen, &reads->parts);
    }
    return true;
  }

  // What was lost may have started over.
  void OnGap() override { Forget(); }
  void OnSessionEnd(bool, CheckReport*) override { Forget(); }

 private:
  using Group = std::pair<bool, wire::ValueHash>;  // of the host; what is at "by", or the method
  struct Value {
    uint64_t message;
    std::optional<wire::ValueHash> page;  // on which it was
  };
  using Values = std::map<wire::ValueHash, Value>;
  struct Sent {
    Group group;
    wire::ValueHash value;
  };

  void FollowPage(const Observed& seen) {
    if (IsCall(seen)) {
      const auto cursor = ValueOf(*page_, seen);
      asked_.Add(seen, cursor ? std::optional(wire::HashValue(*cursor)) : std::nullopt);
      return;
    }
    const auto page = asked_.Take(seen);
    page_seen_ = page.has_value();
    page_now_ = page.value_or(std::nullopt);
    if (page_seen_ && !page_now_) Drop(GroupOfMethod(seen));
  }

  void Judge(const RulePlace& place, const Observed& seen, CheckReport* report) {
    std::map<wire::ValueHash, size_t> first;  // in this message, and its number among the values
    std::vector<std::string> pointers;        // of all values, once one is needed
    const std::optional<Group> group = GroupOf(seen);
    Values* const before = group ? &groups_[*group] : nullptr;
    size_t count = 0;
    EachValueOf(place, seen, [&](const wire::Path& path, std::string_view value) {
      if (count >= kMaxRemembered) return;
      const wire::ValueHash hash = wire::HashValue(value);
      const auto [known, is_new] = first.emplace(hash, count++);
      if (!is_new && pointers.empty()) pointers = PointersOf(place, seen);
      const std::string where = is_new ? Meet(before, hash, seen) : "at " + pointers[known->second];
      if (is_new && retry_ && before != nullptr && seen.kind() == wire::Kind::kRequest)
        sent_.Add(seen, Sent{*group, hash});
      if (where.empty()) return;
      report->AddWrong(seen, *rule_, wire::PointerText(path), "another value than " + where,
                       Kept(value));
    });
  }

  // Where the values are. Few messages have one twice.
  static std::vector<std::string> PointersOf(const RulePlace& place, const Observed& seen) {
    std::vector<std::string> pointers;
    EachValueOf(place, seen, [&](const wire::Path& path, std::string_view) {
      if (pointers.size() < kMaxRemembered) pointers.push_back(wire::PointerText(path));
    });
    return pointers;
  }

  // The earlier message that has the value, in words; else it is kept.
  std::string Meet(Values* before, const wire::ValueHash& hash, const Observed& seen) {
    if (before == nullptr) return "";
    const auto known = before->find(hash);
    if (known == before->end()) {
      if (count_ >= kMaxRemembered) return "";
      ++count_;
      before->emplace(hash, Value{seen.number(), page_now_});
      return "";
    }
    if (known->second.message == seen.number()) return "";  // at another of the places
    if (page_ && known->second.page == page_now_) return "";
    return "in #" + std::to_string(known->second.message);
  }

  // nullopt: values are not compared with those of other messages.
  std::optional<Group> GroupOf(const Observed& seen) const {
    if (page_) {
      return page_seen_ && !IsCall(seen) ? std::optional(GroupOfMethod(seen)) : std::nullopt;
    }
    if (!session_) return std::nullopt;
    Group group = {seen.direction() == wire::Direction::kHostToPlugin, {}};
    if (by_) {
      const auto value = ValueOf(*by_, seen);
      if (!value) return std::nullopt;
      group.second = wire::HashValue(*value);
    }
    if (groups_.size() >= kMaxRemembered && !groups_.contains(group)) return std::nullopt;
    return group;
  }

  static Group GroupOfMethod(const Observed& seen) {
    return {seen.direction() == wire::Direction::kHostToPlugin,
            wire::HashValue('"' + std::string(seen.method) + '"')};
  }

  // The request that had the value was refused.
  void Withdraw(const Sent& sent, uint64_t request) {
    const auto group = groups_.find(sent.group);
    if (group == groups_.end()) return;
    const auto known = group->second.find(sent.value);
    if (known == group->second.end() || known->second.message != request) return;
    group->second.erase(known);
    --count_;
  }

  void Drop(const Group& group) {
    const auto known = groups_.find(group);
    if (known == groups_.end()) return;
    count_ -= known->second.size();
    groups_.erase(known);
  }

  void Forget() {
    groups_.clear();
    asked_.Clear();
    sent_.Clear();
    count_ = 0;
  }

  const wire::RuleSpec* rule_;
  Places at_;
  std::optional<RulePlace> by_, page_;
  Places reset_;
  bool session_, retry_;
  std::map<Group, Values> groups_;
  size_t count_ = 0;                               // of values in all groups
  Pending<std::optional<wire::ValueHash>> asked_;  // the cursor of a request, if it has one
  Pending<Sent> sent_;                             // values of open requests, with "retry"
  bool page_seen_ = false;                         // the request of this answer was seen
  std::optional<wire::ValueHash> page_now_;        // its cursor
};

}  // namespace

MadeRule MakeDistinctRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<DistinctRule>(&rule, in);
}

}  // namespace midwire::check
