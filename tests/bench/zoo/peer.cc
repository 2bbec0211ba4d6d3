#include "peer.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "wire/json/parts.h"

namespace zoo {
namespace {

// More than any sane message of this protocol has.
constexpr size_t kMaxBody = 4u << 20, kMaxHeader = 8192;
constexpr size_t kMaxLater = 256, kMaxHandles = 256, kMaxName = 4096;
constexpr size_t kLabel = 24;  // bytes of a text that a label shows

// Bytes of UTF-8 text that are not more than so many, and end with a letter's end.
size_t WholeLetters(const std::string& text, size_t most) {
  if (text.size() <= most) return text.size();
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return most;
}

using Type = Json::Type;

bool SameLetters(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return tolower(static_cast<unsigned char>(x)) == tolower(static_cast<unsigned char>(y));
         });
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && strchr(" \t\r\n", text.front()) != nullptr) text.remove_prefix(1);
  while (!text.empty() && strchr(" \t\r\n", text.back()) != nullptr) text.remove_suffix(1);
  return text;
}

const Json* Text(const Json* params, std::string_view name) {
  const Json* value = params != nullptr ? params->Find(name) : nullptr;
  return value != nullptr && value->is(Type::kString) ? value : nullptr;
}

// Bytes that so many characters take; more than there are when some are still to come.
size_t BytesOf(std::string_view text, size_t characters) {
  size_t i = 0;
  for (; characters > 0 && i < text.size(); --characters) {
    do ++i;
    while (i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80);
  }
  return i + characters;
}

}  // namespace

void Peer::Feed(std::string_view bytes) {
  if (lost_) return;
  in_ += bytes;
  while (!ended_ && (lines_ ? TakeLine() : TakeFrame())) {
  }
}

bool Peer::TakeLine() {
  const size_t end = in_.find('\n');
  if (end == in_.npos) {
    if (in_.size() <= kMaxBody) return false;
    in_.clear();
    skipping_ = true;
    return false;
  }
  const std::string line = in_.substr(0, end);
  in_.erase(0, end + 1);
  if (std::exchange(skipping_, false)) {
    Say(Error(-32600, "the line is too long", "null"));
  } else if (!Trimmed(line).empty()) {
    Body(Trimmed(line));
  }
  return !lost_;
}

bool Peer::TakeFrame() {
  const size_t end = in_.find("\r\n\r\n");
  if (end == in_.npos) {
    if (in_.size() > kMaxHeader) in_.erase(0, in_.size() - 3);
    return false;
  }
  const std::string header = in_.substr(0, end + 2);
  size_t length = kMaxBody + 1;
  for (size_t at = 0; at < header.size();) {
    const size_t stop = header.find("\r\n", at);
    const std::string_view field = std::string_view(header).substr(at, stop - at);
    at = stop + 2;
    const size_t colon = field.find(':');
    if (has(Bug::kExtraHeader) && !field.starts_with("Content-Length:")) {
      lost_ = true;
      return false;
    }
    const std::string value(Trimmed(field.substr(std::min(colon + 1, field.size()))));
    if (has(Bug::kLongHeader)) {
      char copy[64];
      strcpy(copy, std::string(field).c_str());
      if (copy[0] == '\n') return false;
    }
    if (colon == field.npos || !SameLetters(field.substr(0, colon), "content-length")) continue;
    if (has(Bug::kLengthThrows)) {
      length = static_cast<size_t>(std::stoi(value));
    } else if (has(Bug::kNegativeLength)) {
      length = static_cast<size_t>(atoi(value.c_str()));
      if (length > kMaxBody && atoi(value.c_str()) < 0) {
        std::string body;
        body.resize(length);
      }
    } else {
      const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), length);
      if (error != std::errc() || rest != value.data() + value.size()) length = kMaxBody + 1;
    }
    if (has(Bug::kClaimedLength) && length < 8'000'000'000) {
      static std::string body;
      body.reserve(length);
    }
  }
  if (length > kMaxBody) {
    // The end of the body is unknown: search for the next header.
    Say(Error(-32700, "no length that can be used", "null"));
    in_.erase(0, end + 4);
    constexpr std::string_view kName = "Content-Length:";
    const size_t next = in_.find(kName);
    in_.erase(0, std::min(next, in_.size() - std::min(in_.size(), kName.size() - 1)));
    return true;
  }
  if (has(Bug::kCharsForBytes)) {
    length = BytesOf(std::string_view(in_).substr(end + 4), length);
  }
  if (in_.size() < end + 4 + length) return false;
  const std::string body = in_.substr(end + 4, length);
  in_.erase(0, end + 4 + length);
  Body(body);
  return !lost_;
}

