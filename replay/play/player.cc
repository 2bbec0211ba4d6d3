#include "replay/play/player.h"

#include <algorithm>
#include <utility>

#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::replay {

using wire::Message;

Player::Player(const Script* script, Frames* frames, const Declarations* declared,
               Bindings* bindings, const PlayerOptions& options)
    : script_(script),
      frames_(frames),
      bindings_(bindings),
      options_(options),
      progress_(script, options.ours),
      patience_(options.timeout_ns),
      gate_(&progress_, &patience_, {.process = options.process, .speed = options.speed}),
      answers_(&progress_, !host() && options.order == Order::kCausal),
      matcher_(script, frames, declared, bindings, &progress_,
               {.variations = options.variations,
                .in_order = options.order == Order::kStrict,
                .exact_requests = !host() && options.on_extra != OnExtra::kNearest,
                .mock = !host(),
                .unused = options.unused},
               &report_),
      composer_(script, frames, declared, bindings, &progress_, &matcher_.ids()) {
  StepIndex first_of_peer = kNoStep;
  for (StepIndex i = 0; i < size(); ++i) {
    const Step& step = script->steps[i];
    if (!ours(step)) {
      if (last_of_peer_ == kNoStep) first_of_peer = i;
      last_of_peer_ = i;
      continue;
    }
    if (!step.element) ++report_.to_send;
    content_length_ = step.content_length;
  }
  // An empty line before the plugin's first frame is a difference, as one between two frames is.
  // Not of a host: in a stream where Content-Length is expected, a batch on a line would be no
  // message.
  if (declared->framing) {
    decoder_.Expect(*declared->framing);
  } else if (host() && first_of_peer != kNoStep && script->steps[first_of_peer].content_length) {
    decoder_.Expect(wire::Framing::kContentLength);
  }
  bool stdout_open = true;
  for (const Mark& mark : script->marks) {
    if (mark.type == Mark::Type::kExit) recorded_end_ = mark.exit;
    knows_ends_ |= mark.type == Mark::Type::kEof || mark.type == Mark::Type::kSignal ||
                   (mark.type == Mark::Type::kExit && mark.exit.signal != 0);
    if (mark.type != Mark::Type::kEof) continue;
    if (mark.direction == Direction::kPluginToHost) stdout_open = false;
    // Otherwise the plugin had ended already, and the host only closed what was left.
    if (mark.direction == Direction::kHostToPlugin && stdout_open && !recorded_end_) {
      host_closed_ = true;
    }
  }
  if (script->sessions > 1)
    report_.notes.push_back("only the first session of the trace is played");
  if (script->cut_off) {
    report_.notes.push_back("the recording is cut off: how the session went on is unknown");
  }
  if (bindings->overflowed()) {
    report_.notes.push_back("too many values for bindings: some stay as recorded");
  }
}

void Player::OnStart(int64_t now, PlayerActions* actions) {
  patience_.OnProgress(now);
  Pump(now, actions);
}

void Player::OnBytes(std::string_view bytes, int64_t now, PlayerActions* actions) {
  if (finished()) return;
  patience_.OnActivity(now);
  received_ += bytes.size();
  feeding_ = host() ? nullptr : actions;
  if (!TakeRecorded(bytes)) decoder_.Feed(bytes, this);
  feeding_ = nullptr;
  Pump(now, actions);
}

void Player::OnEof(int64_t now, PlayerActions* actions) {
  if (finished() || eof_) return;
  decoder_.Finish(this);
  eof_ = true;
  patience_.OnActivity(now);
  Pump(now, actions);
}

void Player::OnExit(const ExitStatus& status, int64_t now, PlayerActions* actions) {
  ended_ = status;
  ended_ns_ = now;
  if (!finished()) Wait(now, actions);
}

void Player::OnRoom(int64_t now, PlayerActions* actions) {
  patience_.OnActivity(now);
  // Answers to requests that are not in the trace are no progress: a flood of calls would never
  // end.
  if (std::exchange(unread_, false)) patience_.OnProgress(now);
  Pump(now, actions);
}

// Time during which the peer had no processor is not silence: waits become longer by it.
void Player::OnTime(int64_t now, PlayerActions* actions) {
  if (finished()) return;
  const int64_t starved = actions->StarvedNs();
  const int64_t more = starved - std::exchange(starved_ns_, starved);
  patience_.OnStarved(std::min(more, now - patience_.active()));
  Pump(now, actions);
  if (finished() || pausing_ || options_.timeout_ns == kNever || ended_) return;
  const GateState silence = gate_.ForSilence(PatienceAtEnd(), now);
  if (PassesIfIdle(silence, size(), now, actions)) OnSilence(now, actions);
}

// Messages of the peer.

void Player::OnJunk(const wire::Junk& junk) {
  if (!finished() && junk.reason != wire::JunkReason::kBlank) {
    matcher_.OnJunk(Opposite(options_.ours), junk.bytes,
                    junk.reason == wire::JunkReason::kTruncated
                        ? "the start of a message whose rest was not received (wrong length?)"
                        : "bytes that are not a message");
  }
}

