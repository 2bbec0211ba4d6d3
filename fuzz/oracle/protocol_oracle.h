// Checks what a peer sends against the protocol: keeps the requests sent to it, reports each fault
// as a finding, and makes the answers to the peer's own requests. Called by the runners of
// fuzz/live, which move the bytes and keep the time. Pure: the same bytes give the same findings.
// It is lenient: no answer is expected to hostile input (an id that some peers cannot echo, bytes
// that do not frame).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/oracle/answer_rules.h"
#include "fuzz/oracle/caching_frame_reader.h"
#include "fuzz/oracle/ending.h"
#include "fuzz/oracle/features.h"
#include "fuzz/oracle/input_script.h"
#include "fuzz/oracle/message_info.h"
#include "fuzz/oracle/peer_requests.h"
#include "fuzz/oracle/peer_state.h"
#include "fuzz/oracle/pending_requests.h"
#include "fuzz/shutdown_methods.h"

namespace midwire::fuzz {

// Why peers may not read what was sent as a message.
struct OddKind {
  const char* noun;    // "JSON that is no message"
  const char* clause;  // ", which is no message"; "": its place says so
};

class ProtocolOracle {
 public:
  using Sink = std::function<void(Finding)>;
  // None of the pointers is owned. seeds->live receives the messages of the peer.
  ProtocolOracle(Seeds* seeds, Features* features, const ProtocolOracleOptions& options, Sink sink);
  ProtocolOracle(const ProtocolOracle&) = delete;  // its readers point to it

  // More methods are known that end the peer: Seeds::ends. Returns all.
  const ShutdownMethods& UseEnds() {
    return shutdown_methods_ = ShutdownMethods(options_.dialect, seeds_->ends);
  }
  // The peer was started, and nothing was sent to it yet.
  void OnPeer();
  // The session is not opened: before that, peers answer some requests, none or all.
  void SetUnopened() { sync_ = SyncState::kUnopened; }
  // A run begins. The input must outlive it.
  void OnRun(const Input* input);
  // The bytes to write for a part of the input: recorded values are replaced by live ones. They
  // count as sent. Valid until the next call. "": the part was sent already, as an answer to a
  // request of the peer.
  std::string_view PartToSend(size_t part);
  // Whether a part depends on what the peer sends before it: it has a handle that the peer has not
  // made in this run, or looks like an answer. A pipelined run waits before such a part.
  bool Depends(size_t part) { return script_.Depends(part); }
  // Other bytes were sent.
  void OnSent(std::string_view bytes, Sent how = Sent::kPart);
  // Bytes of the peer were received. Appends the answers to its requests to *reply.
  void OnBytes(std::string_view bytes, std::string* reply);

  // Stdin was closed: what the peer writes now may belong to that.
  void OnEof() { run_.probe_is_last = false; }
  // The peer has ended: an unfinished message is passed to the listener.
  void OnPeerEnd();
  // Receives each frame and each piece of junk of the peer: its direction, the id's token, its
  // bytes.
  using Listener =
      std::function<void(wire::Direction, const std::string& id, std::string_view bytes)>;
  void set_listener(Listener listener) { listener_ = std::move(listener); }
  // Receives each answer of the peer and the rule for it, before the rule is applied.
  using RuleListener = std::function<void(const wire::Message& answer, const AnswerRule& rule)>;
  void set_rule_listener(RuleListener listener) { rule_listener_ = std::move(listener); }

  // Reactive mode, for a peer that is a host: each of its requests makes the oracle send the parts
  // of the input up to the next answer, which answers it. Otherwise the runner sends the parts.
  void set_reactive() { script_.set_reactive(); }
  // Reactive mode: the parts before the next answer, up to and including the next request, as one
  // piece; they count as sent. "": the next part is an answer, or there is none.
  std::string Next();
  // All parts that were not sent yet, as one piece; they count as sent.
  std::string Rest();

  PeerState state() const;
  // Whether a request of the peer with this id has no valid answer.
  bool IsAsked(std::string_view id) const { return peer_requests_.Has(id); }
  // Blanks that complete a body whose header claims more bytes than were sent; they count as sent.
  // A long body may still be incomplete.
  std::string CompleteBody();
  // The peer has answered a probe after bytes that did not frame.
  void OnProbeAnswered() { Move(SyncEvent::kProbeAnswered); }
  // Answers to all requests of the peer that have none, in order, to be written. They count as
  // sent.
  std::string AnswerPeerRequests();
  // The method of the first request whose answer is expected; "": there is none. For findings.
  std::string_view first_expected_method() const;
  // The start of an unfinished message of the peer; "": there is none.
  std::string_view unfinished_message() const;
  // The requests of this run; their places are those of the order in which they were sent.
  const PendingRequests& pending() const { return pending_; }
  // While the sink is called: the place of the request whose answer is at fault; 0: none.
  size_t answered() const { return answered_; }
  // Reports each expected answer as missing, for this oracle. Called when the peer has answered a
  // later request, or the time is over. Unless as many answers came under ids that no request has:
  // these are the missing ones. kind: as in Finding.
  void ReportMissing(Oracle oracle, std::optional<FaultKind> kind = std::nullopt);
  // Reports that bad messages got no error (an oracle that is off by default).
  void ReportUnanswered();
  // The first request whose answer is expected, else the last message sent: how far a peer has come
  // that received several messages at once.
  std::string place() const;
  // The first of what was sent in this run that peers may not read as a message, as it may be the
  // cause of what shows after it: ", which is not JSON" of the last message, ", 2 messages after
  // JSON that is no message". "": nothing, or `after` is not the last message.
  std::string OddBefore(std::string_view after) const;
  // A place after the last message, or after another one.
  FaultPlace PlaceAfter(std::string after) const;
  // Kind and method of the last message sent, with `?` for a method that the protocol does not
  // have: the place of a finding that has no message of its own.
  const std::string& last_sent() const { return last_sent_; }

