// What a schema requires, in words. Short: a violation has one line.
#include <algorithm>
#include <set>

#include "wire/dialect/schema_nodes.h"
#include "wire/json/ascii.h"
#include "wire/json/escape.h"
#include "wire/json/quote.h"
#include "wire/json/utf8.h"

namespace midwire::wire {
namespace {

// More names or alternatives than this are counted, longer ones cut: an expectation is one line.
constexpr size_t kMaxListed = 8;
constexpr size_t kMaxShown = 60;  // bytes
// Deeper alternatives are not listed.
constexpr int kMaxNested = 2;

// "a", "a and b", "a, b and c", "a, b and 7 more". `last` is " and " or " or ".
std::string List(const std::vector<std::string>& all, std::string_view last) {
  const size_t shown = all.size() > kMaxListed ? kMaxListed - 1 : all.size();
  std::string text;
  for (size_t i = 0; i < shown; ++i) {
    if (i > 0) text += i + 1 == all.size() ? last : ", ";
    text += all[i];
  }
  if (shown < all.size()) text += " and " + std::to_string(all.size() - shown) + " more";
  return text;
}

std::string Cut(std::string text) { return Shortened(std::move(text), kMaxShown); }

std::string Quoted(std::string_view text) {
  std::string quoted;
  AppendJsonString(text, &quoted);
  return Cut(std::move(quoted));
}

std::string Name(std::string_view name) {
  const auto plain = [](char c) {
    return IsAlphanumeric(c) || c == '_' || c == '-' || c == '.' || c == '$' || c == '/';
  };
  if (!name.empty() && std::all_of(name.begin(), name.end(), plain)) return Cut(std::string(name));
  return Quoted(name);
}

// "from 0 to 255", "of at least 1", "above 0 and below 1", ...; "" when there is no limit.
std::string Range(const SchemaNode& node) {
  const std::string low = Cut(node.minimum), high = Cut(node.maximum);
  if (!low.empty() && !high.empty() && !node.exclusive_minimum && !node.exclusive_maximum) {
    return low == high ? " that is " + low : " from " + low + " to " + high;
  }
  std::string text;
  if (!low.empty()) text = (node.exclusive_minimum ? " above " : " of at least ") + low;
  if (!high.empty()) {
    if (!low.empty()) text += " and";
    text += (node.exclusive_maximum ? " below "
             : low.empty()          ? " of at most "
                                    : " at most ") +
            high;
  }
  return text;
}

std::string Count(uint64_t low, uint64_t high, const std::string& what) {
  const auto of = [&](uint64_t n) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); };
  if (high == UINT64_MAX) return low == 0 ? "" : "at least " + of(low);
  if (low == high) return of(high);
  return low == 0 ? "at most " + of(high) : std::to_string(low) + " to " + of(high);
}

std::string With(std::string text, const std::string& count) {
  return count.empty() ? text : text + " of " + count;
}

std::string Object(const SchemaNode& node) {
  std::vector<std::string> required;
  for (const SchemaProperty& property : node.properties) {
    if (property.required) required.push_back(Name(property.name));
  }
  return required.empty() ? "an object" : "an object with " + List(required, " and ");
}

std::string String(const SchemaNode& node) {
  std::string text = With("a string", Count(node.min_length, node.max_length, "character"));
  return node.pattern ? text + " that matches " + Quoted(node.pattern->text()) : text;
}

std::string Types(const SchemaNode& node) {
  std::vector<std::string> all;
  const uint8_t types = node.types;
  if (types == 0) return "nothing";  // the schema is false
  if (types & kStringBit) all.push_back(String(node));
  if (types & kFractionBit) {
    all.push_back("a number" + Range(node));
  } else if (types & kIntegerBit) {
    all.push_back("an integer" + Range(node));
  }
  if (types & kBoolBit) all.push_back("true or false");
  if (types & kObjectBit) all.push_back(Object(node));
  if (types & kArrayBit) {
    all.push_back(With("an array", Count(node.min_items, node.max_items, "element")));
  }
  if (types & kNullBit) all.push_back("null");
  return List(all, all.size() == 2 && (types & kBoolBit) ? ", or " : " or ");
}

std::string Enum(const SchemaNode& node) {
  std::vector<std::string> all;
  for (const std::string& spelt : node.spelt) {
    all.push_back(Cut(spelt));
  }
  return all.size() == 1 ? all.front() : "one of " + List(all, ", ");
}

