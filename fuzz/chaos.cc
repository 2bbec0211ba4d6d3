#include "fuzz/chaos.h"

#include <algorithm>
#include <utility>

namespace midwire::fuzz {
namespace {

using wire::Direction;

constexpr std::string_view kNames[kFaults] = {"drop",  "dup",      "delay",    "reorder",
                                              "split", "coalesce", "truncate", "corrupt",
                                              "junk",  "stall",    "close",    "kill"};

// What libraries and interpreters print where only messages should be.
constexpr std::string_view kJunkLines[] = {
    "Loading configuration...\n",
    "\n",
    "[INFO] ready\n",
    "DeprecationWarning: this is deprecated\r\n",
    "\x1b[33mwarning\x1b[0m: something happened\n",
    "{not json}\n",
    "\xff\xfe\n",
};

constexpr size_t kMaxPieces = 5, kMaxCorruptBytes = 4;

}  // namespace

std::string_view Name(Fault fault) { return kNames[static_cast<size_t>(fault)]; }

Result<std::vector<Fault>> ParseFaults(std::string_view text) {
  std::array<bool, kFaults> asked{};
  while (true) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view name = text.substr(0, comma);
    const auto at = std::find(std::begin(kNames), std::end(kNames), name);
    if (name == "all") {
      asked.fill(true);
    } else if (at != std::end(kNames)) {
      asked[static_cast<size_t>(at - std::begin(kNames))] = true;
    } else {
      std::string all = "all";
      for (const std::string_view each : kNames) (all += ", ") += each;
      return Error{"no such fault", std::string(name), "there are: " + all};
    }
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
  }
  std::vector<Fault> faults;
  for (size_t i = 0; i < kFaults; ++i) {
    if (asked[i]) faults.push_back(static_cast<Fault>(i));
  }
  return faults;
}

std::vector<Fault> GentleFaults() {
  std::vector<Fault> faults;
  for (size_t i = 0; i < static_cast<size_t>(Fault::kStall); ++i) {
    faults.push_back(static_cast<Fault>(i));
  }
  return faults;
}

Chaos::Chaos(ChaosOptions options, const trace::Filter* filter)
    : options_(std::move(options)), filter_(filter) {
  for (const Direction direction : {Direction::kHostToPlugin, Direction::kPluginToHost}) {
    side(direction).decoder.emplace(options_.framing, kMaxFaulted);
    side(direction).next = PlanOf(direction, 1);
  }
}

Chaos::Plan Chaos::PlanOf(Direction direction, uint64_t number) const {
  // Mixed twice, as neighbouring seeds of a SplitMix64 share their sequences.
  const uint64_t of_seed = Random(options_.seed).Next();
  const uint64_t of_number =
      Random(of_seed ^ (number * 2 + (direction == Direction::kPluginToHost))).Next();
  Plan plan = {.random = Random(of_number ^ of_seed)};
  const double chance = static_cast<double>(plan.random.Next() >> 11) * 0x1p-53;
  if (chance < options_.rate && !options_.faults.empty()) {
    plan.fault = plan.random.Pick(options_.faults);
  }
  return plan;
}

size_t Chaos::kept(Direction direction) const {
  return side(direction).kept.size() + side(direction).waiting.size();
}

void Chaos::Feed(Direction direction, std::string_view bytes, ChaosHandler* handler) {
  Side& from = side(direction);
  if (from.closed) return;
  current_ = direction;
  handler_ = handler;
  std::string kept;
  if (!from.kept.empty()) {
    kept = std::move(from.kept);
    kept += bytes;
    from.kept.clear();
  }
  all_ = kept.empty() ? bytes : std::string_view(kept);
  sent_ = to_pass_ = 0;
  from.decoder->Feed(bytes, this);
  const bool untouched = sent_ + to_pass_ == 0 && !kept.empty();
  if (untouched && Keeps(kept.size())) {
    from.kept = std::move(kept);  // the usual way of a long message: nothing is copied again
  } else if (!from.closed) {
    KeepRest();
  }
}

// Whether the frame that is being read has to wait for its end, or goes on as it is.
bool Chaos::Keeps(size_t size) const {
  const Side& from = side(current_);
  const bool planned = from.next.fault && from.passed == 0;
  return (planned || from.waiting_number != 0) && size <= kMaxFaulted;
}

