// The prober's answers to a peer's own requests.
#include <utility>

#include "fuzz/body.h"
#include "fuzz/prober.h"
#include "wire/json_parts.h"

namespace midwire::fuzz {
namespace {

using wire::Message;

// Answers that wait to be written; a peer that asks on and on without reading gets no more.
constexpr size_t kMaxReply = 1u << 20;

}  // namespace

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

}  // namespace midwire::fuzz