std::string Whole(const std::vector<SchemaNode>& nodes, const SchemaNode& node, int nested);

std::string Either(const std::vector<SchemaNode>& nodes, const std::vector<int>& schemas,
                   int nested) {
  std::vector<std::string> all;
  std::set<std::string> known;
  for (const int schema : schemas) {
    std::string text = Whole(nodes, nodes[schema], nested + 1);
    if (known.insert(text).second) all.push_back(std::move(text));
  }
  return List(all, " or ");
}

std::string Whole(const std::vector<SchemaNode>& nodes, const SchemaNode& node, int nested) {
  if (node.has_enum) return Enum(node);
  if (node.types != kAnyType) return Types(node);
  if (nested < kMaxNested) {
    if (!node.any_of.empty()) return Either(nodes, node.any_of, nested);
    if (!node.one_of.empty()) return Either(nodes, node.one_of, nested);
    if (node.all_of.size() == 1) return Whole(nodes, nodes[node.all_of[0]], nested + 1);
  }
  if (node.any_required) return Object(node);
  return "what " + (node.rule.empty() ? "the schema" : Escaped(Cut(node.rule))) + " requires";
}

std::string NoOther(const SchemaNode& node) {
  std::vector<std::string> described;
  for (const SchemaProperty& property : node.properties) {
    if (property.described) described.push_back(Name(property.name));
  }
  for (const SchemaPatternProperty& property : node.pattern_properties) {
    described.push_back("those that match " + Quoted(property.name->text()));
  }
  return described.empty() ? "an object without members"
                           : "no members but " + List(described, " and ");
}

std::string Contained(const std::vector<SchemaNode>& nodes, const SchemaNode& node) {
  const std::string count = Count(node.min_contains, node.max_contains, "element");
  return (count.empty() ? "elements" : count) + " that are each " +
         Whole(nodes, nodes[node.contains], 1);
}

std::string Dependencies(const SchemaNode& node) {
  for (const SchemaDependency& dependency : node.dependencies) {
    std::vector<std::string> others;
    for (const uint32_t other : dependency.others) {
      others.push_back(Name(node.properties[other].name));
    }
    if (others.empty()) continue;
    if (node.dependencies.size() > 1) return "members with those that they depend on";
    return "with " + Name(node.properties[dependency.property].name) + " also " +
           List(others, " and ");
  }
  return "members with those that they depend on";
}

}  // namespace

std::string DescribeNode(const std::vector<SchemaNode>& nodes, const SchemaNode& node,
                         std::string_view keyword) {
  if (keyword == "enum") return Enum(node);
  if (keyword == "type") return Types(node);
  if (keyword == "required") return Object(node);
  if (keyword == "additionalProperties") return NoOther(node);
  if (keyword == "dependencies") return Dependencies(node);
  if (keyword == "minimum" || keyword == "maximum") {
    const bool fraction = node.types & kFractionBit;
    return (fraction ? "a number" : "an integer") + Range(node);
  }
  if (keyword == "multipleOf") return "a multiple of " + Cut(node.multiple_of);
  if (keyword == "minLength" || keyword == "maxLength") {
    return With("a string", Count(node.min_length, node.max_length, "character"));
  }
  if (keyword == "pattern") return String(node);
  if (keyword == "minItems" || keyword == "maxItems") {
    return With("an array", Count(node.min_items, node.max_items, "element"));
  }
  if (keyword == "contains" || keyword == "maxContains") {
    return "an array with " + Contained(nodes, node);
  }
  if (keyword == "additionalItems" || keyword == "items") {
    return With("an array", Count(0, node.tuple.size(), "element"));
  }
  if (keyword == "uniqueItems") return "an array whose elements all differ";
  if (keyword == "minProperties" || keyword == "maxProperties") {
    return "an object with " + Count(node.min_properties, node.max_properties, "member");
  }
  if (keyword == "anyOf") return Either(nodes, node.any_of, 0);
  if (keyword == "oneOf") return "exactly one of: " + Either(nodes, node.one_of, 0);
  if (keyword == "not" && node.not_this >= 0) {
    return "anything but " + Whole(nodes, nodes[node.not_this], 1);
  }
  return Whole(nodes, node, 0);
}

std::string EitherText(const std::vector<std::string>& all) { return List(all, " or "); }

}  // namespace midwire::wire
