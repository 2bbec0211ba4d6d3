// The oracle: knows what a peer owes for what was said to it, judges what it says, and says what
// the peer's own requests are to be answered with. The runner (live/) moves the bytes and keeps the
// time; the oracle is pure, and the same bytes give the same findings. It is lenient: what follows
// from hostile input (an id that nobody can echo, bytes that do not frame) is owed nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/oracle/caching_frame_reader.h"
#include "fuzz/oracle/features.h"
#include "fuzz/oracle/message_info.h"
#include "fuzz/oracle/pending_requests.h"
#include "fuzz/shutdown_methods.h"

namespace midwire::fuzz {

class ProtocolOracle {
 public:
  using Sink = std::function<void(Finding)>;
  // All are used, not owned. `live` of the seeds is told what the peer says.
  ProtocolOracle(Seeds* seeds, Features* features, const ProtocolOracleOptions& options, Sink sink);
  ProtocolOracle(const ProtocolOracle&) = delete;  // its readers know it

  // A fresh peer: nothing was said yet.
  void OnPeer();
  // Nor will the session be opened: of requests before that, peers answer some, none or all.
  void SetUnopened() { unopened_ = true; }
  // A run begins. The input must live until the next one.
  void OnRun(const Input* input);
  // What to write for a part of the input: its bytes with live values in the place of recorded
  // ones. Valid until the next call. "": it was said already, as the answer to a request of the
  // peer's.
  std::string_view Say(size_t part);
  // Whether what a part says depends on what the peer says before: it has values that the peer
  // makes, and has not made in this run, or looks like an answer. Who says many parts at once waits
  // before such a one.
  bool Depends(size_t part);
  // Bytes of our own, such as a probe: they count as said. aside: not as what was said last.
  void Sent(std::string_view bytes, bool aside = false);
  // Bytes of the peer. Appends to *reply what to write in answer to its requests.
  void OnBytes(std::string_view bytes, std::string* reply);

  // The peer has ended: what is pending of its last message is told to the listener.
  void OnPeerEnd();
  // Hears each frame and each piece of junk of the peer's: its direction, the id's token, its
  // bytes.
  using Listener =
      std::function<void(wire::Direction, const std::string& id, std::string_view bytes)>;
  void set_listener(Listener listener) { listener_ = std::move(listener); }

  // The peer leads (it is a host): each of its requests makes us say the parts of the input up to
  // the next answer, which answers it. Else we lead.
  void set_reactive() { reactive_ = true; }
  // Where the peer leads: what comes before the next answer, through the next request, as one
  // piece; it counts as said. "": the next part is an answer, or there is none.
  std::string Next();
  // The parts that were not said yet, as one piece; they count as said.
  std::string Rest();

  // The peer has served its time: more requests of earlier runs have no answer than can be
  // remembered, or it makes no handles any more.
  bool spent() const { return pending_.full() || seeds_->live.dry(); }
  // Requests of this run that must be answered and are not yet.
  size_t owed() const { return pending_.owed(); }
  // Whether the request with this id is one of them.
  bool owes(std::string_view id) const { return pending_.Owes(id); }
  // Whether it was answered.
  bool answered(std::string_view id) const { return pending_.Answered(id); }
  // Grows with each answer to something that was said; no peer makes it grow for ever.
  size_t answers() const { return answers_ + std::min(refused_, bad_); }
  // Whether what was said last is a request that has had no answer, owed one or not, nor was
  // anything refused meanwhile by no id that was asked.
  bool awaits() const {
    return !last_asked_.empty() && pending_.Open(last_asked_) && refused_ == refused_before_;
  }
  // Blanks that make up for what is missing of a body whose length was claimed: they count as said.
  // Of a long body something may be missing still.
  std::string Complete();
  // The peer has answered what was said after bytes that did not frame: it has found its way.
  void BackInSync() {
    in_sync_ = true;
    gave_up_ = false;
  }
  // It asks for more than we answer: it may wait for that for ever, and is not in step till then.
  bool gave_up() const { return gave_up_; }
  // Whether the peer has asked something that was not answered under its id: the input's answer may
  // be damaged, and a peer may rightly wait for another one.
  bool asked() const { return !open_.empty(); }
  // Answers to all of that, in order, to be written. They count as said.
  std::string AnswerOpen();
  // Their methods, of the oldest first; "" where none is owed. For a finding's words.
  std::string_view owed_method() const;
  // Whether nothing is pending of what was said: what is said next will be read as such. Else the
  // peer rightly waits for the rest of a frame.
  bool at_boundary() const { return said_.decoder().at_boundary(); }
  // The begin of a message of the peer's whose end has not come; else "".
  std::string_view unended() const;
  // Whether all that was said since the peer started framed, as the peer must see it. Where it did
  // not, a peer may have lost its way.
  bool in_sync() const { return in_sync_; }
  // Whether one of the methods that close a session was said.
  bool closing() const { return closing_; }
  // The peer has answered what was asked behind this run, or has had its time: what is owed still
  // is missing, for this oracle.
  void ReportMissing(Oracle oracle);
  // The same of errors that bad messages should have had (an oracle that is off by default).
  void ReportUnanswered();
  // Whether the peer's answers show that it has read all that was said: the last message was a
  // request that it owed an answer, and gave.
  bool settled() const { return pending_.owed() == 0 && last_owed_; }
  // The first request that it owes an answer, else what was said last: where a peer has come to
  // that was told much at once.
  std::string place() const;
  // Kind and method of what was said last, with methods that are no words of the protocol as `?`:
  // a place for a finding that has no message of its own.
  const std::string& last_said() const { return last_said_; }

