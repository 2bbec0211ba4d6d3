#include "fuzz/prober.h"

#include <algorithm>

#include "fuzz/body.h"
#include "fuzz/sound.h"
#include "wire/contains.h"
#include "wire/json.h"
#include "wire/json_parts.h"

namespace midwire::fuzz {
namespace {

using wire::Id;
using wire::Kind;
using wire::Message;

// A body that is not all there is made up with so many blanks at most: more cost more than a start.
constexpr size_t kMaxBlanks = 4096;
// A frame of the peer's that is longer is looked at by its head only.
constexpr size_t kMaxHeard = 16u << 20;

// How odd a frame may be and still be read by everybody.
constexpr wire::Oddities kHarmless = wire::kExtraHeader | wire::kCrLf;
// With these the id that we see may not be the one that others see.
constexpr uint16_t kVagueFlags = wire::kMalformed | wire::kDuplicateMember | wire::kTokenCut;
// A body that is larger may be refused without being read, and so without its id.
constexpr size_t kMaxSmall = 4096;
// Longer headers are refused, and rightly, by whoever has a limit.
constexpr size_t kMaxHead = 128;

}  // namespace

class Prober::Said : public wire::FrameHandler {
 public:
  explicit Said(Prober* prober) : prober_(prober) {}
  void OnFrame(const wire::Frame& frame, const Message& message) override {
    prober_->OnSaid(frame, message);
  }
  void OnJunk(const wire::Junk& junk) override {
    prober_->odd_ = true;
    prober_->last_owed_ = false;
    prober_->last_said_ = "junk " + std::string(Name(junk.reason));
    // A line that is no message ends where it ends; after a bad header nobody knows, and a blank
    // before one is a bad one for many.
    const bool lines = prober_->seeds_->framing != wire::Framing::kContentLength;
    if (!lines) prober_->in_step_ = false;
    if (lines && junk.reason == wire::JunkReason::kText) ++prober_->bad_;
    // Who is lenient finds a message in it, with an id that we do not see.
    prober_->ledger_.AddUnreadable(prober_->NamesLate(junk.bytes));
  }

 private:
  Prober* prober_;
};

class Prober::Heard : public wire::FrameHandler {
 public:
  explicit Heard(Prober* prober) : prober_(prober) {}
  void OnFrame(const wire::Frame& frame, const Message& message) override {
    prober_->OnHeard(frame, message);
  }
  void OnJunk(const wire::Junk& junk) override { prober_->OnHeardJunk(junk); }

