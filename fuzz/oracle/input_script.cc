#include "fuzz/oracle/input_script.h"

#include <algorithm>
#include <utility>

#include "fuzz/oracle/body.h"
#include "wire/contains.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"
#include "wire/json/writer.h"

namespace midwire::fuzz {
namespace {

// Fewer bytes are in many inputs by chance, unless they start or end a line of it. What a peer does
// not take for a message may be the rest of a line.
constexpr size_t kLeastEcho = 8;

}  // namespace

void InputScript::OnRun(const Input* input) {
  input_ = input;
  taken_.assign(input != nullptr ? input->parts.size() : 0, false);
  next_ = 0;
  known_part_ = SIZE_MAX;
}

const InputScript::PartInfo& InputScript::Inspect(size_t index) {
  if (known_part_ == index) return *known_;
  known_part_ = index;
  const Part& part = input_->parts[index];
  const PartInfo* known = part.junk() ? nullptr : infos_.Find(part.bytes);
  if (known != nullptr && known->head == part.head) return *(known_ = known);
  info_ = {.head = part.head};
  known_ = &info_;
  if (part.junk()) return info_;
  const std::string_view body = part.body();
  seeds_->live.FindUses(body, &info_.uses);
  info_.answers = wire::Contains(body, "\"result\"") || wire::Contains(body, "\"error\"");
  infos_.Keep(part.bytes, info_);
  return info_;
}

bool InputScript::Depends(size_t index) {
  if (taken_[index] || input_->parts[index].junk()) return false;
  const PartInfo& info = Inspect(index);
  return info.answers || !seeds_->live.AreMade(info.uses);
}

std::string_view InputScript::Take(size_t index) {
  next_ = index + 1;
  if (taken_[index]) return "";
  taken_[index] = true;
  const Part& part = input_->parts[index];
  if (!seeds_->live.any()) return part.bytes;
  const auto& uses = Inspect(index).uses;
  if (uses.empty() || !seeds_->live.Apply(part.body(), uses, &body_)) return part.bytes;
  Part live = part;
  live.SetBody(body_);
  bytes_ = std::move(live.bytes);
  return bytes_;
}

bool InputScript::at_answer() const { return IsAnswer(input_->parts[next_]); }

bool InputScript::HasSent(std::string_view text) const {
  text = wire::Trimmed(text);
  if (input_ == nullptr || text.empty()) return false;
  for (size_t i = 0; i < input_->parts.size(); ++i) {
    if (!taken_[i]) continue;
    const std::string_view bytes = input_->parts[i].bytes;
    for (size_t at = bytes.find(text); at != bytes.npos; at = bytes.find(text, at + 1)) {
      const size_t end = at + text.size();
      const bool starts = at == 0 || bytes[at - 1] == '\n';
      const bool ends = end == bytes.size() || bytes[end] == '\n' || bytes[end] == '\r';
      if (starts || ends || text.size() >= kLeastEcho) return true;
    }
  }
  return false;
}

std::string InputScript::RecordedAnswer(const std::string& id, const std::string& method) const {
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
bool InputScript::MayAnswer(std::string_view answer, const std::string& method) const {
  const auto recorded = seeds_->peer_ids.find(AnsweredId(answer));
  return recorded == seeds_->peer_ids.end() || recorded->second.empty() ||
         recorded->second.contains(method);
}

// The index of the next answer in the input; the number of parts: the recorded one is sent.
size_t InputScript::AnswerTo(const std::string& method) const {
  const auto& parts = input_->parts;
  for (size_t i = reactive_ ? 0 : next_; i < parts.size(); ++i) {
    if (taken_[i]) continue;
    const std::string_view body = wire::Trimmed(parts[i].body());
    if (IsAnswer(parts[i])) {
      if (!reactive_ || MayAnswer(body, method)) return i;
    } else if (!reactive_ && !parts[i].junk() && wire::IsLooseJson(body) &&
               !Member(body, "\"method\"").empty()) {
      break;  // a request comes first; the runner sends it
    }
  }
  return parts.size();
}

std::vector<std::string> InputScript::Replies(const std::string& id, const std::string& method) {
  std::vector<std::string> replies;
  const auto& parts = input_->parts;
  const size_t chosen = AnswerTo(method);
  while (reactive_ && next_ < chosen) {
    if (IsAnswer(parts[next_]) && chosen == parts.size()) break;
    if (!IsAnswer(parts[next_]) && !taken_[next_]) {
      taken_[next_] = true;
      replies.push_back(parts[next_].bytes);
    }
    ++next_;
  }
  if (chosen == parts.size()) {
    replies.push_back(Framed(RecordedAnswer(id, method), seeds_->framing).bytes);
    return replies;
  }
  taken_[chosen] = true;
  if (reactive_) next_ = std::max(next_, chosen + 1);
  Part live = parts[chosen];
  const std::string_view body = wire::Trimmed(live.body());
  if (seeds_->peer_ids.contains(AnsweredId(body))) live.SetBody(WithId(body, id));
  replies.push_back(std::move(live.bytes));
  return replies;
}

}  // namespace midwire::fuzz
