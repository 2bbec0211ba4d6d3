// What a schema names: members, enumerated values, limits.
#include "wire/dialect/schema_nodes.h"

namespace midwire::wire {

SchemaWords WordsOf(const std::vector<SchemaNode>& nodes) {
  SchemaWords words;
  for (const SchemaNode& node : nodes) {
    for (const SchemaProperty& property : node.properties) words.members.push_back(property.name);
    words.values.insert(words.values.end(), node.spelt.begin(), node.spelt.end());
    for (const std::string* limit : {&node.minimum, &node.maximum, &node.multiple_of}) {
      if (!limit->empty()) words.limits.push_back(*limit);
    }
  }
  return words;
}

}  // namespace midwire::wire
