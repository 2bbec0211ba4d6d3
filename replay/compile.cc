#include "replay/compile.h"

#include <algorithm>

#include "replay/match/chunks.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

// The id of each message that is sent or answered is needed: finding it now spares a walk over the
// whole message. Only if it is a member of the message itself beyond doubt: no container comes
// before it. A DAP message may have another `id` than its number.
void NoteIdPlace(const wire::Message& message, const MessageTokens& tokens, Step* step) {
  constexpr uint16_t kUnclear = wire::kDap | wire::kTokenCut | wire::kDuplicateMember;
  if (message.flags & kUnclear) return;
  const std::string_view id = tokens.Early("\"id\"");
  const size_t at = static_cast<size_t>(id.data() - tokens.body().data());
  if (id.empty() || id != message.id.token || at > UINT8_MAX || id.size() > UINT8_MAX) return;
  step->id_at = static_cast<uint8_t>(at);
  step->id_size = static_cast<uint8_t>(id.size());
}

}  // namespace

std::optional<uint64_t> Compiler::Keep(std::string_view bytes) {
  if (failure_) return std::nullopt;
  Result<uint64_t> at = store_(bytes);
  if (at) return *at;
  failure_ = at.error();
  return std::nullopt;
}

uint32_t Compiler::MethodIndex(const std::string& method) {
  if (method.empty()) return 0;  // of answers
  if (method == script_.methods[latest_method_]) return latest_method_;
  if (const auto found = methods_.find(method); found != methods_.end()) {
    return latest_method_ = found->second;
  }
  if (script_.methods.size() == kMaxMethods) {
    if (!failure_)
      failure_ = Error{"the trace has more than 65,536 methods", "", "record a shorter session"};
    return 0;
  }
  script_.methods.push_back(method);
  const uint32_t index = static_cast<uint32_t>(script_.methods.size() - 1);
  methods_.emplace(method, index);
  return index;
}

// Of a message that is no answer.
uint32_t Compiler::ClassIndex(uint32_t method, std::string_view body) {
  if (!scopes_.Any(script_.methods[method])) {
    if (method < unscoped_.size() && unscoped_[method] != kNoClass) return unscoped_[method];
    unscoped_.resize(script_.methods.size(), kNoClass);
    return unscoped_[method] = ClassIndexOf(method, {script_.methods[method], {}});
  }
  return ClassIndexOf(method, scopes_.Of(script_.methods[method], body));
}

uint32_t Compiler::ClassIndexOf(uint32_t method, CallClass of) {
  const auto [found, fresh] =
      classes_.try_emplace({method, of.scopes}, static_cast<uint32_t>(script_.classes.size()));
  if (fresh) script_.classes.push_back(std::move(of));
  return found->second;
}

Step Compiler::Describe(const trace::RecordedMessage& recorded) {
  const wire::Message& message = *recorded.message;
  Step step;
  step.number = static_cast<uint32_t>(recorded.number);
  step.direction = recorded.direction;
  step.kind = message.kind;
  step.content_length = recorded.frame->framing == wire::Framing::kContentLength;
  step.method = MethodIndex(message.method);
  return step;
}

// The step of a request; kNoStep: it has none, as an element of a batch that is no JSON. Messages
// have ascending numbers, and most requests are near the end.
StepIndex Compiler::StepOf(const wire::OpenRequest& request) const {
  const Blocks<Step>& steps = script_.steps;
  size_t from = 0, to = steps.size();  // the first step with that number is in [from, to)
  for (size_t back = 1; back < to; back *= 2) {
    if (steps[to - back].number >= request.number) continue;
    from = to - back + 1;
    break;
  }
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (steps[middle].number < request.number) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  if (from < steps.size() && steps[from].kind == Kind::kBatch) from += 1 + request.element;
  const bool found = from < steps.size() && steps[from].number == request.number;
  return found ? static_cast<StepIndex>(from) : kNoStep;
}

