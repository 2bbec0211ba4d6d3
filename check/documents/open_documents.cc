#include "check/documents/open_documents.h"

#include <utility>

namespace midwire::check {
namespace {

// Bytes of a document that may be read or moved for one byte of a message. An edit of 200 bytes may
// then move 200 KiB, so that a session of real edits is followed. A hostile one, which edits 4 MiB
// with each message, is given up instead of taking hours.
constexpr int64_t kWorkPerByte = 1024;
// What a message of some MiB allows is not saved up.
constexpr int64_t kMaxAllowed = int64_t{1} << 30;

}  // namespace

void OpenDocuments::Allow(size_t bytes) {
  allowed_ += static_cast<int64_t>(bytes) * kWorkPerByte;
  if (allowed_ > kMaxAllowed) allowed_ = kMaxAllowed;
}

bool OpenDocuments::Spend(size_t bytes) {
  const auto work = static_cast<int64_t>(bytes);
  if (work > allowed_) {
    Exceed(kMuchWork);
    return false;
  }
  allowed_ -= work;
  return true;
}

void OpenDocuments::Exceed(std::string_view limit) {
  if (exceeded_.empty()) exceeded_ = limit;
}

bool OpenDocuments::HasRoomFor(size_t size, size_t others) {
  if (size > kMaxDocument) Exceed(kLongDocument);
  if (others + size > kMaxDocuments) Exceed(kLongDocuments);
  return size <= kMaxDocument && others + size <= kMaxDocuments;
}

void OpenDocuments::Forget(OpenDocument* document) {
  if (document->text) size_ -= document->text->text().size();
  document->text.reset();
}

void OpenDocuments::Open(const std::string& uri, std::string text, std::string version,
                         wire::Direction owner) {
  ++state_;
  const auto known = documents_.find(uri);
  if (known == documents_.end() && documents_.size() >= kMaxNames) return Exceed(kManyNames);
  OpenDocument* const document = known != documents_.end() ? &known->second : &documents_[uri];
  document->changed = known != documents_.end();
  document->version = std::move(version);
  document->owner = owner;
  Replace(document, std::move(text));
}

OpenDocument* OpenDocuments::Changing(const std::string& uri, std::string version) {
  ++state_;
  const auto known = documents_.find(uri);
  if (known == documents_.end()) return nullptr;
  known->second.version = std::move(version);
  known->second.changed = true;
  return &known->second;
}

void OpenDocuments::Replace(OpenDocument* document, size_t from, size_t to, std::string_view text) {
  const size_t before = document->text->text().size();
  const size_t after = before - (to - from) + text.size();
  // What follows the change is moved, and as many starts of lines at most.
  if (!HasRoomFor(after, size_ - before) || !Spend(before - from + text.size())) {
    return Forget(document);
  }
  size_ += after - before;
  document->text->Replace(from, to, text);
}

void OpenDocuments::Replace(OpenDocument* document, std::string text) {
  Forget(document);
  if (!HasRoomFor(text.size(), size_)) return;
  size_ += text.size();
  document->text.emplace(std::move(text));
}

void OpenDocuments::Close(const std::string& uri) {
  ++state_;
  if (const auto known = documents_.find(uri); known != documents_.end()) Forget(&known->second);
}

OpenDocument* OpenDocuments::Find(const std::string& uri) {
  const auto known = documents_.find(uri);
  return known != documents_.end() && known->second.text ? &known->second : nullptr;
}

}  // namespace midwire::check