 private:
  Prober* prober_;
};

Prober::Prober(Seeds* seeds, Features* features, const ProberOptions& options, Sink sink)
    : seeds_(seeds),
      features_(features),
      options_(options),
      sink_(std::move(sink)),
      closing_methods_(options.dialect) {
  OnPeer();
}

Prober::~Prober() = default;

void Prober::OnPeer() {
  said_handler_ = std::make_unique<Said>(this);
  heard_handler_ = std::make_unique<Heard>(this);
  // What we say is read as the peer must: by the framing of its protocol alone.
  said_ = std::make_unique<wire::Decoder>(seeds_->framing);
  heard_ = std::make_unique<wire::Decoder>(seeds_->framing, kMaxHeard);
  seeds_->live.Forget();
  ledger_.OnPeer();
  open_.clear();
  odd_ = odd_before_ = notified_ = closing_ = unopened_ = false;
  in_step_ = true;
  last_said_ = "nothing";
  last_asked_.clear();
  input_ = nullptr;
}

void Prober::OnRun(const Input* input) {
  input_ = input;
  used_.assign(input->parts.size(), false);
  next_ = 0;
  uses_of_ = SIZE_MAX;
  ledger_.OnRun();
  seeds_->live.OnRun();
  odd_before_ = odd_;
  odd_ = notified_ = last_owed_ = false;
  bad_ = refused_ = answers_ = refused_before_ = 0;
  last_asked_.clear();
  features_->OnRun();
}

bool Prober::Depends(size_t index) {
  if (used_[index]) return false;
  const Part& part = input_->parts[index];
  if (part.junk()) return false;
  FindUses(index);
  const std::string_view body = part.body();
  return !seeds_->live.AreMade(uses_) || body.find("\"result\"") != body.npos ||
         body.find("\"error\"") != body.npos;
}

void Prober::FindUses(size_t index) {
  if (uses_of_ == index) return;
  uses_of_ = index;
  const Part& part = input_->parts[index];
  uses_.clear();
  if (!part.junk()) seeds_->live.FindUses(part.body(), &uses_);
}

std::string_view Prober::Say(size_t index) {
  next_ = index + 1;
  if (used_[index]) return "";
  used_[index] = true;
  const Part& part = input_->parts[index];
  FindUses(index);
  if (uses_.empty() || !seeds_->live.Apply(part.body(), uses_, &body_)) {
    Sent(part.bytes);
    return part.bytes;
  }
  Part live = part;
  live.SetBody(body_);
  bytes_ = std::move(live.bytes);
  Sent(bytes_);
  return bytes_;
}

void Prober::Sent(std::string_view bytes, bool aside) {
  const std::string before = aside ? last_said_ : "";
  said_->Feed(bytes, said_handler_.get());
  if (aside) last_said_ = before;
}

void Prober::OnBytes(std::string_view bytes, std::string* reply) {
  reply_ = reply;
  heard_->Feed(bytes, heard_handler_.get());
}

void Prober::OnPeerEnd() {
  reply_ = nullptr;
  heard_->Finish(heard_handler_.get());
}

std::string Prober::Next() {
  std::string said;
  while (next_ < input_->parts.size() && !IsAnswer(input_->parts[next_])) {
    const size_t owed = ledger_.owed();
    said += Say(next_);
    if (ledger_.owed() > owed) break;
  }
  return said;
}

std::string Prober::Rest() {
  std::string rest;
  while (next_ < input_->parts.size()) rest += Say(next_);
  return rest;
}

// The peer waits for something that we do not say.
void Prober::Excuse() {
  ledger_.Excuse();
  odd_ = true;
  last_owed_ = false;
}

std::string Prober::Complete() {
  std::string blanks;
  while (!said_->at_boundary() && blanks.size() < kMaxBlanks) {
    blanks += ' ';
    Sent(" ");
  }
  return blanks;
}

std::string_view Prober::owed_method() const {
  const Asked* first = ledger_.FirstOwed();
  return first != nullptr ? std::string_view(first->method) : "";
}

std::string Prober::place() const {
  const std::string_view owed = owed_method();
  return owed.empty() ? last_said_ : "request " + std::string(owed);
}

// A method that the protocol knows; else "", as a mutant's would be another each time.
std::string_view Prober::Word(std::string_view method, const wire::MethodSpec* spec) const {
  return spec != nullptr || seeds_->methods.contains(method) ? method : "";
}

const wire::MethodSpec* Prober::Spec(std::string_view method) const {
  return options_.dialect != nullptr ? options_.dialect->Find(method) : nullptr;
}

void Prober::OnSaid(const wire::Frame& frame, const Message& message) {
  const std::string_view body = wire::Trimmed(frame.body());
  const wire::MethodSpec* const spec = Spec(message.method);
  const std::string_view word = Word(message.method, spec);
  last_owed_ = false;
  last_asked_.clear();
  last_said_.assign(Name(message.kind));
  if (!message.IsAnswer() && message.kind != Kind::kBatch) {
    last_said_ += ' ';
    last_said_ += word.empty() ? "?" : word;
  }
  const auto& dialect = options_.dialect;
  const bool too_large =
      dialect != nullptr && dialect->max_body != 0 && body.size() > dialect->max_body;
  const bool clear = (frame.oddities & ~kHarmless) == 0 && (message.flags & kVagueFlags) == 0 &&
                     wire::IsJson(body) && !HidesId(body);
  bool sound = clear && !too_large && (message.flags & ~seeds_->usual_flags) == 0 &&
               !IsHard(body) && !RepeatsName(body);
  if (frame.framing == wire::Framing::kContentLength &&
      ((frame.oddities & ~kHarmless) != 0 || frame.bytes.size() - frame.body().size() > kMaxHead)) {
    in_step_ = false;
  }
  // Our answer to a batch. What else is said before an answer may have requests in it.
  const auto answers = [](const Message& element) { return element.IsAnswer(); };
  const auto& elements = message.elements;
  if (replying_ && !elements.empty() && std::all_of(elements.begin(), elements.end(), answers)) {
    return;
  }
  if (message.kind == Kind::kBatch) {
    odd_ = true;
    closing_ = closing_ || closing_methods_.IsNamedIn(body);
    for (const Message& element : message.elements) {
      AllowAnswer(element, body, clear);
      Close(element, "", false);
      Ask(element, Spec(element.method), body, clear, false);
    }
    return;
  }
  if (message.IsAnswer() && !replying_) odd_ = true;
  // Params by name or by position (JSON-RPC 2.0, clause 4.2).
  const std::string_view params = sound && !message.IsAnswer() ? Member(body, "\"params\"") : "";
  if (!params.empty() && params[0] != '{' && params[0] != '[') sound = false;
  if (message.kind == Kind::kInvalid || !sound) {
    odd_ = true;
    if (!message.IsAnswer()) ++bad_;
  }
  if (!replying_) AllowAnswer(message, body, clear);
  Close(message, body, sound);
  if (message.kind == Kind::kNotification && sound) notified_ = true;
  if (message.kind == Kind::kRequest) Ask(message, spec, body, clear, sound);
}

// Does this end the session?
void Prober::Close(const Message& said, std::string_view body, bool sound) {
  if (said.IsAnswer() && sound) {
    std::erase_if(open_, [&](const auto& request) { return request.first == said.id.token; });
    return;
  }
  if (closing_) return;
  closing_ = closing_methods_.IsMethod(said.method) || (!sound && closing_methods_.IsNamedIn(body));
}

// What is no request may be refused by its id, which a request may have had as well.
void Prober::AllowAnswer(const Message& message, std::string_view body, bool clear) {
  const bool hidden = message.kind == Kind::kNotification && !clear;
  if (message.kind != Kind::kInvalid && !message.IsAnswer() && !hidden) return;
  const bool slow = NamesLate(body);
  if (!message.id.present()) return ledger_.AddUnreadable(slow);
  ledger_.Add({.id = message.id.token,
               .odd = !clear || IsBig(message.id) || !IsPlain(message.id),
               .stray = !slow,
               .slow = slow});
}

// Whether a method is named in it whose answer may come late.
bool Prober::NamesLate(std::string_view body) const {
  return std::any_of(seeds_->late.begin(), seeds_->late.end(),
                     [&](const std::string& name) { return wire::Contains(body, name); });
}

void Prober::Ask(const Message& request, const wire::MethodSpec* spec, std::string_view body,
                 bool clear, bool sound) {
  if (request.kind != Kind::kRequest) return;
  Asked asked = {
      .id = request.id.token, .method = std::string(Word(request.method, spec)), .spec = spec};
  asked.odd = !clear;
  asked.large = body.size() > kMaxSmall;
  if (options_.dialect != nullptr) {
    const auto& types = options_.dialect->id_types;
    if (!types.empty() && std::find(types.begin(), types.end(), request.id.type) == types.end()) {
      sound = false;
    }
  }
  const bool big = IsBig(request.id);
  // 1.0 is 1 for many a peer, and "\\u0031" is "1" for any.
  if (big || !IsPlain(request.id)) asked.odd = true;
  asked.slow = asked.odd && NamesLate(body);
  if (!IsPlain(request.id) && !(big && on(Oracle::kBigId))) sound = false;
  if (big && !on(Oracle::kBigId)) sound = false;
  // The same id twice in flight: who refuses that is right as well.
  if (ledger_.Open(asked.id)) sound = false;
  // What comes after the end may be refused, answered or left alone.
  if (closing_ || unopened_ || !in_step_) sound = false;
  asked.must = last_owed_ = sound && !seeds_->late.contains(request.method);
  if (!sound) odd_ = true;
  last_asked_ = asked.id;
  refused_before_ = refused_;
  ledger_.Add(std::move(asked));
}

void Prober::TellMissing(Oracle oracle) {
  ledger_.GiveUp([&](const Asked& asked) {
    if (!on(oracle)) return;
    Tell(oracle, std::string(Name(oracle)) + " " + (asked.method.empty() ? "?" : asked.method),
         "the request " + asked.id + " (" + asked.method + ") is not answered", "");
  });
}

void Prober::TellUnanswered() {
  if (!on(Oracle::kParseError) || refused_ >= bad_) return;
  // Who is silent about one method's bad request is so about all of them.
  const bool junk = last_said_.starts_with("junk ");
  Tell(Oracle::kParseError,
       "parse-error after " + (junk ? last_said_ : last_said_.substr(0, last_said_.find(' '))),
       "a bad message is not answered with an error, after " + last_said_, "");
}

void Prober::Tell(Oracle oracle, std::string key, std::string text, std::string_view evidence) {
  sink_({.oracle = oracle,
         .key = std::move(key),
         .text = std::move(text),
         .part = next_ == 0 ? 0 : next_ - 1,
         .evidence = std::string(evidence.substr(0, kMaxEvidence))});
}

}  // namespace midwire::fuzz
