// The note of a trace that was made from a log.
#include "trace/log_note.h"

#include <gtest/gtest.h>

namespace midwire::trace {
namespace {

TEST(LogNote, IsReadAsItWasWritten) {
  const std::string text = LogNoteText({"lsp.log of Neovim", "headers, stderr", 3});
  EXPECT_EQ(text,
            "imported from lsp.log of Neovim, which lacks: headers, stderr, params or results of 3 "
            "messages");
  const auto note = ReadLogNote(NoteEvent{text});
  ASSERT_TRUE(note);
  EXPECT_EQ(note->title, "lsp.log of Neovim");
  EXPECT_EQ(note->lacks, "headers, stderr");
  EXPECT_EQ(note->bare, 3u);
}

TEST(LogNote, OfALogWithAllParams) {
  const auto note = ReadLogNote(NoteEvent{LogNoteText({"a log", "times", 0})});
  ASSERT_TRUE(note);
  EXPECT_EQ(note->lacks, "times");
  EXPECT_EQ(note->bare, 0u);
}

TEST(LogNote, OfALogThatLacksTheOrderOfTheParties) {
  EXPECT_TRUE((LogNote{"a log", "times, the order between the directions (a guess)"}).unordered());
  EXPECT_TRUE((LogNote{"a log", "stderr, the order of messages that overlap"}).unordered());
  EXPECT_FALSE((LogNote{"a log", "the time zone, the order of members"}).unordered());
}

TEST(LogNote, OtherEventsAreNone) {
  EXPECT_FALSE(ReadLogNote(NoteEvent{"imported from somewhere"}));
  EXPECT_FALSE(ReadLogNote(NoteEvent{"chaos --seed 1"}));
  EXPECT_FALSE(ReadLogNote(ExitStatus{.code = 0}));
}

}  // namespace
}  // namespace midwire::trace
