// The oracle's answers to a peer's own requests.
#include <algorithm>
#include <utility>

#include "fuzz/oracle/body.h"
#include "fuzz/oracle/protocol_oracle.h"
#include "wire/json/parts.h"
#include "wire/json/value.h"

namespace midwire::fuzz {
namespace {

using wire::Message;

// Answers that wait to be written; a peer that asks on and on without reading gets no more.
constexpr size_t kMaxReply = 1u << 20;

}  // namespace

std::string ProtocolOracle::AnswerOpen() {
  // The damaged answer may have no end.
  std::string answers;
  if (!at_boundary() && seeds_->framing == wire::Framing::kContentLength) {
    answers = Complete();
  } else if (!at_boundary()) {
    answers = "\n";
    Sent(answers);
  }
  if (!at_boundary()) {
    open_.clear();
    open_before_ = 0;
    DropExpectations();
    return answers;
  }
  const size_t said = answers.size();
  open_before_ = 0;
  for (const auto& [id, method] : std::exchange(open_, {})) {
    answers += Framed(RecordedAnswer(id, method), seeds_->framing).bytes;
  }
  odd_ = true;  // it may have taken the damaged ones, and not like to get others
  replying_ = true;
  Sent(std::string_view(answers).substr(said));
  replying_ = false;
  return answers;
}

// As our side answered when the seeds were recorded; else with an empty result.
std::string ProtocolOracle::RecordedAnswer(const std::string& id, const std::string& method) const {
  const auto recorded = seeds_->answers.find(method);
  if (recorded != seeds_->answers.end()) return WithId(recorded->second, id);
  if ((seeds_->usual_flags & wire::kDap) == 0) {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":null})";
  }
  std::string answer = R"({"seq":0,"type":"response","request_seq":)" + id + R"(,"command":)";
  wire::AppendJsonString(method, &answer);
  return answer + R"(,"success":true})";
}

// Whether an answer of the input may be given to a request of this method: not where the recording
// tells that it answers another one.
bool ProtocolOracle::Fits(std::string_view answer, const std::string& method) const {
  const auto asked = seeds_->peer_ids.find(AnsweredId(answer));
  return asked == seeds_->peer_ids.end() || asked->second.empty() || asked->second.contains(method);
}

// By an array (JSON-RPC 2.0, clause 6), as they were recorded.
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
    return DropExpectations();  // it would be read as the rest of what was cut off
  const Part part = Framed(answers + "]", seeds_->framing);
  replying_ = true;
  Sent(part.bytes);
  replying_ = false;
  *reply_ += part.bytes;
}

// With the next answer of the input, mutated as it is; where the peer leads, it may ask in another
// order than it did in the recording, and has the next one that fits. Else as it was recorded.
void ProtocolOracle::Answer(const Message& request) {
  if (reply_ == nullptr || input_ == nullptr) return;
  if (reply_->size() > kMaxReply) return GiveUpOnPeer();
  const auto reply = [&](const Part& part) {
    replying_ = true;
    Sent(part.bytes);
    replying_ = false;
    *reply_ += part.bytes;
  };
  const auto& parts = input_->parts;
  size_t chosen = reactive_ ? 0 : next_;
  for (; chosen < parts.size(); ++chosen) {
    if (used_[chosen]) continue;
    const std::string_view body = wire::Trimmed(parts[chosen].body());
    if (IsAnswer(parts[chosen])) {
      if (!reactive_ || Fits(body, request.method)) break;
    } else if (!reactive_ && !parts[chosen].junk() && wire::IsLooseJson(body) &&
               !Member(body, "\"method\"").empty()) {
      chosen = parts.size();  // requests between are said in their turn
    }
  }
  // Where the peer leads, what stood before the answer goes before it.
  while (reactive_ && next_ < parts.size() && next_ < chosen) {
    if (IsAnswer(parts[next_]) && chosen == parts.size()) break;
    if (!IsAnswer(parts[next_]) && !used_[next_]) {
      used_[next_] = true;
      reply(parts[next_]);
    }
    ++next_;
  }
  if (chosen >= parts.size()) {
    return reply(Framed(RecordedAnswer(request.id.token, request.method), seeds_->framing));
  }
  used_[chosen] = true;
  if (reactive_) next_ = std::max(next_, chosen + 1);
  Part live = parts[chosen];
  const std::string_view body = wire::Trimmed(live.body());
  if (!seeds_->peer_ids.contains(AnsweredId(body))) return reply(live);
  live.SetBody(WithId(body, request.id.token));
  reply(live);
}

}  // namespace midwire::fuzz
