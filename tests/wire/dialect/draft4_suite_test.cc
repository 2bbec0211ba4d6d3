// The official test suite of JSON Schema draft 4, over our validator. Cases that do not pass are
// named below with the reason.
#include <gtest/gtest.h>

#include "tests/wire/dialect/schema_suite.h"

namespace midwire::wire {
namespace {

constexpr char kRemote[] =
    "refers to another document: midwire reads none, so that a dialect is complete in its file";
constexpr char kById[] =
    "refers to a schema by its \"id\": references are JSON pointers, as in real dialects";
constexpr char kUnknown[] =
    "schemas below unknown keywords: those are refused, as they are misspelled ones elsewhere";
constexpr char kFormat[] =
    "\"format\" is an annotation (draft 4, section 7.1: implementations may ignore it)";

constexpr SkippedCase kSkipped[] = {
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

TEST(Draft4SuiteTest, EachCasePassesOrIsNamedWithItsReason) {
  SchemaSuite suite("draft4", kSkipped,
                    [](const Json& schema) { return Schema::Compile(schema, nullptr); });
  for (const auto& entry : std::filesystem::recursive_directory_iterator(suite.folder())) {
    if (entry.path().extension() == ".json") suite.RunFile(entry.path());
  }
  EXPECT_GE(suite.passed(), 300);
  suite.ExpectAllUsed();
}

}  // namespace
}  // namespace midwire::wire
