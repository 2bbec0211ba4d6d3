#include "trace/report/replay_report.h"

namespace midwire::trace {

std::string_view Name(ItemChange::What what) {
  switch (what) {
    case ItemChange::What::kNew:
      return "new";
    case ItemChange::What::kGone:
      return "gone";
    case ItemChange::What::kMoved:
      return "moved";
    case ItemChange::What::kDiffers:
      return "differs";
  }
  return "";
}

std::string_view Name(DifferenceKind kind) {
  switch (kind) {
    case DifferenceKind::kDiffers:
      return "differs";
    case DifferenceKind::kMissing:
      return "missing";
    case DifferenceKind::kExtra:
      return "extra";
    case DifferenceKind::kDoubled:
      return "doubled";
    case DifferenceKind::kUnknown:
      return "unknown";
    case DifferenceKind::kUnexpected:
      return "unexpected";
    case DifferenceKind::kEarly:
      return "early";
    case DifferenceKind::kOrder:
      return "order";
    case DifferenceKind::kWaits:
      return "waits";
    case DifferenceKind::kInconsistent:
      return "inconsistent";
    case DifferenceKind::kJunk:
      return "junk";
    case DifferenceKind::kFraming:
      return "framing";
    case DifferenceKind::kEnded:
      return "ended";
    case DifferenceKind::kHung:
      return "hung";
  }
  return "";
}

}  // namespace midwire::trace
