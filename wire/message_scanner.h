// Push scanner over one JSON text: finds where it ends and classifies it, in one pass, holding no
// bytes except the few tokens that a Message keeps. Called by the splitter for every frame, in any
// chunking. Does not allocate on the usual path, recurse or fail: what is not JSON-RPC becomes
// Kind::kInvalid. It does not validate: below params and result it only counts brackets and skips
// strings (IsJson validates).
//
// Feed does not use JsonCursor: a token may begin in one read and end in a later one, and a line
// ends at a raw newline even inside a token. It shares the cursor's classes of bytes and
// SkipNested. ReadWhole is for readers of traces, which need the tokens of each message anyway.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "wire/classify.h"
#include "wire/message.h"

namespace midwire::wire {

class MessageShapes;

class MessageScanner {
 public:
  // line: a raw newline ends the text wherever it is (line framing).
  void Start(bool line);

  // Consumes bytes up to and including the one that closes the top-level value, or up to (not
  // including) a raw newline in line mode. Returns how many were consumed.
  size_t Feed(std::string_view bytes);
  // In place of the first Feed: the same if an object that is loose JSON begins the text and ends
  // in `bytes`, which have no raw newline in line mode. Keeps views of `bytes` until Finish. Its
  // tokens are in shapes->latest(). 0: use Feed, from the start.
  size_t ReadWhole(std::string_view bytes, MessageShapes* shapes);

  // Nothing but blanks was consumed since Start.
  bool fresh() const { return place_ == Place::kStart; }
  bool done() const { return place_ == Place::kDone; }  // the top-level object or array has closed
  bool stopped() const { return stopped_; }             // line mode met a newline before that

  // Classifies the scanned text; call once, after the frame's end. Valid until the next Start.
  const Message& Finish();

 private:
  // Where the next byte is. "Member level" is the message object or its error object: names matter
  // only there; everything deeper is skipped.
  enum class Place : uint8_t {
    kStart,    // before the text
    kMember,   // before a name
    kName,     // in a name
    kColon,    // after a name
    kValue,    // before a value
    kText,     // in a string value that is kept
    kScalar,   // in a number, true, false, null
    kAfter,    // after a value
    kNested,   // inside a container that is skipped
    kSkipped,  // in a string value that is skipped
    kElement,  // in a batch, between elements
    kDone,
    kNotJson,  // the text began with neither { nor [
  };
  enum class Level : uint8_t { kBatch, kMessage, kError };
  struct MemberSink;

  const char* WholeMember(const char* at, const char* end);
  const char* Nested(const char* at, const char* end);
  bool AtMemberLevel(char c);
  bool InString(const char** at, const char* end);
  bool OpenValue(char c);
  void CloseObject();
  void Keep(std::string* token, const char* from, const char* to);
  bool KeepScalar(const char* from, const char* end);
  void EndName();
  void EndString();
  void EndScalar();
  bool Wanted() const { return field_ != Field::kNone; }
  void Note(Field field);
  void FinishElement();

  Place place_ = Place::kDone;
  Level level_ = Level::kMessage;
  bool line_ = false, stopped_ = false, batch_ = false;
  bool escape_ = false, escaped_ = false;  // after a backslash; a backslash was in this string
  bool malformed_ = false;
  size_t nested_ = 0;       // open containers below the member level
  bool in_string_ = false;  // in one of those
  Field field_ = Field::kNone;
  std::string name_;
  Members members_;
  Message message_;
  size_t elements_ = 0;
};

}  // namespace midwire::wire
