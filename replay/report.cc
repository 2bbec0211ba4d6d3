#include "replay/report.h"

namespace midwire::replay {

std::string_view Name(Finding finding) {
  switch (finding) {
    case Finding::kDiffers:
      return "differs";
    case Finding::kMissing:
      return "missing";
    case Finding::kExtra:
      return "extra";
    case Finding::kDoubled:
      return "doubled";
    case Finding::kUnknown:
      return "unknown";
    case Finding::kUnexpected:
      return "unexpected";
    case Finding::kEarly:
      return "early";
    case Finding::kOrder:
      return "order";
    case Finding::kInconsistent:
      return "inconsistent";
    case Finding::kJunk:
      return "junk";
    case Finding::kFraming:
      return "framing";
    case Finding::kEnded:
      return "ended";
    case Finding::kHung:
      return "hung";
  }
  return "";
}

}  // namespace midwire::replay
