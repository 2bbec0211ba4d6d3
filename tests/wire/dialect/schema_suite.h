// Runs the official test suite of JSON Schema (Debian: json-schema-test-suite) over our validator.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/files.h"
#include "wire/dialect/schema.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::wire {

inline constexpr char kSchemaSuites[] = "/usr/share/json-schema-test-suite/tests/";

// A case that does not pass, and why.
struct SkippedCase {
  const char* file;
  const char* group;
  const char* test;  // "*": the schema is refused, so that no case of the group can pass
  const char* reason;
};

class SchemaSuite {
 public:
  using Compile = std::function<Result<Schema>(const Json&)>;
  // `folder`: of the draft, in kSchemaSuites. `skipped` outlives this.
  SchemaSuite(const std::string& folder, std::span<const SkippedCase> skipped, Compile compile)
      : folder_(kSchemaSuites + folder), skipped_(skipped), compile_(std::move(compile)) {
    EXPECT_TRUE(std::filesystem::is_directory(folder_))
        << "install the package json-schema-test-suite";
  }

  void RunFile(const std::filesystem::path& path) {
    file_ = path.lexically_relative(folder_);
    const std::string text = ReadFile(path);
    ASSERT_TRUE(IsLooseJson(text)) << path;
    for (const std::string& group : ElementsOf(Trimmed(text))) RunGroup(group);
  }
  // Each skipped case was there.
  void ExpectAllUsed() const {
    for (const SkippedCase& one : skipped_) {
      EXPECT_TRUE(used_.contains(&one))
          << one.file << ", " << one.group << ", " << one.test << ": no such case";
    }
  }
  const std::filesystem::path& folder() const { return folder_; }
  int passed() const { return passed_; }

 private:
  // Members and elements as their JSON text.
  static std::string Member(std::string_view object, const char* name) {
    const Pointer pointer{{name}};
    return std::string(ValueAt(object, pointer).value_or("missing"));
  }
  static std::vector<std::string> ElementsOf(std::string_view array) {
    std::vector<std::string> all;
    JsonParts parts(array);
    for (JsonPart part; parts.Next(&part);) all.emplace_back(part.value);
    return all;
  }
  const SkippedCase* FindSkipped(const std::string& group, const std::string& test) {
    const auto found = std::find_if(skipped_.begin(), skipped_.end(), [&](const auto& one) {
      return file_ == one.file && group == one.group && test == one.test;
    });
    if (found == skipped_.end()) return nullptr;
    used_.insert(&*found);
    return &*found;
  }
  void RunGroup(const std::string& group) {
    const std::string name = StringValue(Member(group, "description"));
    const std::string text = Member(group, "schema");
    const Result<Json> parsed = ParseJson(text);
    ASSERT_TRUE(parsed) << text;
    Result<Schema> schema = compile_(*parsed);
    if (FindSkipped(name, "*") != nullptr) {
      EXPECT_FALSE(schema) << file_ << ", " << name << ": compiles, do not skip it";
      return;
    }
    EXPECT_TRUE(schema) << file_ << ", " << name << ": " << schema.error().Text();
    if (!schema) return;
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
    EXPECT_EQ(passes, FindSkipped(group, name) == nullptr)
        << file_ << ", " << group << ", " << name << ": " << data << " is "
        << (valid ? "valid" : "invalid");
  }

  const std::filesystem::path folder_;
  const std::span<const SkippedCase> skipped_;
  const Compile compile_;
  std::string file_;
  int passed_ = 0;
  std::set<const SkippedCase*> used_;
};

}  // namespace midwire::wire
