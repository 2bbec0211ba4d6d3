// The part of the oracle that answers the peer's own requests.
#include <algorithm>
#include <utility>

#include "fuzz/oracle/body.h"
#include "fuzz/oracle/protocol_oracle.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"
#include "wire/json/writer.h"

namespace midwire::fuzz {
namespace {

using wire::Message;

// Maximum size of the answers that wait to be written. A peer that sends requests without reading
// gets no more.
constexpr size_t kMaxReply = 1u << 20;

}  // namespace

std::string ProtocolOracle::AnswerPeerRequests() {
  // Completes a damaged answer that has no end.
  std::string answers;
  if (!at_boundary() && seeds_->framing == wire::Framing::kContentLength) {
    answers = CompleteBody();
  } else if (!at_boundary()) {
    answers = "\n";
    OnSent(answers);
  }
  if (!at_boundary()) {
    peer_requests_.Take();
    DropExpectations();
    return answers;
  }
  const size_t already_sent = answers.size();
  for (const auto& [id, method] : peer_requests_.Take()) {
    answers += Framed(RecordedAnswer(id, method), seeds_->framing).bytes;
  }
  run_.any_answer =
      true;  // the peer may have accepted the damaged ones, and may refuse second ones
  OnSent(std::string_view(answers).substr(already_sent), Sent::kReply);
  return answers;
}

// The recorded answer to the method with another id, or else one with an empty result.
std::string ProtocolOracle::RecordedAnswer(const std::string& id, const std::string& method) const {
  const auto recorded = seeds_->answers.find(method);
  if (recorded != seeds_->answers.end()) return WithId(recorded->second, id);
  std::string answer;
  wire::JsonWriter json(&answer);
  json.Open('{');
  if ((seeds_->usual_flags & wire::kDap) == 0) {
    json.Key("jsonrpc").Text("2.0");
    json.Key("id").Raw(id);
    json.Key("result").Raw("null");
  } else {
    json.Key("seq").Number(0);
    json.Key("type").Text("response");
    json.Key("request_seq").Raw(id);
    json.Key("command").Text(method);
    json.Key("success").Bool(true);
  }
  json.Close('}');
  return answer;
}

// Whether an answer in the input may answer a request of this method. False: in the recording it
// answers another method.
bool ProtocolOracle::MayAnswer(std::string_view answer, const std::string& method) const {
  const auto recorded = seeds_->peer_ids.find(AnsweredId(answer));
  return recorded == seeds_->peer_ids.end() || recorded->second.empty() ||
         recorded->second.contains(method);
}

// Answers with an array (JSON-RPC 2.0, clause 6) of recorded answers.
void ProtocolOracle::AnswerBatch(const std::vector<Message>& batch) {
  if (reply_ == nullptr) return;
  std::string answers;
  for (const Message& request : batch) {
    if (request.kind != wire::Kind::kRequest) continue;
    if (answers.size() > kMaxReply) return GiveUpOnPeer();
    answers += answers.empty() ? '[' : ',';
    answers += RecordedAnswer(request.id.token, request.method);
  }
  if (answers.empty()) return;
  if (reply_->size() > kMaxReply) return GiveUpOnPeer();
  if (!at_boundary())
    return DropExpectations();  // it would be read as the rest of an unfinished message
  const Part part = Framed(answers + "]", seeds_->framing);
  OnSent(part.bytes, Sent::kReply);
  *reply_ += part.bytes;
}

// Answers with the next answer in the input, mutated or not. In reactive mode the peer may send its
// requests in another order than in the recording, and gets the next answer to that method. If the
// input has no more answers, the recorded one is sent.
void ProtocolOracle::Answer(const Message& request) {
  if (reply_ == nullptr || input_ == nullptr) return;
  if (reply_->size() > kMaxReply) return GiveUpOnPeer();
  const auto reply = [&](const Part& part) {
    OnSent(part.bytes, Sent::kReply);
    *reply_ += part.bytes;
  };
  const auto& parts = input_->parts;
  size_t chosen = reactive_ ? 0 : next_;
  for (; chosen < parts.size(); ++chosen) {
    if (sent_parts_[chosen]) continue;
    const std::string_view body = wire::Trimmed(parts[chosen].body());
    if (IsAnswer(parts[chosen])) {
      if (!reactive_ || MayAnswer(body, request.method)) break;
    } else if (!reactive_ && !parts[chosen].junk() && wire::IsLooseJson(body) &&
               !Member(body, "\"method\"").empty()) {
      chosen = parts.size();  // a request comes first; the runner sends it
    }
  }
  // In reactive mode, the parts before the answer are sent before it.
  while (reactive_ && next_ < parts.size() && next_ < chosen) {
    if (IsAnswer(parts[next_]) && chosen == parts.size()) break;
    if (!IsAnswer(parts[next_]) && !sent_parts_[next_]) {
      sent_parts_[next_] = true;
      reply(parts[next_]);
    }
    ++next_;
  }
  if (chosen >= parts.size()) {
    return reply(Framed(RecordedAnswer(request.id.token, request.method), seeds_->framing));
  }
  sent_parts_[chosen] = true;
  if (reactive_) next_ = std::max(next_, chosen + 1);
  Part live = parts[chosen];
  const std::string_view body = wire::Trimmed(live.body());
  if (!seeds_->peer_ids.contains(AnsweredId(body))) return reply(live);
  live.SetBody(WithId(body, request.id.token));
  reply(live);
}

}  // namespace midwire::fuzz