void Compiler::AddStep(Step step, const trace::RecordedMessage& recorded, std::string_view body,
                       const wire::JsonTokens* tokens) {
  step.json = tokens_.Take(tokens, body) || tokens_.Read(body);
  const StepIndex index = static_cast<StepIndex>(script_.steps.size());
  step.of = ClassIndex(step.method, IsAnswer(step.kind) ? std::string_view() : body);
  const wire::Message& message = *recorded.message;
  if (step.kind == Kind::kRequest || IsAnswer(step.kind)) NoteIdPlace(message, tokens_, &step);
  const StepIndex other = recorded.request ? StepOf(*recorded.request) : kNoStep;
  if (other != kNoStep) {
    Step& request = script_.steps[other];
    if (recorded.request->id != message.id.token) script_.respelt.push_back(index);
    step.other = other;
    request.other = index;
    step.method = request.method;
    step.of = request.of;
  }
  const CallClass& of = script_.ClassOf(step);
  // An answer has its request's volatility.
  step.is_volatile = !IsAnswer(step.kind) && declared_->Volatile(of);
  step.chunked = step.kind == Kind::kNotification && step.json && !step.is_volatile &&
                 ChunkPlace(*declared_, of, body) != nullptr;
  step.floating = !IsAnswer(step.kind) && declared_->Floating(of);
  script_.steps.push_back(step);
  if (bindings_ && step.json && step.kind != Kind::kBatch)
    bindings_->Learn(script_, index, tokens_);
}

void Compiler::OnMessage(const trace::RecordedMessage& recorded) {
  if (skipping()) return;
  const wire::Frame& frame = *recorded.frame;
  if (!frame.whole() || frame.size > UINT32_MAX || script_.steps.size() >= kNoStep - 2 ||
      recorded.number > UINT32_MAX) {
    failure_ = Error{"a message is too large to be replayed",
                     "message " + std::to_string(recorded.number), "the limit is 64 MiB"};
    return;
  }
  MappedFrame mapped = {frame.bytes, frame.head().size()};
  if (options_.host) {
    const std::string& method =
        recorded.request ? recorded.request->method : recorded.message->method;
    mapped = options_.host->MapFrame(frame.bytes, frame.head().size(), frame.tail().size(), method);
  }
  const std::optional<uint64_t> at = Keep(mapped.bytes);
  if (!at) return;
  Step step = Describe(recorded);
  step.at = *at;
  step.size = static_cast<uint32_t>(mapped.bytes.size());
  step.head = static_cast<uint16_t>(mapped.head);
  step.tail = static_cast<uint8_t>(std::min<size_t>(frame.tail().size(), UINT8_MAX));
  script_.oddities[static_cast<int>(step.direction)] |= frame.oddities;
  step.plain = frame.oddities == 0 && step.kind != Kind::kBatch;
  const int64_t gap_us =
      latest_ns_ == 0 ? 0 : std::max<int64_t>(0, recorded.time_ns - latest_ns_) / 1000;
  step.delay_us = static_cast<uint32_t>(std::min<int64_t>(gap_us, UINT32_MAX));
  latest_ns_ = recorded.time_ns;
  if (recorded.time_ns != 0) script_.timed = true;
  const std::string_view body = BodyOf(step, mapped.bytes);
  const bool same = mapped.bytes.data() == frame.bytes.data();
  AddStep(step, recorded, body, same ? frame.tokens : nullptr);
  elements_.reset();
  if (step.kind != Kind::kBatch || !script_.steps[script_.steps.size() - 1].json) return;
  elements_.emplace(body);
  batch_ = step;
  batch_bytes_ = mapped.bytes;
  unread_ = recorded.message->elements.size();
  full_ = unread_ == wire::kMaxBatchElements;
}