void Chaos::KeepRest() {
  Side& from = side(current_);
  const size_t rest = all_.size() - sent_ - to_pass_;
  if (Keeps(rest)) {
    Flush();
    from.kept.assign(all_.substr(sent_));
    return;
  }
  if (rest > 0) SendWaiting();
  to_pass_ += rest;
  from.passed += rest;
  Flush();
}

void Chaos::Finish(Direction direction, ChaosHandler* handler) {
  Side& from = side(direction);
  if (from.closed) return;
  current_ = direction;
  handler_ = handler;
  const std::string kept = std::move(from.kept);
  from.kept.clear();
  all_ = kept;
  sent_ = to_pass_ = 0;
  from.decoder->Finish(this);
  if (from.closed) return;
  to_pass_ = all_.size() - sent_;
  Flush();
  SendWaiting();
}

void Chaos::Release(Direction direction, ChaosHandler* handler) {
  current_ = direction;
  handler_ = handler;
  all_ = {};
  sent_ = to_pass_ = 0;
  SendWaiting();
}

// Of the frame or junk that has just ended; what was undecided may be the next one's beginning.
uint64_t Chaos::TakePassed(uint64_t size) {
  Side& from = side(current_);
  const uint64_t passed = std::min(from.passed, size);
  from.passed -= passed;
  return passed;
}

void Chaos::Pass(size_t size) { to_pass_ += size; }

void Chaos::Flush() {
  if (to_pass_ > 0) handler_->Send(current_, all_.substr(sent_, to_pass_), 0);
  sent_ += to_pass_;
  to_pass_ = 0;
}

// Before it all that is to pass.
void Chaos::SendWaiting() {
  Side& from = side(current_);
  if (from.waiting_number == 0) return;
  Flush();
  handler_->Send(current_, from.waiting, 0);
  from.waiting.clear();
  from.waiting_number = 0;
}

void Chaos::OnJunk(const wire::Junk& junk) {
  Side& from = side(current_);
  if (from.closed) return;
  Pass(junk.size - TakePassed(junk.size));
}

std::optional<std::string> Chaos::Method(const wire::Message& message) {
  const auto pair = [this](const wire::Message& each) -> std::optional<wire::OpenRequest> {
    if (each.IsAnswer()) return exchanges_.Close(current_, each);
    if (each.kind == wire::Kind::kRequest) exchanges_.Open(current_, each, messages_, 0);
    return std::nullopt;
  };
  for (const wire::Message& element : message.elements) pair(element);
  if (const auto request = pair(message)) return request->method;
  if (message.method.empty()) return std::nullopt;
  return message.method;
}

bool Chaos::Selects(const wire::Frame& frame, const wire::Message& message,
                    const std::optional<std::string>& method) const {
  if (!filter_) return true;
  trace::Line line = {.kind = wire::Name(message.kind),
                      .direction = current_,
                      .id = &message.id,
                      .number = side(current_).number,
                      .size = frame.size,
                      .error_code = message.error_code,
                      .text = frame.body()};
  if (method) line.method = *method;
  if (message.kind == wire::Kind::kError) line.error = message.error_message;
  return filter_->Matches(line);
}

void Chaos::OnFrame(const wire::Frame& frame, const wire::Message& message) {
  Side& from = side(current_);
  if (from.closed) return;
  ++messages_;
  ++from.number;
  Plan plan = std::exchange(from.next, PlanOf(current_, from.number + 1));
  const auto method = Method(message);
  const uint64_t passed = TakePassed(frame.size);
  const size_t size = frame.size - passed;
  if (frame.size > kMaxFaulted || passed > 0) {
    SendWaiting();
    return Pass(size);
  }
  if (plan.fault && Selects(frame, message, method)) {
    Flush();
    if (Strike(*plan.fault, frame, &plan.random)) {
      sent_ += size;
      return;
    }
  }
  if (from.waiting_number == 0) return Pass(size);
  Flush();
  SendPieces({{std::string(frame.bytes)}});
  sent_ += size;
}

