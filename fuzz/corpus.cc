#include "fuzz/corpus.h"

#include "wire/json/ascii.h"
#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

// Of a file's name: methods may be hostile, and file systems allow 255 bytes.
constexpr size_t kMaxNameSize = 120;

// Letters, digits, - and _ stay; other characters may have a meaning in a shell or a file system.
std::string Plain(std::string_view text) {
  std::string plain;
  for (const char c : text.substr(0, kMaxNameSize)) {
    const bool stays = wire::IsAlphanumeric(c) || c == '-' || c == '_';
    plain += stays ? c : '_';
  }
  return plain.empty() ? "nothing" : plain;
}

std::string KindOf(const wire::Message& message) {
  switch (message.kind) {
    case wire::Kind::kRequest:
    case wire::Kind::kNotification:
    case wire::Kind::kBatch:
      return std::string(Name(message.kind));
    case wire::Kind::kResponse:
      return "result";
    case wire::Kind::kError:
      return "error" + (message.error_code ? std::to_string(*message.error_code) : "");
    case wire::Kind::kInvalid:
      return "invalid";
  }
  return "invalid";
}

std::string_view PartyName(wire::Direction direction) {
  return direction == wire::Direction::kHostToPlugin ? "host" : "plugin";
}

}  // namespace

void Corpus::StartTrace(std::string_view name) { trace_ = Plain(name); }

void Corpus::OnMessage(const trace::RecordedMessage& sent) {
  ++messages_;
  const wire::Frame& frame = *sent.frame;
  if (sent.direction == role_) AppendToSession(frame.bytes, frame.whole());
  if (!frame.whole()) return;
  words_.AddMessage(sent.direction, *sent.message, wire::Trimmed(frame.body()));
  AddKind(sent);
}

// A batch is one message in the corpus.
void Corpus::OnElement(const trace::RecordedMessage&) {}

void Corpus::OnJunk(const trace::RecordedJunk& sent) {
  if (sent.direction == role_)
    AppendToSession(sent.junk->bytes, sent.junk->size == sent.junk->bytes.size());
}

void Corpus::AppendToSession(std::string_view bytes, bool whole) {
  cut_ = cut_ || !whole || session_.size() + bytes.size() > kMaxSeedSize;
  if (!cut_) session_ += bytes;
}

void Corpus::EndSession() {
  if (!session_.empty()) AddFile("seeds/", trace_, ".wire", session_);
  for (const auto& [name, bytes] : pending_) AddFile("seeds/", name, ".wire", bytes);
  pending_.clear();
  pending_size_ = 0;
  if (cut_) ++cut_sessions_;
  session_.clear();
  cut_ = false;
}

void Corpus::AddKind(const trace::RecordedMessage& sent) {
  const wire::Frame& frame = *sent.frame;
  if (frame.size > kMaxSeedSize) return;
  const std::string& method = sent.request ? sent.request->method : sent.message->method;
  const std::string kind = KindOf(*sent.message);
  const std::string_view party = PartyName(sent.direction);
  const std::string key = std::string(party) + " " + kind + " " + method;
  if (kinds_.contains(key)) return;
  if (kinds_.size() >= kMaxCorpusFiles) {
    kinds_left_out_ = true;
    return;
  }
  kinds_.insert(key);
  const std::string name = Plain(method) + "." + kind;
  AddFile("messages/", std::string(party) + "." + name, ".json", wire::Trimmed(frame.body()));
  // Added after the session's own seed, which may have the same content.
  if (sent.direction != role_) return;
  if (pending_size_ + frame.size > kMaxCorpusSize) {
    ++left_out_;
    return;
  }
  pending_.emplace_back(name, frame.bytes);
  pending_size_ += frame.size;
}

void Corpus::AddFile(std::string_view folder, std::string name, std::string_view ending,
                     std::string_view bytes) {
  Folder& of = folders_[std::string(folder)];
  if (of.files >= kMaxCorpusFiles || of.size + bytes.size() > kMaxCorpusSize) {
    ++left_out_;
    return;
  }
  if (!contents_.insert(std::string(folder) += bytes).second) return;
  std::string path = std::string(folder) + name + std::string(ending);
  for (size_t number = 2; files_.contains(path); ++number) {
    path = std::string(folder) + name + "-" + std::to_string(number) + std::string(ending);
  }
  ++of.files;
  of.size += bytes.size();
  files_.emplace(std::move(path), bytes);
}

}  // namespace midwire::fuzz
