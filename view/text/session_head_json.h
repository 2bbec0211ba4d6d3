// What a session agreed on, as members of the object that a JsonWriter has open (doc/show-json.md).
// Called by the printers of show and stats.
#pragma once

#include "trace/report/session_head.h"
#include "wire/json/writer.h"

namespace midwire::view {

void WriteSessionHead(const trace::SessionHead& head, wire::JsonWriter* json);

}  // namespace midwire::view
