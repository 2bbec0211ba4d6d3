#include "trace/record.h"

namespace midwire::trace {

std::string_view Name(Stream stream) {
  switch (stream) {
    case Stream::kHostToPlugin:
      return "host-to-plugin";
    case Stream::kPluginToHost:
      return "plugin-to-host";
    case Stream::kStderr:
      return "stderr";
    case Stream::kEvents:
      break;
  }
  return "events";
}

}  // namespace midwire::trace
