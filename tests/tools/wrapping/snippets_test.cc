// midwire wrap --snippet: what is pasted into editors that are configured by code.
#include "tools/wrapping/snippets.h"

#include <gmock/gmock.h>

namespace midwire::tools {
namespace {

using testing::HasSubstr;

std::string Made(std::string_view name, const std::vector<std::string>& plugin) {
  const auto text = MakeSnippet(name, {"/bin/midwire", "record", "--"}, plugin);
  return text ? *text : text.error().Text();
}

TEST(SnippetTest, NamesThePluginAfterMidwire) {
  EXPECT_THAT(Made("nvim", {"/opt/my-lsp", "--a b"}),
              HasSubstr("name = \"my-lsp\",\n      cmd = { \"/bin/midwire\", \"record\", \"--\", "
                        "\"/opt/my-lsp\", \"--a b\" },"));
  EXPECT_THAT(Made("helix", {"my.lsp"}),
              HasSubstr("[language-server.my-lsp]\ncommand = \"/bin/midwire\"\nargs = "
                        "[\"record\", \"--\", \"my.lsp\"]"));
  EXPECT_THAT(Made("emacs", {"x"}),
              HasSubstr("'(prog-mode . (\"/bin/midwire\" \"record\" \"--\" \"x\"))"));
}

TEST(SnippetTest, QuotesAsTheLanguageDoes) {
  EXPECT_THAT(Made("nvim", {"x", "a\"b\\c"}), HasSubstr(R"("a\"b\\c")"));
  EXPECT_THAT(Made("vim", {"x", "a\"b\\c'd"}), HasSubstr(R"('a"b\c''d')"));
}

TEST(SnippetTest, SaysWhetherItWasTested) {
  for (const Snippet& snippet : Snippets()) {
    const bool tested = snippet.name == "nvim" || snippet.name == "emacs";
    EXPECT_THAT(Made(snippet.name, {"x"}), HasSubstr(tested ? "; tested with" : "; untested"));
  }
}

TEST(SnippetTest, LeavesNoPlaceholder) {
  for (const Snippet& snippet : Snippets()) {
    for (const char* part : {"{name}", "{bare}", "{id}", "{command}", "{first}", "{rest}"}) {
      EXPECT_THAT(Made(snippet.name, {"x"}), testing::Not(HasSubstr(part))) << snippet.name;
    }
  }
}

TEST(SnippetTest, RefusesWhatItCannotShow) {
  EXPECT_THAT(Made("nvim", {"x\ny"}), HasSubstr("cannot be shown"));
  EXPECT_THAT(Made("nano", {"x"}), HasSubstr("no such editor: \"nano\" (one of nvim, nvim-new"));
  EXPECT_THAT(Made("nvim", {}), HasSubstr("no plugin to run"));
}

}  // namespace
}  // namespace midwire::tools