void Player::OnFrame(const wire::Frame& frame, const Message& message) {
  if (finished()) return;  // as if it had come in a later read
  LiveFraming framing = {.content_length = frame.framing == wire::Framing::kContentLength,
                         .oddities = frame.oddities};
  const uint64_t before = report_.difference_count;
  const std::string_view body = wire::Trimmed(frame.body());
  Matcher::Match match;
  if (message.kind == Kind::kBatch && !message.elements.empty() && wire::IsLooseJson(body)) {
    wire::JsonParts parts(body);
    wire::JsonPart part;
    framing.batch = ++batches_;
    alone_ = message.elements.size() == 1;
    for (const Message& element : message.elements) {
      if (!parts.Next(&part)) break;
      const Matcher::Match of = OnPeerMessage(element, part.value, framing);
      if (observer_) observer_->OnElement(of.step);
      if (of.step != kNoStep || match.step == kNoStep) match = of;
    }
    alone_ = false;
    while (match.step != kNoStep && match.step > 0 && script_->steps[match.step].element) {
      --match.step;
    }
  } else {
    match = OnPeerMessage(message, body, framing);
  }
  if (match.step != kNoStep || match.undecided) patience_.OnProgress(patience_.active());
  if (observer_) observer_->OnLive(match.step, report_.difference_count != before, frame);
  // What a host sends is judged by what it may have had from us. A mock cannot see whether its host
  // waits, so it acts on each message as if it had come alone. How the pipe cuts a host's bytes
  // into reads makes no difference. (A replay's answers wait until the plugin is idle.)
  if (feeding_) Pump(patience_.active(), feeding_);
}

// The fast path: a read that is, byte for byte, the recorded message that is due. Splitting,
// classifying and comparing it would lead to the same, and take most of midwire's time for each
// message of a peer that has not changed. True: the read was taken.
bool Player::TakeRecorded(std::string_view bytes) {
  const StepIndex due = host() ? awaited_ : progress_.front(Front::kEnd);
  if (due >= size() || options_.variations) return false;
  const Step& step = script_->steps[due];
  const auto framing = step.content_length ? wire::Framing::kContentLength : wire::Framing::kLine;
  // Only where the decoder would find that frame in these bytes.
  if (!step.plain || step.element || step.size != bytes.size() || decoder_.framing() != framing ||
      !decoder_.at_line_start()) {
    return false;
  }
  const Result<std::string_view> frame = frames_->Get(step.at, step.size);
  if (!frame || *frame != bytes || !matcher_.OnRecorded(due)) return false;
  if (step.kind == Kind::kRequest) {
    OnPeerRequest(due, IdIn(step, BodyOf(step, bytes)));
  }
  patience_.OnProgress(patience_.active());
  if (observer_) {
    observer_->OnLive(due, /*differs=*/false,
                      {.bytes = bytes,
                       .size = step.size,
                       .body_offset = step.head,
                       .body_size = uint64_t{step.size} - step.head - step.tail,
                       .framing = framing});
  }
  return true;
}

Matcher::Match Player::OnPeerMessage(const Message& message, std::string_view body,
                                     const LiveFraming& framing) {
  Matcher::Match match = matcher_.OnMessage(Opposite(options_.ours), message, body, framing);
  if (message.kind != Kind::kRequest) return match;
  if (match.step == kNoStep) {
    MakeUpAnswer(match, message);
  } else if ((message.flags & wire::kTokenCut) && script_->steps[match.step].other != kNoStep) {
    Difference item = matcher_.log()->ItemOf(DifferenceKind::kDiffers, match.step);
    item.text = "its id or method is longer than 4096 bytes; not answered";
    matcher_.log()->Add(std::move(item));
  } else {
    OnPeerRequest(match.step, message.id.token);
  }
  return match;
}

void Player::OnPeerRequest(StepIndex request, std::string_view live_id) {
  const StepIndex answer = script_->steps[request].other;
  if (answer == kNoStep) return;  // unanswered, as recorded
  if (alone_ && !script_->steps[answer].element) in_batch_.insert(answer);
  if (options_.order == Order::kStrict || script_->steps[answer].element) {
    answers_.NoteId(request, live_id);
  } else {
    answers_.Owe(answer, live_id);
  }
}

// The same request once more gets its recorded answer if it may be repeated. No other request does,
// unless the nearest answer is asked for.
void Player::MakeUpAnswer(const Matcher::Match& match, const Message& message) {
  if (message.flags & wire::kTokenCut || !answers_.has_room()) return;
  const auto add = [&](std::string frame) {
    answers_.AddMadeUp(alone_ ? Composer::InBatch(frame, content_length_) : std::move(frame));
  };
  const bool known = match.nearest != kNoStep;
  const StepIndex answer = known ? script_->steps[match.nearest].other : kNoStep;
  const bool floats = known && script_->steps[match.nearest].is_volatile;
  const bool repeats = match.exhausted ? floats || options_.exhausted == OnExhausted::kRepeat
                                       : options_.on_extra == OnExtra::kNearest;
  if (answer != kNoStep && !script_->steps[answer].element && repeats) {
    add(std::string(
        composer_.Compose(answer, [&](StepIndex) { return std::string_view(message.id.token); })));
  } else if (options_.on_extra != OnExtra::kSilent) {
    std::string reason = match.exhausted ? "requested more often than recorded"
                                         : "no recording of " + Shown(message.method);
    if (!match.closest.empty()) reason += " with this content; closest: " + match.closest;
    add(composer_.ErrorAnswer(message, reason, content_length_));
  }
}

ReplayReport Player::TakeReport() {
  matcher_.log()->Finish();
  ReportBindings(*bindings_, &report_);
  return std::move(report_);
}

}  // namespace midwire::replay
