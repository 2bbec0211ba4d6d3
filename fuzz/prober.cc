#include "fuzz/prober.h"

#include <string.h>

#include <algorithm>

#include "fuzz/panic.h"
#include "fuzz/sound.h"
#include "wire/json.h"
#include "wire/json_parts.h"

namespace midwire::fuzz {
namespace {

using wire::Id;
using wire::Kind;
using wire::Message;

// A body that is not all there is made up with so many blanks at most: more cost more than a start.
constexpr size_t kMaxBlanks = 4096;
// Of the peer's, that are open.
constexpr size_t kMaxOpen = 1024;
// A frame of the peer's that is longer is looked at by its head only.
constexpr size_t kMaxHeard = 16u << 20;
// Answers that wait to be written; a peer that asks on and on without reading gets no more.
constexpr size_t kMaxReply = 1u << 20;

// How odd a frame may be and still be read by everybody.
constexpr wire::Oddities kHarmless = wire::kExtraHeader | wire::kCrLf;
// Longer headers are refused, and rightly, by whoever has a limit.
constexpr size_t kMaxHead = 128;
// The member's value in a message; "" without one. The last counts.
std::string_view Member(std::string_view body, std::string_view quoted) {
  std::string_view found;
  if (body.empty() || body[0] != '{') return found;
  wire::JsonParts parts(body);
  wire::JsonPart part;
  while (parts.Next(&part)) {
    if (part.name == quoted) found = part.value;
  }
  return found;
}

// JSON that answers something.
bool IsAnswer(const Part& part) {
  const std::string_view body = wire::Trimmed(part.body());
  return !part.junk() && wire::IsLooseJson(body) && Member(body, "\"method\"").empty() &&
         (!Member(body, "\"result\"").empty() || !Member(body, "\"error\"").empty());
}

// The answer under another id.
std::string WithId(std::string_view body, std::string_view token) {
  const std::string_view id = Member(body, "\"id\"");
  std::string made(body);
  if (!id.empty()) made.replace(id.data() - body.data(), id.size(), token);
  return made;
}

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
    prober_->ledger_.AddUnreadable();
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
    : seeds_(seeds), features_(features), options_(options), sink_(std::move(sink)) {
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
  input_ = nullptr;
}

void Prober::OnRun(const Input* input) {
  input_ = input;
  used_.assign(input->parts.size(), false);
  next_ = 0;
  uses_of_ = SIZE_MAX;
  ledger_.OnRun();
  odd_before_ = odd_;
  odd_ = notified_ = last_owed_ = false;
  bad_ = anonymous_ = 0;
  features_->OnRun();
}

bool Prober::Depends(size_t index) {
  if (used_[index]) return false;
  const Part& part = input_->parts[index];
  if (part.junk()) return false;
  FindUses(index);
  const std::string_view body = part.body();
  return !uses_.empty() || body.find("\"result\"") != body.npos ||
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
std::string_view Prober::Word(std::string_view method) const {
  if (options_.dialect != nullptr && options_.dialect->Find(method) != nullptr) return method;
  return seeds_->methods.contains(method) ? method : "";
}

void Prober::OnSaid(const wire::Frame& frame, const Message& message) {
  const std::string_view body = wire::Trimmed(frame.body());
  const std::string_view word = Word(message.method);
  last_owed_ = false;
  last_said_.assign(Name(message.kind));
  if (!message.IsAnswer() && message.kind != Kind::kBatch) {
    last_said_ += ' ';
    last_said_ += word.empty() ? "?" : word;
  }
  const auto& dialect = options_.dialect;
  const bool too_large =
      dialect != nullptr && dialect->max_body != 0 && body.size() > dialect->max_body;
  const bool sound = (frame.oddities & ~kHarmless) == 0 && !too_large &&
                     (message.flags & ~seeds_->usual_flags) == 0 && wire::IsJson(body) &&
                     !IsHard(body);
  if (frame.framing == wire::Framing::kContentLength &&
      ((frame.oddities & ~kHarmless) != 0 || frame.bytes.size() - frame.body().size() > kMaxHead)) {
    in_step_ = false;
  }
  if (message.kind == Kind::kBatch) {
    odd_ = true;
    for (const Message& element : message.elements) {
      AllowAnswer(element);
      Close(element, body, false);
      Ask(element, false);
    }
    return;
  }
  if (message.IsAnswer() && !replying_) odd_ = true;
  if (message.kind == Kind::kInvalid || !sound) {
    odd_ = true;
    if (!message.IsAnswer()) ++bad_;
  }
  if (!replying_) AllowAnswer(message);
  Close(message, body, sound);
  if (message.kind == Kind::kNotification) notified_ = true;
  if (message.kind != Kind::kRequest) return;
  // Params by name or by position (JSON-RPC 2.0, clause 4.2).
  const std::string_view params = sound ? Member(body, "\"params\"") : "";
  Ask(message, sound && (params.empty() || params[0] == '{' || params[0] == '['));
}

// Does this end the session? Where messages are odd, peers may read another method out of it than
// we do, so one that is named anywhere in them does.
void Prober::Close(const Message& said, std::string_view body, bool sound) {
  const auto names = [&](std::string_view last) {
    if (wire::MatchesMethod(last, said.method)) return true;
    return !sound && memmem(body.data(), body.size(), last.data(), last.size()) != nullptr;
  };
  if (said.IsAnswer() && sound) {
    std::erase_if(open_, [&](const auto& request) { return request.first == said.id.token; });
    return;
  }
  const auto& dialect = options_.dialect;
  if (dialect != nullptr && !dialect->last.empty()) {
    closing_ = closing_ || std::any_of(dialect->last.begin(), dialect->last.end(), names);
  } else {
    closing_ = closing_ || names("shutdown") || names("exit");
  }
}

// What is no request may be refused by its id, which a request may have had as well.
void Prober::AllowAnswer(const Message& message) {
  const bool odd = message.kind == Kind::kInvalid || message.IsAnswer();
  if (!odd) return;
  message.id.present() ? ledger_.Add({.id = message.id.token, .odd = true})
                       : ledger_.AddUnreadable();
}

void Prober::Ask(const Message& request, bool sound) {
  if (request.kind != Kind::kRequest) return;
  Asked asked = {.id = request.id.token, .method = std::string(Word(request.method))};
  asked.odd = !sound;
  if (options_.dialect != nullptr) {
    asked.spec = options_.dialect->Find(request.method);
    const auto& types = options_.dialect->id_types;
    if (!types.empty() && std::find(types.begin(), types.end(), request.id.type) == types.end()) {
      sound = false;
    }
  }
  const bool big = IsBig(request.id);
  // 1.0 is 1 for many a peer, and "\\u0031" is "1" for any.
  if (big || !IsPlain(request.id)) asked.odd = true;
  if (!IsPlain(request.id) && !(big && on(Oracle::kBigId))) sound = false;
  if (big && !on(Oracle::kBigId)) sound = false;
  // The same id twice in flight: who refuses that is right as well.
  if (ledger_.Open(asked.id)) sound = false;
  // What comes after the end may be refused, answered or left alone.
  if (closing_ || unopened_ || !in_step_) sound = false;
  asked.must = last_owed_ = sound && !seeds_->late.contains(request.method);
  if (!sound) odd_ = true;
  ledger_.Add(std::move(asked));
}

void Prober::OnHeardJunk(const wire::Junk& junk) {
  if (listener_) listener_(wire::Opposite(seeds_->ours), "", junk.bytes);
  // A message that its end cut off is no pollution.
  const bool harmless =
      junk.reason == wire::JunkReason::kBlank || junk.reason == wire::JunkReason::kTruncated;
  if (harmless || !on(Oracle::kPollution)) return;
  const std::string line = Normalised(junk.bytes.substr(0, junk.bytes.find('\n')));
  Tell(Oracle::kPollution, "pollution " + line,
       "something on stdout that is no message, after " + last_said_, junk.bytes);
}

void Prober::OnHeard(const wire::Frame& frame, const Message& message) {
  if (listener_) listener_(wire::Opposite(seeds_->ours), message.id.token, frame.bytes);
  const std::string_view body = wire::Trimmed(frame.body());
  const bool json = frame.whole() && wire::IsLooseJson(body);
  if ((frame.oddities & wire::kInvalidUtf8) != 0 && on(Oracle::kUtf8)) {
    Tell(Oracle::kUtf8, "utf8 " + std::string(Name(message.kind)),
         "a message that is not UTF-8, after " + last_said_, frame.bytes);
  }
  if (message.kind == Kind::kBatch) {
    for (const Message& element : message.elements) Judge(element, "");
    return;
  }
  if (message.kind == Kind::kInvalid || (frame.whole() && !json && !wire::IsJson(body))) {
    if (on(Oracle::kBadMessage)) {
      const std::string what = json ? "JSON that is no message" : "a frame that is no JSON";
      Tell(Oracle::kBadMessage, "bad-message " + what, what + ", after " + last_said_, frame.bytes);
    }
    return;
  }
  Judge(message, json ? body : "");
}

void Prober::Judge(const Message& message, std::string_view body) {
  if (!message.IsAnswer()) {
    JudgeCall(message, body);
    const bool dap = (message.flags & wire::kDap) != 0;
    features_->OnMessage(message, Word(message.method),
                         Member(body, dap ? "\"arguments\"" : "\"params\""));
    if (!body.empty()) seeds_->live.Learn(message.method, body);
    if (message.kind == Kind::kRequest) {
      if (open_.size() < kMaxOpen) open_.emplace_back(message.id.token, message.method);
      Answer(message);
    }
    return;
  }
  const Asked* asked = Match(message);
  const std::string_view method = asked != nullptr ? std::string_view(asked->method) : "";
  features_->OnMessage(message, method, Member(body, "\"result\""));
  if (asked == nullptr) return;
  if (!body.empty()) seeds_->live.Learn(method, body);
  JudgeAnswer(message, body, *asked);
}

// What the answer answers; null where that is not known. Tells what is wrong about that.
const Asked* Prober::Match(const Message& answer) {
  const std::string& id = answer.id.token;
  if (const Asked* asked = ledger_.Answer(id)) return asked;
  const bool odd = odd_ || odd_before_;
  const bool anonymous = answer.id.type == Id::Type::kNull || answer.id.type == Id::Type::kAbsent;
  Asked* other_type = on(Oracle::kIdType) ? ledger_.OfOtherType(id) : nullptr;
  if (other_type != nullptr && !ledger_.Earlier(id) && !ledger_.OddOpen() && !(anonymous && odd)) {
    ledger_.Settle(other_type);
    Tell(Oracle::kIdType, "id-type " + other_type->method,
         "the request's id is " + other_type->id + ", its answer's " + id, "");
    return other_type;
  }
  if (anonymous) ++anonymous_;
  // Of any of the bad messages; but those have errors, unless their ids cannot be seen.
  const bool refusal = answer.kind == Kind::kError || ledger_.OddOpen();
  if (anonymous && odd && refusal) return nullptr;
  if (ledger_.AnswerEarlier(id)) return nullptr;
  if (const Asked* first = ledger_.First(id)) {
    // Of the same id in several requests, any may have been answered late; and an odd one may have
    // been read as having this id.
    if (ledger_.Repeated(id) || ledger_.OddOpen()) return nullptr;
    if (on(Oracle::kDouble)) {
      Tell(Oracle::kDouble, "double " + first->method,
           "the request " + id + " (" + first->method + ") is answered a second time", "");
    }
    return nullptr;
  }
  if (odd && !anonymous) return nullptr;
  if (anonymous && notified_) {
    if (on(Oracle::kNotification)) {
      Tell(Oracle::kNotification, "notification " + last_said_,
           "an answer without an id where only notifications were unanswered", "");
    }
  } else if (on(Oracle::kUnknown)) {
    Tell(Oracle::kUnknown, "unknown after " + last_said_,
         "an answer with the id " + (id.empty() ? "that is missing" : id) + ", which nobody asked",
         "");
  }
  return nullptr;
}

void Prober::JudgeAnswer(const Message& answer, std::string_view body, const Asked& asked) {
  if ((answer.flags & (wire::kResultAndError | wire::kNeither)) != 0 && on(Oracle::kShape)) {
    const bool both = (answer.flags & wire::kResultAndError) != 0;
    Tell(Oracle::kShape, std::string(both ? "shape both " : "shape neither ") + asked.method,
         both ? "an answer with a result and an error" : "an answer without result and error",
         body);
    return;
  }
  if (!on(Oracle::kDialect) || body.empty() || (answer.flags & wire::kDap) != 0) return;
  if (answer.kind == Kind::kError) {
    const std::string_view error = Member(body, "\"error\"");
    if (!error.empty() && error[0] == '{' && answer.error_code) return;
    const auto* dialect = options_.dialect;
    const bool lax = dialect != nullptr && dialect->error_without_code != wire::Severity::kMust;
    if (lax && !error.empty() && (error[0] == '{' || error[0] == '"')) return;
    Tell(Oracle::kDialect, "dialect error " + asked.method,
         "an error is an object with an integer code", body);
    return;
  }
  if (asked.spec == nullptr || !asked.spec->result || !asked.must) return;
  // It may be of another method under the same id, in flight with it or late.
  if (ledger_.Ambiguous(asked)) return;
  if (const auto broken = asked.spec->result->Validate(Member(body, "\"result\""))) {
    Tell(Oracle::kDialect,
         "dialect result " + asked.method + " " + broken->rule + " " + broken->keyword,
         "/result" + broken->pointer + " should be " + asked.spec->result->Expectation(*broken),
         body);
  }
}

void Prober::JudgeCall(const Message& call, std::string_view body) {
  if (!on(Oracle::kDialect) || options_.dialect == nullptr || body.empty()) return;
  const wire::MethodSpec* spec = options_.dialect->Find(call.method);
  if (spec == nullptr || (call.flags & wire::kDap) != 0) return;
  const int peer = seeds_->ours == wire::Direction::kHostToPlugin ? 1 : 0;
  if (!spec->from[peer]) {
    Tell(Oracle::kDialect, "dialect direction " + call.method,
         "\"" + call.method + "\" is not this party's to say", body);
    return;
  }
  const std::string_view params = Member(body, "\"params\"");
  if (!spec->params || params.empty()) return;
  if (const auto broken = spec->params->Validate(params)) {
    Tell(Oracle::kDialect,
         "dialect params " + call.method + " " + broken->rule + " " + broken->keyword,
         "/params" + broken->pointer + " should be " + spec->params->Expectation(*broken), body);
  }
}

std::string Prober::AnswerOpen() {
  // The damaged answer may have no end.
  std::string answers;
  if (!said_->at_boundary() && seeds_->framing == wire::Framing::kContentLength) {
    answers = Complete();
  } else if (!said_->at_boundary()) {
    answers = "\n";
    Sent(answers);
  }
  if (!said_->at_boundary()) {
    open_.clear();
    Excuse();
    return answers;
  }
  const size_t said = answers.size();
  for (const auto& [id, method] : std::exchange(open_, {})) {
    const auto recorded = seeds_->answers.find(method);
    const std::string_view body = recorded != seeds_->answers.end()
                                      ? std::string_view(recorded->second)
                                      : R"({"jsonrpc":"2.0","id":0,"result":null})";
    answers += Framed(WithId(body, id), seeds_->framing).bytes;
  }
  odd_ = true;  // it may have taken the damaged ones, and not like to get others
  replying_ = true;
  Sent(std::string_view(answers).substr(said));
  replying_ = false;
  return answers;
}

// With the next answer of the input, mutated as it is; else as the host answered when the seeds
// were recorded; else with an empty result.
void Prober::Answer(const Message& request) {
  if (reply_ == nullptr || reply_->size() > kMaxReply || input_ == nullptr) return;
  const auto reply = [&](const Part& part) {
    replying_ = true;
    Sent(part.bytes);
    replying_ = false;
    *reply_ += part.bytes;
  };
  for (size_t i = next_; i < input_->parts.size(); ++i) {
    const Part& part = input_->parts[i];
    if (used_[i]) continue;
    const std::string_view body = wire::Trimmed(part.body());
    const bool json = !part.junk() && wire::IsLooseJson(body);
    const bool answer = json && Member(body, "\"method\"").empty() &&
                        (!Member(body, "\"result\"").empty() || !Member(body, "\"error\"").empty());
    if (!answer) {
      // Where the peer leads, what stood before the answer goes before it.
      if (reactive_) {
        used_[i] = true;
        next_ = i + 1;
        reply(part);
      } else if (json && !Member(body, "\"method\"").empty()) {
        break;  // requests between are said in their turn
      }
      continue;
    }
    used_[i] = true;
    if (reactive_) next_ = i + 1;
    if (!seeds_->peer_ids.contains(Member(body, "\"id\""))) return reply(part);
    Part live = part;
    live.SetBody(WithId(body, request.id.token));
    return reply(live);
  }
  const auto recorded = seeds_->answers.find(request.method);
  if (recorded != seeds_->answers.end()) {
    return reply(Framed(WithId(recorded->second, request.id.token), seeds_->framing));
  }
  reply(Framed(R"({"jsonrpc":"2.0","id":)" + request.id.token + R"(,"result":null})",
               seeds_->framing));
}

void Prober::TellMissing(Oracle oracle) {
  ledger_.GiveUp([&](const Asked& asked) {
    if (!on(oracle)) return;
    Tell(oracle, std::string(Name(oracle)) + " " + (asked.method.empty() ? "?" : asked.method),
         "the request " + asked.id + " (" + asked.method + ") is not answered", "");
  });
}

void Prober::TellUnanswered() {
  if (!on(Oracle::kParseError) || anonymous_ >= bad_) return;
  Tell(Oracle::kParseError, "parse-error after " + last_said_,
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
