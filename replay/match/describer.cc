#include "replay/match/describer.h"

#include <utility>

#include "replay/match/shown.h"
#include "wire/json/escape.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

const wire::Pointer kError = {{"error"}}, kResult = {{"result"}};

}  // namespace

using wire::Message;

Difference Describer::Unmatched(const Decision& decision, const Message& message,
                                std::string_view body) const {
  using Type = Decision::Type;
  Difference item = {.difference = DifferenceKind::kExtra,
                     .direction = decision.key.direction,
                     .kind = message.kind,
                     .method = message.method};
  const auto shown = [&] {
    return ShownMessage(message, body, comparer_->RulesOf(decision.of).ignores);
  };
  if (decision.type == Type::kExtra) {
    item.got = shown();
    SetExtra(decision, body, &item);
  } else if (decision.type == Type::kStrayPiece) {
    item = log_->ItemOf(DifferenceKind::kExtra, decision.step);
    item.closest = std::exchange(item.frame, 0);
    item.got = Shown(body);
    item.text = "of none of the recorded texts";
    if (options_->variations) item.call = options_->variations->CallOf(item.method, body);
    if (!decision.verdict.equal()) {
      DifferenceLog::SetPlace(decision.verdict.differences.front(), &item);
    }
  } else if (decision.type == Type::kAgain) {
    item.closest = script_->steps[decision.step].number;
    item.got = shown();
    item.text = "once more than recorded";
  } else if (decision.type == Type::kRefused) {
    item.closest = script_->steps[decision.step].number;
    DifferenceLog::SetPlace(decision.verdict.differences.front(), &item);
    comparer_->DescribeItems(decision.step, body, &item);
    item.text = "not in the trace with this content";
  } else if (decision.type == Type::kUnanswered) {
    item = log_->ItemOf(DifferenceKind::kUnexpected, decision.step);
    item.direction = decision.key.direction;
    item.kind = message.kind;
    item.got = Shown(body);
    item.text = "this request was never answered in the trace";
  } else {  // kStrayAnswer
    item.got = shown();
    if (decision.step != kNoStep) {
      const Step& request = script_->steps[decision.step];
      item.method = script_->methods[request.method];
      if (request.other != kNoStep) item.closest = script_->steps[request.other].number;
    }
    item.difference = decision.second ? DifferenceKind::kDoubled : DifferenceKind::kUnknown;
    item.text = decision.second   ? "a second answer to a request that was answered already"
                : decision.unsent ? "an answer to a request that was not sent yet (message " +
                                        NumberOf(decision.step) + ")"
                                  : "an answer to no request";
  }
  return item;
}

// A message, no answer, of which no recording is left.
void Describer::SetExtra(const Decision& decision, std::string_view body, Difference* item) const {
  if (options_->variations) item->call = options_->variations->CallOf(item->method, body);
  if (item->kind == Kind::kInvalid) {
    item->difference = DifferenceKind::kJunk;
    item->text = wire::IsLooseJson(body) ? "JSON that is no JSON-RPC message"
                                         : "text that is not JSON (cut off by a wrong length?)";
  } else if (decision.queue != nullptr) {
    item->text = options_->diff ? "A has it less often" : "once more than recorded";
  } else {
    item->text = options_->diff ? "A" : "the trace";
    item->text += (decision.only_volatile ? " has only volatile messages of this method"
                                          : " has no message of this method");
  }
  if (decision.step != kNoStep) item->closest = script_->steps[decision.step].number;
  if (!decision.verdict.equal()) {
    DifferenceLog::SetPlace(decision.verdict.differences.front(), item);
    comparer_->DescribeItems(decision.step, body, item);
  }
}

std::string Describer::Closest(const Decision& decision) const {
  if (decision.verdict.equal()) return "";
  const std::string& pointer = decision.verdict.differences.front().pointer;
  return "message " + NumberOf(decision.step) + (pointer.empty() ? "" : ", " + pointer);
}

std::string Describer::OtherHost(const ValueDifference& first) const {
  const auto shown = [](const std::string& value) {
    return value.empty() ? "missing" : wire::Escaped(Shown(value));
  };
  return "another host than recorded: " + first.pointer + " is " + shown(first.got) + ", not " +
         shown(first.expected);
}

// The further places where the message differs. Items of the array that was described are not.
void Describer::NameOtherPlaces(StepIndex index, const Message& message, std::string_view body,
                                Difference* item) const {
  const Verdict all = comparer_->Compare(index, message, body, kMaxPlaces);
  for (const ValueDifference& one : all.differences) {
    const bool is_item =
        item->items.count > 0 && one.pointer.starts_with(item->items.pointer + "/");
    if (one.pointer == item->pointer || is_item) continue;
    ++item->also_count;
    if (item->also.size() < trace::kMaxAlso) item->also.push_back(one.pointer);
  }
}