// False: this fault is nothing for this message.
bool Chaos::Strike(Fault fault, const wire::Frame& frame, Random* random) {
  Side& from = side(current_);
  trace::ChaosEvent event = {.fault = std::string(Name(fault)),
                             .direction = std::string(wire::Name(current_)),
                             .number = static_cast<int64_t>(from.number),
                             .message = static_cast<int64_t>(messages_)};
  std::vector<Piece> pieces;
  if (!Pieces(fault, frame, random, &event, &pieces)) return false;
  ++counts_[static_cast<size_t>(fault)];
  handler_->OnFault(event);
  switch (fault) {
    case Fault::kReorder:
    case Fault::kCoalesce:
      SendWaiting();
      from.waiting = frame.bytes;
      from.waiting_number = from.number;
      from.joined = fault == Fault::kCoalesce;
      break;
    case Fault::kClose:
      SendWaiting();
      from.closed = true;
      handler_->Close(current_);
      break;
    case Fault::kKill:
      SendWaiting();
      handler_->Kill(current_);
      break;
    default:
      SendPieces(pieces);
  }
  return true;
}

bool Chaos::Pieces(Fault fault, const wire::Frame& frame, Random* random, trace::ChaosEvent* event,
                   std::vector<Piece>* pieces) const {
  const std::string_view bytes = frame.bytes, body = frame.body();
  const auto tell = [event](std::string_view sent) {
    event->has_sent = true;
    event->sent = sent.substr(0, trace::kMaxChaosSent);
    event->sent_cut = sent.size() > trace::kMaxChaosSent;
  };
  const auto add = [pieces](std::string_view piece, int64_t pause_ms = 0) {
    pieces->push_back({std::string(piece), pause_ms});
  };
  switch (fault) {
    case Fault::kDup:
      add(bytes);
      add(bytes);
      return true;
    case Fault::kDelay:
    case Fault::kStall:
      event->ms = fault == Fault::kStall
                      ? options_.stall_ms
                      : 1 + static_cast<int64_t>(random->Below(
                                static_cast<size_t>(std::max<int64_t>(options_.delay_ms, 1))));
      add(bytes, event->ms);
      return true;
    case Fault::kSplit: {
      if (bytes.size() < 2) return false;
      std::vector<size_t> cuts;
      for (size_t i = random->Below(kMaxPieces - 1) + 1; i > 0; --i) {
        cuts.push_back(1 + random->Below(bytes.size() - 1));
      }
      cuts.push_back(bytes.size());
      std::sort(cuts.begin(), cuts.end());
      size_t at = 0;
      for (const size_t cut : cuts) {
        if (cut == at) continue;
        add(bytes.substr(at, cut - at), at == 0 ? 0 : options_.piece_ms);
        at = cut;
      }
      return true;
    }
    case Fault::kTruncate: {
      if (body.size() < 2) return false;
      std::string cut(frame.head());
      cut += body.substr(0, 1 + random->Below(body.size() - 1));
      cut += frame.tail();
      tell(cut);
      add(cut);
      return true;
    }
    case Fault::kCorrupt: {
      if (body.empty()) return false;
      std::string other(bytes);
      for (size_t i = random->Below(kMaxCorruptBytes) + 1; i > 0; --i) {
        char& byte = other[frame.head().size() + random->Below(body.size())];
        byte = static_cast<char>(byte ^ static_cast<char>(1 + random->Below(255)));
      }
      if (other == bytes) return false;  // the same byte twice, back again
      tell(other);
      add(other);
      return true;
    }
    case Fault::kJunk: {
      const std::string_view line = kJunkLines[random->Below(std::size(kJunkLines))];
      tell(line);
      add(line);
      add(bytes);
      return true;
    }
    case Fault::kDrop:
    case Fault::kReorder:
    case Fault::kCoalesce:
    case Fault::kClose:
    case Fault::kKill:
      return true;
  }
  return false;
}

// What becomes of this message, and of one that has waited for it.
void Chaos::SendPieces(const std::vector<Piece>& pieces) {
  Side& from = side(current_);
  if (from.waiting_number != 0 && from.joined && !pieces.empty()) {
    from.waiting += pieces.front().bytes;
    handler_->Send(current_, from.waiting, pieces.front().pause_ms);
    from.waiting.clear();
    from.waiting_number = 0;
  } else if (!pieces.empty()) {
    handler_->Send(current_, pieces.front().bytes, pieces.front().pause_ms);
  }
  for (size_t i = 1; i < pieces.size(); ++i) {
    handler_->Send(current_, pieces[i].bytes, pieces[i].pause_ms);
  }
  SendWaiting();
}

}  // namespace midwire::fuzz
