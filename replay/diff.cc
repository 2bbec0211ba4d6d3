#include "replay/diff.h"

#include <optional>

#include "replay/host_mapper.h"
#include "replay/match/matcher.h"
#include "trace/session.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

class DiffHandler : public trace::SessionHandler {
 public:
  DiffHandler(Loaded* a, ReplayReport* report, std::vector<Aligned>* aligned, Unused* unused)
      : b_{.host = a->declared.host, .host_pids = {}},
        host_(&b_),
        aligned_(aligned),
        script_(a->script),
        progress_(&a->script, std::nullopt),
        matcher_(&a->script, &a->frames, &a->declared, &a->bindings, &progress_,
                 {.unused = unused, .diff = true}, report) {}

  void OnMessage(const trace::RecordedMessage& recorded) override {
    if (sessions_ > 1) return;
    const wire::Frame& frame = *recorded.frame;
    const size_t tail = frame.tail().size();
    const MappedFrame mapped = host_.MapFrame(frame.bytes, frame.head().size(), tail, "");
    body_ =
        wire::Trimmed(mapped.bytes.substr(mapped.head, mapped.bytes.size() - mapped.head - tail));
    elements_.reset();
    if (recorded.message->kind == Kind::kBatch && wire::IsLooseJson(body_)) {
      elements_.emplace(body_);
    } else {
      Compare(recorded, body_, 0);
    }
  }

  void OnElement(const trace::RecordedMessage& recorded) override {
    wire::JsonPart part;
    if (sessions_ > 1 || !elements_ || !elements_->Next(&part)) return;
    Compare(recorded, part.value, static_cast<uint32_t>(recorded.number));
  }

  void OnJunk(const trace::RecordedJunk& junk) override {
    if (sessions_ > 1 || junk.junk->reason == wire::JunkReason::kBlank) return;
    matcher_.OnJunk(junk.direction, host_.MapText(junk.junk->bytes));
  }

  void OnEvent(int64_t, const trace::Event& event) override {
    if (sessions_ > 1) return;
    if (const auto* exit = std::get_if<ExitStatus>(&event)) {
      ended_ = *exit;
    } else if (const auto* spawn = std::get_if<trace::SpawnEvent>(&event)) {
      host_.OnSpawn(*spawn);
    } else if (const auto* header = std::get_if<trace::HeaderEvent>(&event)) {
      if (!ReadHeader(header->json, &b_)) b_.portable = false;  // no replay would take it
    }
  }

  void OnSectionEnd(const wire::Exchanges&) override { ++sessions_; }

  void Finish() {
    matcher_.ReportMissing(static_cast<StepIndex>(script_.steps.size()));
    for (const Mark& mark : script_.marks) {
      if (mark.type != Mark::Type::kExit) continue;
      const ExitStatus recorded = mark.exit;
      if (!ended_ || *ended_ == recorded) continue;
      Difference item = {.difference = DifferenceKind::kEnded,
                         .expected = trace::Describe(recorded),
                         .got = trace::Describe(*ended_)};
      item.text = "the plugin ended in another way";
      matcher_.log()->Add(std::move(item));
    }
    matcher_.log()->Finish();
  }

 private:
  // `batch`: its number if the message is an element of one, else 0.
  void Compare(const trace::RecordedMessage& recorded, std::string_view body, uint32_t batch) {
    const Direction direction = recorded.direction;
    const wire::Message& message = *recorded.message;
    const LiveFraming framing = {
        .content_length = recorded.frame->framing == wire::Framing::kContentLength,
        .oddities = recorded.frame->oddities,
        .batch = batch};
    matcher_.log()->From(static_cast<uint32_t>(recorded.number));
    const Matcher::Match match = matcher_.OnMessage(direction, message, body, framing);
    matcher_.log()->From(0);
    if (message.kind == Kind::kRequest) {
      matcher_.OnRequest(direction, message.id.token, match.step);
    }
    if (aligned_ == nullptr) return;
    aligned_->push_back({.a = match.step == kNoStep ? 0 : script_.steps[match.step].number,
                         .b = static_cast<uint32_t>(recorded.number),
                         .direction = direction,
                         .method = recorded.request ? recorded.request->method : message.method,
                         .is_answer = message.IsAnswer()});
  }

  Declarations b_;  // the other trace's: only whether it is portable, and as whose it is read
  HostMapper host_;
  std::vector<Aligned>* const aligned_;
  const Script& script_;
  Progress progress_;
  Matcher matcher_;
  std::string_view body_;
  std::optional<wire::JsonParts> elements_;  // of the current batch
  std::optional<ExitStatus> ended_;
  int sessions_ = 1;
};

}  // namespace

Result<ReplayReport> Diff(Loaded* a, trace::TraceReader* b, std::vector<Aligned>* aligned,
                          Unused* unused) {
  ReplayReport report;
  DiffHandler handler(a, &report, aligned, unused);
  trace::Session session(&handler);
  session.Expect(a->declared.framing);
  if (Status played = trace::Play(b, &session); !played) return played.error();
  handler.Finish();
  ReportBindings(a->bindings, &report);
  a->host.Report(&report);
  return report;
}

}  // namespace midwire::replay