 private:
  void OnSentMessage(const SentMessageInfo& sent, std::string_view body);
  void OnSentJunk(const wire::Junk& junk);
  void OnSentBatch(const SentMessageInfo& sent, std::string_view body);
  // clear_id, answerable: as in SentMessageInfo.
  void AddRequest(const wire::Message& message, const wire::MethodSpec* spec, std::string_view body,
                  bool clear_id, bool answerable);
  void AllowAnswer(const wire::Message& message, std::string_view body, bool clear_id);
  bool NamesLate(std::string_view body) const;
  void NoteOdd(const SentMessageInfo& sent);
  void UpdateSession(const wire::Message& sent, std::string_view body, bool well_formed);
  void OnReceivedMessage(const ReceivedMessageInfo& received, std::string_view bytes);
  void OnReceivedJunk(const wire::Junk& junk);
  // message: that of `received`, or one in a batch, about which nothing else is known then.
  void Check(const wire::Message& message, const ReceivedMessageInfo& received,
             std::string_view bytes);
  const PendingRequest* Match(const wire::Message& answer);
  void ReportUnknown(const std::string& id);
  void CheckAnswer(const wire::Message& answer, std::string_view body, std::string_view result,
                   const PendingRequest& request);
  void CheckCall(const wire::Message& call, std::string_view body, std::string_view params);
  void DropExpectations();
  void GiveUpOnPeer();
  void Answer(const wire::Message& request);
  void AnswerBatch(const std::vector<wire::Message>& batch);
  const wire::MethodSpec* Spec(std::string_view method) const;
  std::string_view KnownMethod(std::string_view method, const wire::MethodSpec* spec) const;
  // Unless the oracle is off, or may not speak now.
  void Report(Oracle oracle, std::string key, std::string text, std::string_view evidence,
              std::optional<FaultKind> kind = std::nullopt);
  bool ReportEcho(Oracle oracle, std::string_view bytes);
  bool at_boundary() const { return sent_.decoder().at_boundary(); }
  void Move(SyncEvent event) {
    const SyncState before = std::exchange(sync_, After(sync_, event));
    if (before != sync_ && sync_ == SyncState::kMaybeLost) {
      run_.answers_before_unclear = run_.answers + run_.refusals;
    }
  }
  bool Speaks(Oracle oracle) const {
    return options_.oracles[static_cast<int>(oracle)] && MaySpeak(oracle, sync_);
  }

  Seeds* seeds_;
  Features* features_;
  ProtocolOracleOptions options_;
  Sink sink_;
  Listener listener_;
  RuleListener rule_listener_;
  ShutdownMethods shutdown_methods_;
  InputScript script_;

  CachingFrameReader<SentMessageInfo> sent_;
  CachingFrameReader<ReceivedMessageInfo> received_;

  PendingRequests pending_;
  PeerRequests peer_requests_;
  // Of what was sent and received in this run.
  struct Run {
    bool any_answer = false;            // a message was sent that may be answered in any way
    bool notification_sent = false;     // a well-formed one
    bool last_expected = false;         // the last message is a request whose answer is expected
    size_t last_request = 0;            // its place, if it is a request
    size_t probe = 0;                   // the place of the last probe
    bool probe_is_last = false;         // nothing of the input was sent after it
    const OddKind* odd = nullptr;       // of the first that peers may not read as a message
    size_t since_odd = 0;               // messages sent after it
    size_t bad_sent = 0, refusals = 0;  // bad messages; answers that may refuse them
    size_t answers = 0;                 // to requests
    size_t unknown = 0;                 // answers under ids of no request: they may be those of any
    size_t answers_before_unclear = 0;  // answers and refusals before the session was maybe lost
    size_t refusals_before = 0;         // refusals when the last request was sent
  };
  Run run_;
  bool any_answer_before_ = false;  // in the run before this one
  bool replying_ = false;           // what is sent answers a request of the peer
  bool probing_ = false;            // it is a probe
  bool of_probe_ = false;           // what is checked belongs to a probe
  size_t answered_ = 0;             // the place of the request whose answer is checked
  SyncState sync_ = SyncState::kInSync;
  bool in_batch_ = false;
  bool ends_line_ = true;  // the last bytes sent end a line
  std::string last_sent_;
  std::string* reply_ = nullptr;  // during OnBytes
};

}  // namespace midwire::fuzz