// Each is a step whose bytes lie within the batch's.
void Compiler::OnElement(const trace::RecordedMessage& element) {
  wire::JsonPart part;
  if (skipping() || !elements_ || !elements_->Next(&part)) return;
  Step step = Describe(element);
  step.element = true;
  step.at = batch_.at + static_cast<uint64_t>(part.value.data() - batch_bytes_.data());
  step.size = static_cast<uint32_t>(part.value.size());
  AddStep(step, element, part.value, nullptr);
  if (--unread_ == 0 && full_ && elements_->Next(&part) && !failure_) {
    failure_ = Error{"a batch has too many messages to be replayed",
                     "message " + std::to_string(element.number),
                     "the limit is " + std::to_string(wire::kMaxBatchElements)};
  }
}

void Compiler::AddMark(Mark mark) {
  if (skipping()) return;
  mark.before = static_cast<StepIndex>(script_.steps.size());
  script_.marks.push_back(mark);
}

void Compiler::OnJunk(const trace::RecordedJunk& junk) {
  if (skipping() || junk.junk->reason == wire::JunkReason::kBlank) return;
  Mark mark = {.type = Mark::Type::kJunk, .direction = junk.direction};
  std::string_view bytes = junk.junk->bytes;
  if (options_.host) bytes = options_.host->MapText(bytes);
  if (const auto at = Keep(bytes)) {
    mark.at = *at;
    mark.size = static_cast<uint32_t>(bytes.size());
    AddMark(mark);
  }
}

void Compiler::OnStderr(int64_t, std::string_view bytes) {
  if (skipping() || !options_.keep_stderr || bytes.empty()) return;
  Mark mark = {.type = Mark::Type::kStderr};
  if (options_.host) bytes = options_.host->MapText(bytes);
  if (const auto at = Keep(bytes)) {
    mark.at = *at;
    mark.size = static_cast<uint32_t>(bytes.size());
    AddMark(mark);
  }
}

void Compiler::OnEvent(int64_t, const trace::Event& event) {
  if (skipping()) return;
  if (const auto* spawn = std::get_if<trace::SpawnEvent>(&event)) {
    script_.cut_off = true;  // until the end event is read
    if (options_.host) options_.host->OnSpawn(*spawn);
  } else if (const auto* header = std::get_if<trace::HeaderEvent>(&event)) {
    if (Status read = ReadHeader(header->json, declared_); !read) failure_ = read.error();
    scopes_ = Scopes(*declared_);
  } else if (const auto* eof = std::get_if<trace::EofEvent>(&event)) {
    for (Direction d : {Direction::kHostToPlugin, Direction::kPluginToHost}) {
      if (eof->stream == Name(d)) AddMark({.type = Mark::Type::kEof, .direction = d});
    }
  } else if (const auto* signal = std::get_if<trace::SignalEvent>(&event)) {
    AddMark({.type = Mark::Type::kSignal, .signal = signal->number});
  } else if (const auto* exit = std::get_if<ExitStatus>(&event)) {
    AddMark({.type = Mark::Type::kExit, .exit = *exit});
  } else if (std::holds_alternative<trace::EndEvent>(event)) {
    script_.cut_off = false;
  }
}

Result<Script> Compiler::Finish() {
  if (failure_) return *failure_;
  return std::move(script_);
}

Result<Compiled> Compile(trace::TraceReader* reader, Compiler* compiler) {
  trace::Session session(compiler, wire::kKeepBytes, wire::Detail::kTokens);
  session.Expect(compiler->framing());
  if (Status played = trace::Play(reader, &session); !played) return played.error();
  Result<Script> script = compiler->Finish();
  if (!script) return script.error();
  return Compiled{.script = std::move(*script),
                  .damaged_bytes = reader->damaged_bytes(),
                  .torn = reader->torn_bytes() > 0};
}

Status MarkBound(Frames* frames, Bindings* bindings, Script* script) {
  bindings->EndInference();
  if (!bindings->any()) return Ok{};
  for (StepIndex i = 0; i < script->steps.size(); ++i) {
    Step& step = script->steps[i];
    if (!step.json || step.kind == Kind::kBatch) continue;
    const Result<std::string_view> frame = frames->Get(step.at, step.size);
    if (!frame) return frame.error();
    step.bound = bindings->Mark(*script, i, BodyOf(step, *frame));
  }
  return Ok{};
}

}  // namespace midwire::replay
