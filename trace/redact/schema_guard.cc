#include "trace/redact/schema_guard.h"

#include "wire/json/parts.h"
#include "wire/json/unescape.h"

namespace midwire::trace::redact {

bool SchemaGuard::Fulfils(std::string_view json, std::string_view method, bool answer) const {
  const wire::MethodSpec* const spec = dialect_->Find(method);
  wire::Schema* const schema =
      spec == nullptr ? nullptr : (answer ? spec->result : spec->params).get();
  if (schema == nullptr || wire::TypeOf(json) != wire::JsonType::kObject) return true;
  std::string_view value;
  wire::JsonParts members(json);
  for (wire::JsonPart member; members.Next(&member);) {
    // DAP has "arguments" and "body", also for its events.
    const bool wanted = answer ? member.name == "\"result\"" || member.name == "\"body\""
                               : member.name == "\"params\"" || member.name == "\"arguments\"" ||
                                     (member.name == "\"body\"" && value.empty());
    if (wanted) value = member.value;
  }
  return value.empty() || !schema->Validate(value);
}

std::vector<std::string> SchemaGuard::Words() const {
  std::vector<std::string> words;
  for (const auto& [name, method] : dialect_->methods) {
    for (const std::shared_ptr<wire::Schema>& schema : {method.params, method.result}) {
      if (!schema) continue;
      for (const std::string& value : schema->Words().values) {
        if (value.starts_with('"')) words.push_back(wire::StringValue(value));
      }
    }
  }
  return words;
}

}  // namespace midwire::trace::redact
