// The official test suite of JSON Schema draft 4 (Debian: json-schema-test-suite), over our
// validator. Cases that do not pass are named below with the reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "tests/files.h"
#include "wire/dialect/schema.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::wire {
namespace {

constexpr char kSuite[] = "/usr/share/json-schema-test-suite/tests/draft4";

constexpr char kRemote[] =
    "refers to another document: midwire reads none, so that a dialect is complete in its file";
constexpr char kById[] =
    "refers to a schema by its \"id\": references are JSON pointers, as in real dialects";
constexpr char kUnknown[] =
    "schemas below unknown keywords: those are refused, as they are misspelled ones elsewhere";
constexpr char kFormat[] =
    "\"format\" is an annotation (draft 4, section 7.1: implementations may ignore it)";

struct Skipped {
  const char* file;
  const char* group;
  const char* test;  // "*": the schema is refused, so that no case of the group can pass
  const char* reason;
};
constexpr Skipped kSkipped[] = {
    {"definitions.json", "valid definition", "*", kRemote},
    {"definitions.json", "invalid definition", "*", kRemote},
    {"ref.json", "remote ref, containing refs itself", "*", kRemote},
    {"ref.json", "escaped pointer ref", "*", kUnknown},
    {"ref.json", "Recursive references between schemas", "*", kById},
    {"refRemote.json", "remote ref", "*", kRemote},
    {"refRemote.json", "fragment within remote ref", "*", kRemote},
    {"refRemote.json", "ref within remote ref", "*", kRemote},
    {"refRemote.json", "base URI change", "*", kRemote},
    {"refRemote.json", "base URI change - change folder", "*", kRemote},
    {"refRemote.json", "base URI change - change folder in subschema", "*", kRemote},
    {"refRemote.json", "root ref in remote ref", "*", kRemote},
    {"optional/ecmascript-regex.json", "ECMA 262 regex non-compliance",
     "ECMA 262 has no support for \\Z anchor from .NET", kFormat},
    {"optional/format.json", "validation of date-time strings", "a invalid day in date-time string",
     kFormat},
    {"optional/format.json", "validation of date-time strings",
     "an invalid offset in date-time string", kFormat},
    {"optional/format.json", "validation of date-time strings", "an invalid date-time string",
     kFormat},
    {"optional/format.json", "validation of date-time strings",
     "only RFC3339 not all of ISO 8601 are valid", kFormat},
    {"optional/format.json", "validation of URIs", "an invalid protocol-relative URI Reference",
     kFormat},
    {"optional/format.json", "validation of URIs", "an invalid relative URI Reference", kFormat},
    {"optional/format.json", "validation of URIs", "an invalid URI", kFormat},
    {"optional/format.json", "validation of URIs", "an invalid URI though valid URI reference",
     kFormat},
    {"optional/format.json", "validation of URIs", "an invalid URI with spaces", kFormat},
    {"optional/format.json", "validation of URIs", "an invalid URI with spaces and missing scheme",
     kFormat},
    {"optional/format.json", "validation of e-mail addresses", "an invalid e-mail address",
     kFormat},
    {"optional/format.json", "validation of IP addresses", "an IP address with too many components",
     kFormat},
    {"optional/format.json", "validation of IP addresses", "an IP address with out-of-range values",
     kFormat},
    {"optional/format.json", "validation of IP addresses", "an IP address without 4 components",
     kFormat},
    {"optional/format.json", "validation of IP addresses", "an IP address as an integer", kFormat},
    {"optional/format.json", "validation of IPv6 addresses",
     "an IPv6 address with out-of-range values", kFormat},
    {"optional/format.json", "validation of IPv6 addresses",
     "an IPv6 address with too many components", kFormat},
    {"optional/format.json", "validation of IPv6 addresses",
     "an IPv6 address containing illegal characters", kFormat},
    {"optional/format.json", "validation of host names",
     "a host name starting with an illegal character", kFormat},
    {"optional/format.json", "validation of host names",
     "a host name containing illegal characters", kFormat},
    {"optional/format.json", "validation of host names", "a host name with a component too long",
     kFormat},
};

// Members and elements as their JSON text.
std::string Member(std::string_view object, const char* name) {
  const Pointer pointer{{name}};
  return std::string(ValueAt(object, pointer).value_or("missing"));
}
std::vector<std::string> ElementsOf(std::string_view array) {
  std::vector<std::string> all;
  JsonParts parts(array);
  for (JsonPart part; parts.Next(&part);) all.emplace_back(part.value);
  return all;
}

const Skipped* FindSkipped(const std::string& file, const std::string& group,
                           const std::string& test) {
  const auto* found =
      std::find_if(std::begin(kSkipped), std::end(kSkipped), [&](const Skipped& one) {
        return file == one.file && group == one.group && test == one.test;
      });
  return found == std::end(kSkipped) ? nullptr : found;
}

class Suite {
 public:
  void RunFile(const std::filesystem::path& path) {
    file_ = path.lexically_relative(kSuite);
    const std::string text = ReadFile(path);
    ASSERT_TRUE(IsLooseJson(text)) << path;
    for (const std::string& group : ElementsOf(Trimmed(text))) RunGroup(group);
  }
  int passed() const { return passed_; }
  const std::set<const Skipped*>& used() const { return used_; }

 private:
  void RunGroup(const std::string& group) {
    const std::string name = StringValue(Member(group, "description"));
    const std::string text = Member(group, "schema");
    const Result<Json> parsed = ParseJson(text);
    ASSERT_TRUE(parsed) << text;
    Result<Schema> schema = Schema::Compile(*parsed, nullptr);
    if (const Skipped* whole = FindSkipped(file_, name, "*")) {
      used_.insert(whole);
      EXPECT_FALSE(schema) << file_ << ", " << name << ": compiles, take it out of kSkipped";
      return;
    }
    ASSERT_TRUE(schema) << file_ << ", " << name << ": " << schema.error().Text();
    const std::vector<std::string> tests = ElementsOf(Member(group, "tests"));
    ASSERT_FALSE(tests.empty()) << file_ << ", " << name;
    for (const std::string& test : tests) RunCase(name, test, &*schema);
  }
  void RunCase(const std::string& group, const std::string& test, Schema* schema) {
    const std::string name = StringValue(Member(test, "description"));
    const std::string data = Member(test, "data");
    const bool valid = !schema->Validate(data);
    const bool passes = valid == (Member(test, "valid") == "true") && !schema->gave_up();
    passed_ += passes;
    const Skipped* skipped = FindSkipped(file_, group, name);
    if (skipped != nullptr) used_.insert(skipped);
    EXPECT_EQ(passes, skipped == nullptr) << file_ << ", " << group << ", " << name << ": " << data
                                          << " is " << (valid ? "valid" : "invalid");
  }

  std::string file_;
  int passed_ = 0;
  std::set<const Skipped*> used_;
};

TEST(Draft4SuiteTest, EachCasePassesOrIsNamedWithItsReason) {
  ASSERT_TRUE(std::filesystem::is_directory(kSuite))
      << "install the package json-schema-test-suite";
  Suite suite;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kSuite)) {
    if (entry.path().extension() == ".json") suite.RunFile(entry.path());
  }
  EXPECT_GE(suite.passed(), 300);
  for (const Skipped& one : kSkipped) {
    EXPECT_TRUE(suite.used().contains(&one))
        << one.file << ", " << one.group << ", " << one.test << ": no such case";
  }
}

}  // namespace
}  // namespace midwire::wire
