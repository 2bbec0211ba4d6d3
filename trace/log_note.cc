#include "trace/log_note.h"

#include <charconv>
#include <string_view>

namespace midwire::trace {
namespace {

constexpr std::string_view kFrom = "imported from ",
                           kLacks = ", which lacks: ", kBare = ", params or results of ",
                           kMessages = " messages";

}  // namespace

std::string LogNoteText(const LogNote& note) {
  std::string text = std::string(kFrom) + note.title + std::string(kLacks) + note.lacks;
  if (note.bare == 0) return text;
  return text + std::string(kBare) + std::to_string(note.bare) + std::string(kMessages);
}

std::optional<LogNote> ReadLogNote(const Event& event) {
  const auto* const note = std::get_if<NoteEvent>(&event);
  if (note == nullptr || !note->text.starts_with(kFrom)) return std::nullopt;
  const std::string_view text = note->text;
  const size_t lacks = text.find(kLacks);
  if (lacks == text.npos) return std::nullopt;
  LogNote read = {.title = std::string(text.substr(kFrom.size(), lacks - kFrom.size())),
                  .lacks = std::string(text.substr(lacks + kLacks.size()))};
  const size_t bare = read.lacks.rfind(kBare);
  if (bare == read.lacks.npos || !read.lacks.ends_with(kMessages)) return read;
  const char* const end = read.lacks.data() + read.lacks.size();
  std::from_chars(read.lacks.data() + bare + kBare.size(), end, read.bare);
  read.lacks.resize(bare);
  return read;
}

}  // namespace midwire::trace
