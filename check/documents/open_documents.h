// The documents that one party has opened and keeps the other informed about. Fed by the rule type
// "positions"; knows their texts, and whether the other party may mean an older one. Bounded: what
// is too large, or too much work, is not followed, and nothing is known of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "check/documents/text_document.h"
#include "wire/exchange.h"

namespace midwire::check {

// A longer text is not followed. Editors turn language servers off at a few MiB of source text.
inline constexpr size_t kMaxDocument = 4u << 20;
// All texts together: more than a hundred large source files.
inline constexpr size_t kMaxDocuments = 32u << 20;
// Documents whose names are kept, also after they were closed.
inline constexpr size_t kMaxNames = 4096;

// These limits, for people.
inline constexpr std::string_view kLongDocument = "at most 4 MiB of text in a document";
inline constexpr std::string_view kLongDocuments = "at most 32 MiB of text in all open documents";
inline constexpr std::string_view kManyNames = "at most 4096 documents in a session";
inline constexpr std::string_view kLongUri = "a URI of at most 8192 bytes";
inline constexpr std::string_view kMuchWork =
    "edits and nested objects whose work is in proportion to their length";

struct OpenDocument {
  std::optional<TextDocument> text;                        // none: closed, or not followed
  std::string version;                                     // JSON as spelled; "": not known
  wire::Direction owner = wire::Direction::kHostToPlugin;  // what the party that opened it sends
  // It had another text before, so that the other party may still speak of that.
  bool changed = false;
};

class OpenDocuments {
 public:
  void Open(const std::string& uri, std::string text, std::string version, wire::Direction owner);
  // A change was sent. nullptr: it is not followed.
  OpenDocument* Changing(const std::string& uri, std::string version);
  void Replace(OpenDocument* document, size_t from, size_t to, std::string_view text);
  // The whole text.
  void Replace(OpenDocument* document, std::string text);
  void Close(const std::string& uri);
  void Clear() { *this = OpenDocuments(); }

  // A document is not followed, or not any more, because of one of the limits above.
  void Exceed(std::string_view limit);
  // The first one that was exceeded; "": none.
  std::string_view exceeded() const { return exceeded_; }

  // Its text is not known any more.
  void Forget(OpenDocument* document);
  // nullptr: its text is not known.
  OpenDocument* Find(const std::string& uri);
  bool empty() const { return size_ == 0; }
  // Another one after each Open, change and Close.
  uint64_t state() const { return state_; }

  // A message of so many bytes has come: it may cause work in proportion.
  void Allow(size_t bytes);
  // So many bytes of a text were read. False: that was too much work.
  bool Spend(size_t bytes);

 private:
  // Whether a text of this size is followed, beside others of that size.
  bool HasRoomFor(size_t size, size_t others);

  std::map<std::string, OpenDocument> documents_;  // by plain URI
  size_t size_ = 0;                                // of all texts
  uint64_t state_ = 0;
  int64_t allowed_ = 0;
  std::string_view exceeded_;
};

}  // namespace midwire::check
