// Puts together what is one JSON text, but came as several things that are not. It may be a message
// that is spread over several lines, or one whose length was too short: its body, and the rest. One
// direction. Called by Checker, so that one mistake is one violation. Pure.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trace/session.h"
#include "wire/message_scanner.h"

namespace midwire::check {

class Pieces {
 public:
  // A frame or junk, with its own copies of all that it refers to.
  struct Piece {
    trace::RecordedMessage recorded;
    trace::RecordedJunk junk;
    wire::Frame frame;
    wire::Message message;
    wire::Junk bytes;
    std::string text;
    bool is_frame = false;
  };
  enum class Taken : uint8_t {
    kNo,        // it is none, and what was taken before is not either: see Take
    kYes,       // it may be one; more is needed
    kComplete,  // the text is JSON: see text and Take
  };

  Taken Add(const trace::RecordedMessage& recorded);
  Taken Add(const trace::RecordedJunk& junk);
  bool empty() const { return pieces_.empty(); }
  // What was taken, in order; starts over.
  std::vector<std::unique_ptr<Piece>> Take();
  // Of kComplete: the whole text.
  const std::string& text() const { return text_; }

 private:
  Taken Add(std::unique_ptr<Piece> piece, std::string_view bytes);

  std::vector<std::unique_ptr<Piece>> pieces_;
  std::string text_;
  wire::MessageScanner scanner_;
};

}  // namespace midwire::check
