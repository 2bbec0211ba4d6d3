// midwire wrap in YAML: Continue.
#include <gmock/gmock.h>

#include "tests/tools/wrapping/wrapped.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;

TEST(WrapYamlTest, ListInBrackets) {
  ExpectWrapped(
      "name: x # mine\nmcpServers:\n  - name: a\n    command: npx # it\n    args: [-y, 'x']\n",
      "name: x # mine\nmcpServers:\n  - name: a\n    command: \"/bin/midwire\" # it\n"
      "    args: [\"record\", \"--wrapped\", \"--\", npx, -y, 'x']\n");
}

TEST(WrapYamlTest, ListInLines) {
  ExpectWrapped(
      "mcpServers:\r\n  - name: a\r\n    command: 'it''s'\r\n    args:\r\n    # first\r\n"
      "    - -y\r\n    - \"x\"\r\n    env: {A: 1}\r\n",
      "mcpServers:\r\n  - name: a\r\n    command: \"/bin/midwire\"\r\n    args:\r\n    # first\r\n"
      "    - \"record\"\r\n    - \"--wrapped\"\r\n    - \"--\"\r\n    - 'it''s'\r\n    - -y\r\n"
      "    - \"x\"\r\n    env: {A: 1}\r\n");
}

TEST(WrapYamlTest, ArgumentsThatAreMissingAreAdded) {
  ExpectWrapped(
      "mcpServers:\n- command: a,b\n  name: a\n- {name: b, command: b}\n",
      "mcpServers:\n- args:\n    - \"record\"\n    - \"--wrapped=new\"\n    - \"--\"\n    - a,b\n"
      "  command: \"/bin/midwire\"\n  name: a\n"
      "- {name: b, args: [\"record\", \"--wrapped=new\", \"--\", b], command: \"/bin/midwire\"}\n");
}

TEST(WrapYamlTest, AnchorsAndAliasesStay) {
  ExpectWrapped(
      "\xef\xbb\xbfx: &run npx\nmcpServers:\n  - name: a\n    command: *run\n    args: [a]\n"
      "  - &b\n    name: b\n    command: &c \"b\"\n    args: []\n  - name: d\n    command: *c\n"
      "    args: [z]\n",
      "\xef\xbb\xbfx: &run npx\nmcpServers:\n  - name: a\n    command: \"/bin/midwire\"\n"
      "    args: [\"record\", \"--wrapped\", \"--\", *run, a]\n"
      "  - &b\n    name: b\n    command: \"/bin/midwire\"\n"
      "    args: [\"record\", \"--wrapped\", \"--\", &c \"b\"]\n  - name: d\n"
      "    command: \"/bin/midwire\"\n    args: [\"record\", \"--wrapped\", \"--\", *c, z]\n");
}

TEST(WrapYamlTest, WhatOthersTakePartsOfIsLeftAlone) {
  const std::string shared =
      "mcpServers:\n  - &a\n    name: a\n    command: a\n    args: &r [x]\n  - name: b\n    <<: "
      "*a\n"
      "  - name: c\n    command: c\n    args: *r\n";
  EXPECT_EQ(Wrapped(shared), shared);
  const auto made = WrapServers(Read(shared), {}, {.midwire = kMidwire});
  ASSERT_TRUE(made);
  EXPECT_THAT(made->notes[0].text, HasSubstr("others may take parts of it"));
  EXPECT_EQ(made->notes[1].text, "its command comes from elsewhere (<<)");
  EXPECT_EQ(made->notes[2].text, "its arguments are the alias *r");
}

TEST(WrapYamlTest, TextsInSeveralLinesAreLeftAlone) {
  const std::string text =
      "mcpServers:\n  - name: a\n    command: >-\n      a\n      b\n  - name: b\n    command: |\n"
      "      b\n  - name: c\n    command: \"a\n      b\"\n";
  EXPECT_EQ(Wrapped(text), text);
}

TEST(ConfigTest, BrokenYamlIsRefusedWithItsPlace) {
  const auto error = [](const std::string& text) {
    const auto config = ReadConfig(text);
    return config ? "read" : config.error().Text();
  };
  EXPECT_THAT(error("a: [b\nc: d\n"), HasSubstr("line 2"));
  EXPECT_THAT(error("a: 1\n---\nb: 2\n"), HasSubstr("several documents"));
  EXPECT_THAT(error("? [a]\n: b\n"), HasSubstr("as the name of a value"));
  EXPECT_THAT(error("- " + std::string(200, '[') + std::string(200, ']')),
              HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace midwire::tools
