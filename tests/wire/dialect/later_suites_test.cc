// The official test suites of JSON Schema drafts 6 and 7, over schemas that a peer sent. The groups
// that do not compile refer to other documents or by "$id"; "format" is in another folder.
#include <gtest/gtest.h>

#include "tests/wire/dialect/schema_suite.h"

namespace midwire::wire {
namespace {

constexpr char kElsewhere[] = "refers to another document, or to a schema by its \"$id\"";

constexpr SkippedCase kElsewhereCases[] = {
    {"definitions.json", "valid definition", "*", kElsewhere},
    {"definitions.json", "invalid definition", "*", kElsewhere},
    {"ref.json", "remote ref, containing refs itself", "*", kElsewhere},
    {"ref.json", "Recursive references between schemas", "*", kElsewhere},
    {"refRemote.json", "remote ref", "*", kElsewhere},
    {"refRemote.json", "fragment within remote ref", "*", kElsewhere},
    {"refRemote.json", "ref within remote ref", "*", kElsewhere},
    {"refRemote.json", "base URI change", "*", kElsewhere},
    {"refRemote.json", "base URI change - change folder", "*", kElsewhere},
    {"refRemote.json", "base URI change - change folder in subschema", "*", kElsewhere},
    {"refRemote.json", "root ref in remote ref", "*", kElsewhere},
};

class LaterSuitesTest : public testing::TestWithParam<const char*> {};

TEST_P(LaterSuitesTest, EachCasePassesOrRefersElsewhere) {
  const std::string draft = GetParam();
  SchemaSuite suite(draft, kElsewhereCases, [&](const Json& schema) {
    Json named = schema;
    const std::string uri = "http://json-schema.org/draft-0" + draft.substr(5) + "/schema#";
    named.members.push_back({"$schema", *ParseJson('"' + uri + '"')});  // also of true and false
    return Schema::Compile(named, nullptr);
  });
  for (const auto& entry : std::filesystem::directory_iterator(suite.folder())) {
    if (entry.path().extension() == ".json") suite.RunFile(entry.path());
  }
  EXPECT_GE(suite.passed(), 350);
  suite.ExpectAllUsed();
}

INSTANTIATE_TEST_SUITE_P(Drafts, LaterSuitesTest, testing::Values("draft6", "draft7"));

}  // namespace
}  // namespace midwire::wire