Difference Describer::Differs(StepIndex index, const Message& message, std::string_view body,
                              const Verdict& verdict) const {
  const Step& step = script_->steps[index];
  Difference item = log_->ItemOf(verdict.inconsistent || verdict.wrong_form || verdict.merged
                                     ? DifferenceKind::kInconsistent
                                     : DifferenceKind::kDiffers,
                                 index);
  DifferenceLog::SetPlace(verdict.differences.front(), &item);
  comparer_->DescribeItems(index, body, &item);
  if (verdict.inconsistent) {
    item.text = "a bound value is not the one that the peer sent before";
    // The value is another one on each run; that it is the recorded one says something.
    if (item.got != item.expected) item.got = "<other>";
  } else if (verdict.wrong_form) {
    item.text = "a generated value has not the form of the recorded one";
  } else if (verdict.merged) {
    item.text = "two values that differ in the trace are one now";
  } else if (verdict.wrong_id) {
    item.text = "the id of another request than recorded";
  } else if (step.kind != message.kind) {
    item.text = std::string("a recorded ") + std::string(wire::Name(step.kind)) + " came as " +
                std::string(wire::Name(message.kind));
    // The error text explains most, so it comes first.
    const bool error = message.kind == Kind::kError;
    const auto instead =
        wire::IsLooseJson(body) ? wire::ValueAt(body, error ? kError : kResult) : std::nullopt;
    if (instead) {
      item.text += ": " + wire::Escaped(bindings_->Named(Shown(*instead)));
    }
  } else {
    NameOtherPlaces(index, message, body, &item);
  }
  return item;
}

Difference Describer::PieceDiffers(const Decision& decision,
                                   const Chunks::Received& received) const {
  Difference item = log_->ItemOf(DifferenceKind::kDiffers, received.step);
  item.pointer = wire::PointerText(decision.chunk->pointer);
  item.expected = Shown(received.expected);
  item.got = Shown(received.got);
  item.text = received.expected.empty() ? "the text goes on after its recorded end"
                                        : "the text differs from here on";
  return item;
}

Difference Describer::FramedOtherwise(StepIndex index) const {
  const bool content_length = script_->steps[index].content_length;
  Difference item = log_->ItemOf(DifferenceKind::kFraming, index);
  item.expected = content_length ? "content-length" : "line";
  item.got = content_length ? "line" : "content-length";
  item.text = options_->diff ? "framed otherwise than in A (reported once)"
                             : "framed otherwise than recorded (reported once)";
  return item;
}

Difference Describer::BatchedOtherwise(StepIndex index, bool in_batch) const {
  const Step& step = script_->steps[index];
  Difference item = log_->ItemOf(DifferenceKind::kFraming, index);
  item.expected = step.element ? "batch" : "single message";
  item.got = in_batch ? "batch" : "single message";
  item.text = step.element && in_batch ? "in another batch" : "";
  return item;
}

Difference Describer::FramedOddly(Direction direction, StepIndex index,
                                  const std::string& oddities) const {
  Difference item = {.difference = DifferenceKind::kFraming, .direction = direction};
  if (index != kNoStep) item = log_->ItemOf(DifferenceKind::kFraming, index);
  item.got = oddities;
  item.text = options_->diff ? "A has no message that is framed so (reported once)"
                             : "the trace has no message that is framed so (reported once)";
  return item;
}

Difference Describer::CameBefore(StepIndex index, StepIndex missing) const {
  Difference item = log_->ItemOf(DifferenceKind::kOrder, index);
  item.text = "came before message " + NumberOf(missing) + ", after which it was recorded";
  return item;
}

Difference Describer::CameAfter(StepIndex index, StepIndex later) const {
  Difference item = log_->ItemOf(DifferenceKind::kOrder, index);
  item.text = "came after message " + NumberOf(later) + ", before which it was recorded";
  return item;
}

Difference Describer::CameBeforeAnswer(StepIndex index, StepIndex answer) const {
  const Step& step = script_->steps[answer];
  const std::string& method = script_->methods[step.method];
  Difference item = log_->ItemOf(DifferenceKind::kEarly, index);
  if (options_->variations) {
    item.call = options_->variations->CallOf(method, comparer_->Body(step.other));
  }
  item.text = "came before our answer to its " + method + " (message " + NumberOf(step.other) +
              "); if it need not wait for that: --floating " + method;
  return item;
}

Difference Describer::Missing(StepIndex index) const {
  const Step& step = script_->steps[index];
  Difference item = log_->ItemOf(DifferenceKind::kMissing, index);
  item.expected = Shown(comparer_->Body(index));
  const bool to_request = IsAnswer(step.kind) && step.other != kNoStep;
  item.text = step.chunked          ? "the text ends before the end of this"
              : to_request          ? "this request was not answered"
              : IsAnswer(step.kind) ? "not received; an answer to no request"
              : options_->diff      ? ""
                                    : "not received";
  return item;
}

std::optional<Difference> Describer::Junk(Direction direction, std::string_view bytes,
                                          std::string_view text, const Mark* recorded) const {
  Difference item = {
      .difference = DifferenceKind::kJunk, .direction = direction, .got = Shown(bytes)};
  item.text = text;
  if (recorded == nullptr) return item;
  const Result<std::string_view> expected = frames_->Get(recorded->at, recorded->size);
  if (!expected) return item;
  if (SameButForDigits(*expected, bytes)) return std::nullopt;
  trace::ShownPair shown = trace::ShowPair(*expected, bytes);
  item.expected = std::move(shown.expected);
  item.got = std::move(shown.got);
  return item;
}

}  // namespace midwire::replay
