// Rule type "chunks": what is sent in pieces comes in order.
//   {"type":"chunks","methods":["host/snapshot/publish"],"topic":"/params/topic",
//    "inside":"/params/payload","batch":"/published_ns","index":"/chunk_index",
//    "final":"/is_final"}
// "inside" (may be missing): a string of base64 there holds a JSON object or a MessagePack map.
// "batch", "index" and "final" are pointers into that; without it, into the message.
// For each value at "topic" (one stream in all, if missing): the index begins at 0 and goes up by
// one, and "batch" (if given) stays until the next 0. After a chunk whose "final" (if given) is
// true only a 0 may follow. A 0 always starts again, also if the last chunk never came. Messages
// without an index are not chunks. A recording that begins in the middle may begin with any index.
#include "check/rules/types.h"
#include "trace/payload.h"
#include "wire/json/decimal.h"
#include "wire/json/hash.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

class ChunksRule : public CheckRule {
 public:
  ChunksRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        methods_(in->Methods()),
        index_(in->Place("index")),
        topic_(in->OptionalPlace("topic")),
        inside_(in->OptionalPlace("inside")),
        batch_(in->OptionalPlace("batch")),
        final_(in->OptionalPlace("final")) {}

  bool Reads(std::string_view method) const override { return wire::MatchesAny(methods_, method); }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (!IsCall(seen) || !IsOf(methods_, seen)) return;
    std::optional<std::string> payload;
    if (inside_) {
      const auto held = ValueOf(*inside_, seen);
      if (held) payload = trace::TopOfPayload(*held);
      if (!payload) return;
    }
    // Of the payload, or of the message.
    const auto value_of = [&](const RulePlace& place) {
      return payload ? wire::ValueAt(*payload, place.pointer) : ValueOf(place, seen);
    };
    const auto hash_of = [&](const std::optional<RulePlace>& place) {
      const auto value = place ? value_of(*place) : std::nullopt;
      return value ? wire::HashValue(*value) : wire::ValueHash();
    };
    const std::optional<std::string_view> index = value_of(index_);
    if (!index || wire::TypeOf(*index) != wire::JsonType::kNumber) return;
    const wire::ValueHash topic = HashAt(topic_, seen), batch = hash_of(batch_);
    auto at = streams_.find(topic);
    if (at == streams_.end()) {
      if (streams_.size() >= kMaxRemembered) return;
      at = streams_.emplace(topic, Stream{.known = !partial_}).first;
    }
    Stream& stream = at->second;
    const auto add = [&](const RulePlace& place, std::string expected, std::string_view got) {
      Violation violation = CheckReport::Of("", seen);
      violation.pointer = inside_ ? wire::PointerText(inside_->pointer) : "";
      violation.pointer += wire::PointerText(place.pointer);
      violation.expected = std::move(expected);
      violation.got = Kept(got);
      report->Add(std::move(violation), *rule_);
    };
    const bool first = wire::CompareNumbers(*index, "0") == 0;
    const std::string next = std::to_string(stream.next);
    if (!first && stream.known) {
      if (wire::CompareNumbers(*index, next) != 0) {
        add(index_, stream.next == 0 ? "0, as no stream is open" : next + " or 0", *index);
      } else if (batch != stream.batch) {
        add(*batch_, "the value of the chunk before", value_of(*batch_).value_or(""));
      }
    }
    const bool last = final_ && value_of(*final_) == "true";
    stream.known = true;
    stream.batch = batch;
    // After a wrong index the count continues from it, so that one gap is one violation.
    wire::Json number{wire::Json::Type::kNumber, false, std::string(*index), {}, {}};
    const int64_t here = number.Integer().value_or(0);
    stream.next = last ? 0 : (here >= 0 && here < INT64_MAX ? here + 1 : 1);
  }

  void OnEvent(int64_t, const Event& event, CheckReport*) override {
    const auto* spawn = std::get_if<trace::SpawnEvent>(&event);
    if (spawn != nullptr) partial_ = spawn->part > 1;
  }

  // Chunks may be among the lost bytes.
  void OnGap() override {
    streams_.clear();
    partial_ = true;
  }

  void OnSessionEnd(bool, CheckReport*) override {
    streams_.clear();
    partial_ = false;
  }

 private:
  struct Stream {
    bool known = true;  // false: its beginning was not recorded
    int64_t next = 0;   // 0: no stream is open
    wire::ValueHash batch;
  };

  static wire::ValueHash HashAt(const std::optional<RulePlace>& place, const Observed& seen) {
    const auto value = place ? ValueOf(*place, seen) : std::nullopt;
    return value ? wire::HashValue(*value) : wire::ValueHash();
  }

  const wire::RuleSpec* rule_;
  std::vector<std::string> methods_;
  RulePlace index_;
  std::optional<RulePlace> topic_, inside_, batch_, final_;
  bool partial_ = false;
  std::map<wire::ValueHash, Stream> streams_;
};

}  // namespace

MadeRule MakeChunksRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<ChunksRule>(&rule, in);
}

}  // namespace midwire::check
