#include "view/text/session_head_json.h"

namespace midwire::view {

void WriteSessionHead(const trace::SessionHead& head, wire::JsonWriter* json) {
  json->Key("dialect").Text(head.dialect);
  if (!head.sureness.empty()) json->Key("sureness").Text(head.sureness);
  if (!head.revision.empty()) {
    json->Key("revision").Text(head.revision);
    json->Key("agreed").Bool(head.agreed);
  }
  json->Key("capabilities").Open('{');
  for (const int party : {0, 1}) {
    json->Key(party == 0 ? "host" : "plugin").Open('[');
    for (const std::string& name : head.capabilities[party]) json->Text(name);
    json->Close(']');
  }
  json->Close('}');
}

}  // namespace midwire::view