 private:
  void OnSaid(const SentMessageInfo& said, std::string_view body);
  void OnSaidJunk(const wire::Junk& junk);
  void OnSaidBatch(const SentMessageInfo& said, std::string_view body);
  // clear, answerable: as in SentMessageInfo.
  void Ask(const wire::Message& message, const wire::MethodSpec* spec, std::string_view body,
           bool clear, bool answerable);
  void AllowAnswer(const wire::Message& message, std::string_view body, bool clear);
  bool NamesLate(std::string_view body) const;
  void OnHeard(const ReceivedMessageInfo& heard, std::string_view bytes);
  void OnHeardJunk(const wire::Junk& junk);
  // message: that of `heard`, or one in a batch, of which nothing else is known then.
  void Judge(const wire::Message& message, const ReceivedMessageInfo& heard,
             std::string_view bytes);
  const PendingRequest* Match(const wire::Message& answer);
  void DropExpectations();
  void GiveUpOnPeer();
  // What a part names that the peer makes, and whether it looks like an answer.
  struct PartReading {
    size_t head = 0;  // of the part: the uses are of its body
    std::vector<HandleTracker::Use> uses;
    bool answers = false;
  };
  const PartReading& ReadPart(size_t index);
  void Close(const wire::Message& said, std::string_view body, bool sound);
  void JudgeAnswer(const wire::Message& answer, std::string_view body, std::string_view result,
                   const PendingRequest& asked);
  void JudgeCall(const wire::Message& call, std::string_view body, std::string_view params);
  void Answer(const wire::Message& request);
  void AnswerBatch(const std::vector<wire::Message>& batch);
  bool Fits(std::string_view answer, const std::string& method) const;
  std::string RecordedAnswer(const std::string& id, const std::string& method) const;
  const wire::MethodSpec* Spec(std::string_view method) const;
  std::string_view Word(std::string_view method, const wire::MethodSpec* spec) const;
  void Report(Oracle oracle, std::string key, std::string text, std::string_view evidence);
  bool on(Oracle oracle) const { return options_.oracles[static_cast<int>(oracle)]; }

  Seeds* seeds_;
  Features* features_;
  ProtocolOracleOptions options_;
  Sink sink_;
  Listener listener_;
  const ShutdownMethods shutdown_methods_;

  CachingFrameReader<SentMessageInfo> said_;
  CachingFrameReader<ReceivedMessageInfo> heard_;

  const Input* input_ = nullptr;
  std::vector<bool> used_;  // parts that were said
  size_t next_ = 0;         // the part after the one said last
  PendingRequests pending_;
  std::vector<std::pair<std::string, std::string>> open_;  // the peer's requests: id, method
  size_t open_before_ = 0;                                 // of them, the first: of earlier runs
  bool odd_ = false, odd_before_ = false;  // something was said that may be answered in any way
  bool notified_ = false, last_owed_ = false, replying_ = false, reactive_ = false;
  size_t bad_ = 0, refused_ = 0;  // bad messages of this run; answers that may be to them
  size_t answers_ = 0;            // to what was asked, of this run
  size_t refused_before_ = 0;     // what was asked last
  bool in_sync_ = true, closing_ = false, unopened_ = false, in_batch_ = false;
  bool ends_line_ = true;  // what was said last
  bool gave_up_ = false;
  FixedCache<PartReading> parts_;           // by their bytes
  PartReading part_;                        // the last one that was not known
  const PartReading* part_read_ = nullptr;  // of the part part_of_
  size_t part_of_ = SIZE_MAX;
  std::string bytes_, body_, last_said_, last_asked_;
  std::string* reply_ = nullptr;  // during OnBytes
};

}  // namespace midwire::fuzz