void Peer::Say(std::string_view body) {
  if (lines_) return write_(std::string(body) + '\n');
  write_("Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
}

std::string Peer::Error(int code, std::string_view text, const std::string& id) const {
  return R"({"jsonrpc":"2.0","id":)" + (id.empty() ? "null" : id) + R"(,"error":{"code":)" +
         std::to_string(code) + R"(,"message":)" + Quoted(text) + "}}";
}

// A notification has no id, and gets none.
std::string Peer::Result(std::string_view result, const std::string& id) const {
  return id.empty()
             ? ""
             : R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + std::string(result) + "}";
}

void Peer::Body(std::string_view body) {
  const auto json = ParseJson(body, {.max_depth = has(Bug::kDeepNesting) ? 0 : 100u,
                                     .lone_surrogate = has(Bug::kLoneSurrogate)});
  if (!json) {
    if (has(Bug::kNoResync)) lost_ = true;
    return Say(Error(-32700, "this is no JSON", "null"));
  }
  if (has(Bug::kDeepHang) && json->Depth() > 24) {
    for (volatile bool busy = true; busy;) {
    }
  }
  if (!json->is(Type::kArray)) {
    const std::string answer = One(*json);
    if (!answer.empty()) Say(answer);
    return;
  }
  if (json->items.empty() && !has(Bug::kEmptyBatch))
    return Say(Error(-32600, "an empty batch", "null"));
  if (json->items.empty() && json->items.data()->Find("id") == nullptr) return;
  std::string answers;
  for (const Json& element : json->items) {
    if (has(Bug::kNullElement) && element.is(Type::kNull) && json->items.size() > 1) abort();
    const std::string answer = One(element);
    if (!answer.empty()) answers += (answers.empty() ? "[" : ",") + answer;
    if (ended_) break;
  }
  if (!answers.empty()) Say(answers + "]");
}

std::string Peer::One(const Json& message) {
  if (!message.is(Type::kObject)) return Error(-32600, "no message", "null");
  if (has(Bug::kDuplicateKeys)) {
    const auto methods = std::count_if(message.members.begin(), message.members.end(),
                                       [](const auto& m) { return m.first == "method"; });
    if (methods > 1) abort();
  }
  const Json* id = message.Find("id");
  const Json* method = message.Find("method");
  const bool usable =
      id == nullptr || id->is(Type::kNumber) || id->is(Type::kString) || id->is(Type::kNull);
  if (method == nullptr &&
      (message.Find("result") != nullptr || message.Find("error") != nullptr)) {
    const auto asked = asked_.find(id != nullptr ? Write(*id) : "");
    if (asked == asked_.end()) return "";
    const std::string waiting = asked->second;
    asked_.erase(asked);
    const Json* result = message.Find("result");
    const Json* answer = Text(result, "answer");
    if (has(Bug::kHostAnswer) && (result == nullptr || !result->is(Type::kObject))) abort();
    return Result(R"({"answer":)" + Quoted(answer != nullptr ? answer->text : "none") + "}",
                  waiting);
  }
  std::string token = id != nullptr && usable ? Write(*id) : "";
  if (method == nullptr || !method->is(Type::kString) || !usable) {
    return Error(-32600, "no request", token);
  }
  if (has(Bug::kTruncatedId) && id != nullptr && id->is(Type::kNumber)) {
    token = std::to_string(static_cast<int>(strtoll(id->text.c_str(), nullptr, 10)));
  }
  if (has(Bug::kNumberId) && id != nullptr && id->is(Type::kString) && !id->text.empty() &&
      id->text.size() < 9 && id->text[0] != '0' &&
      id->text.find_first_not_of("0123456789") == std::string::npos) {
    token = id->text;
  }
  const Json* params = message.Find("params");
  if (params != nullptr && !params->is(Type::kObject) && !has(Bug::kNoParams)) {
    if (params->is(Type::kArray) && params->items.empty()) params = nullptr;
    if (params != nullptr && !params->is(Type::kNull)) {
      return token.empty() ? ""
                           : Error(-32602, "params are an object", has(Bug::kNullId) ? "" : token);
    }
  }
  const std::string answer = Call(method->text, params, token);
  return token.empty() && !has(Bug::kAnswersNotification) ? "" : answer;
}

std::string Peer::Call(const std::string& method, const Json* params, const std::string& id) {
  if (method == "initialize") {
    if (initialized_ && has(Bug::kTwice)) abort();
    if (initialized_) return Error(-32600, "initialized already", id);
    initialized_ = true;
    return Result(R"({"name":"zoo","version":1,"levels":["error","info","debug"]})", id);
  }
  if (method == "exit") {
    ended_ = true;
    return "";
  }
  if (!initialized_) {
    return Error(-32002, "not initialized", id);
  }
  if (shut_) {
    if (has(Bug::kAfterShutdown) && method == "echo") abort();
    return Error(-32600, "shut down already", id);
  }
  if (method == "initialized") return id.empty() ? "" : Error(-32600, "a notification", id);
  if (method == "shutdown") {
    if (id.empty()) return "";
    shut_ = true;
    return Result("null", id);
  }
  if (debug_ && has(Bug::kDebugPollution)) write_("debug: " + method + "\n");
  if (has(Bug::kAnswersNotification) && id.empty() && method != "echo") return "";
  if (method == "echo") {
    if (has(Bug::kLeak)) {
      char* volatile leaked = static_cast<char*>(malloc(1u << 20));
      memset(leaked, 1, 1u << 20);
    }
    const Json* value = params != nullptr ? params->Find("value") : nullptr;
    std::string label = "value";
    if (value != nullptr && value->is(Type::kString)) label = value->text;
    if (label.size() > kLabel) {
      label.resize(has(Bug::kCutUtf8) ? kLabel : WholeLetters(label, kLabel));
    }
    if (has(Bug::kAnswersNotification) && id.empty()) {
      return R"({"jsonrpc":"2.0","id":null,"result":null})";
    }
    return Result(R"({"value":)" + (value != nullptr ? Write(*value) : "null") + R"(,"label":)" +
                      Quoted(label) + "}",
                  id);
  }
  if (method == "add") {
    const Json* a = params != nullptr ? params->Find("a") : nullptr;
    const Json* b = params != nullptr ? params->Find("b") : nullptr;
    if (a == nullptr || b == nullptr || !a->is(Type::kNumber) || !b->is(Type::kNumber)) {
      return Error(-32602, "two numbers", id);
    }
    const double sum = strtod(a->text.c_str(), nullptr) + strtod(b->text.c_str(), nullptr);
    const bool fits = sum > -1e15 && sum < 1e15;
    const long long whole = fits ? static_cast<long long>(sum) : 0;
    if (has(Bug::kCompare) && static_cast<unsigned>(whole) == 0x5EED1234u) abort();
    const std::string error = R"("error":{"code":-32000,"message":"too large"})";
    if (!fits) {
      if (id.empty()) return "";
      return R"({"jsonrpc":"2.0","id":)" + id + (has(Bug::kBoth) ? R"(,"result":0,)" : ",") +
             error + "}";
    }
    return Result(R"({"sum":)" + std::to_string(whole) + "}", id);
  }
  if (method == "open") {
    const Json* name = Text(params, "name");
    if (name == nullptr) return Error(-32602, "a name", id);
    const std::string& n = name->text;
    if (has(Bug::kMagic) && n.size() >= 4) {
      if (n[0] == 'Z' && n[1] == '0' && n[2] == 'o' && n[3] == '!') abort();
    }
    if (open_.size() >= kMaxHandles) return Error(-32000, "too many are open", id);
    const std::string handle = "h-" + std::to_string(1000 + 7 * ++handles_);
    buffers_.push_back(std::make_unique<Buffer>(n.substr(0, WholeLetters(n, kMaxName))));
    open_[handle] = buffers_.back().get();
    return Result(R"({"handle":)" + Quoted(handle) + "}", id);
  }
  if (method == "read") return Read(params, id);
  if (method == "close") return Close(params, id);
  if (method == "later") {
    if (id.empty()) return "";
    const Json* text = Text(params, "text");
    if (later_.size() >= kMaxLater) return Error(-32000, "too much waits", id);
    const auto same = [&](const auto& other) { return other.first == id; };
    if (has(Bug::kDuplicateId) && std::any_of(later_.begin(), later_.end(), same)) abort();
    later_.emplace_back(id, text != nullptr ? text->text : "");
    return "";
  }
  if (method == "$/cancel") return Cancel(params, id);
  if (method == "confirm") {
    if (id.empty()) return "";
    if (asked_.size() >= kMaxLater) return Error(-32000, "too much waits", id);
    const Json* question = Text(params, "question");
    const std::string token = "\"p-" + std::to_string(++asks_) + '"';
    asked_[token] = id;
    Say(R"({"jsonrpc":"2.0","id":)" + token + R"(,"method":"host/ask","params":{"question":)" +
        Quoted(question != nullptr ? question->text : "sure?") + "}}");
    return "";
  }
  if (method == "log/setLevel") {
    const Json* level = Text(params, "level");
    if (level == nullptr ||
        (level->text != "error" && level->text != "info" && level->text != "debug")) {
      return Error(-32602, "a level", id);
    }
    debug_ = level->text == "debug";
    return Result("null", id);
  }
  if (method == "step") return Climb(params, id);
  if (method == "paint") return Paint(params, id);
  return Error(-32601, "no such method", id);
}

std::string Peer::Cancel(const Json* params, const std::string& own) {
  const Json* which = params != nullptr ? params->Find("id") : nullptr;
  const std::string id = which != nullptr ? Write(*which) : "";
  const auto found = std::find_if(later_.begin(), later_.end(),
                                  [&](const auto& waiting) { return waiting.first == id; });
  if (found == later_.end()) {
    if (has(Bug::kCancel)) abort();
    return Result("null", own);
  }
  Say(Error(-32800, "cancelled", id));
  if (!has(Bug::kAnswersTwice)) later_.erase(found);
  return Result("null", own);
}

std::string Peer::Read(const Json* params, const std::string& id) {
  const Json* handle =
      has(Bug::kNoParams) ? &params->members.front().second : Text(params, "handle");
  if (has(Bug::kNoneOpen) && open_.empty()) abort();
  const auto open = handle != nullptr ? open_.find(handle->text) : open_.end();
  if (open == open_.end()) return Error(-32001, "no such handle", id);
  return Result(R"({"text":)" + Quoted(*open->second->text) + "}", id);
}

std::string Peer::Close(const Json* params, const std::string& id) {
  const Json* handle = Text(params, "handle");
  const auto open = handle != nullptr ? open_.find(handle->text) : open_.end();
  if (open == open_.end()) return Error(-32001, "no such handle", id);
  Buffer* buffer = open->second;
  if (!has(Bug::kUseAfterFree)) open_.erase(open);
  std::erase_if(buffers_, [&](const auto& owned) { return owned.get() == buffer; });
  return Result("null", id);
}

// Each step is of another kind, and the last triggers the bug. The answer shows how far it got.
std::string Peer::Climb(const Json* params, const std::string& id) {
  static constexpr std::string_view kSteps[] = {"wake", "lift", "turn", "drop"};
  const Json* key = Text(params, "key");
  if (key == nullptr) return Error(-32602, "a key", id);
  step_ = key->text == kSteps[step_] ? step_ + 1 : 0;
  if (step_ == 4) {
    if (has(Bug::kLadder4)) abort();
    step_ = 0;
  }
  return step_ == 0 ? Error(-32010, "not this one", id)
                    : Result("{\"at\":" + Quoted(key->text) + "}", id);
}

std::string Peer::Paint(const Json* params, const std::string& id) {
  static constexpr std::string_view kColors[] = {"red",  "green", "blue",  "red",
                                                 "blue", "blue",  "green", "red"};
  const Json* color = Text(params, "color");
  if (color == nullptr) return Error(-32602, "a color", id);
  painted_ = color->text == kColors[painted_] ? painted_ + 1 : 0;
  if (painted_ == 8) {
    if (has(Bug::kLadder8)) abort();
    painted_ = 0;
  }
  return painted_ == 0 ? Error(-32010, "start again", id)
                       : Result(R"({"layer)" + std::to_string(painted_) + R"(":true})", id);
}

void Peer::Idle() {
  const auto later = std::exchange(later_, {});
  for (const auto& [id, text] : later) Say(Result(R"({"text":)" + Quoted(text) + "}", id));
}

}  // namespace zoo
