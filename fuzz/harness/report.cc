#include "fuzz/harness/report.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "wire/json/escape.h"

namespace midwire::fuzz {

void Broken(std::string_view rule, std::string_view text, const Shown& shown) {
  std::string report = "midwire: broken: ";
  report += rule;
  report += ": ";
  wire::AppendEscaped(text, &report);
  report += '\n';
  size_t width = 0;
  for (const auto& [label, bytes] : shown) width = std::max(width, label.size());
  for (const auto& [label, bytes] : shown) {
    report += "  " + label + std::string(width - label.size() + 2, ' ');
    wire::AppendEscaped(std::string_view(bytes).substr(0, kMaxShown), &report);
    if (bytes.size() > kMaxShown) report += "... (" + std::to_string(bytes.size()) + " bytes)";
    report += '\n';
  }
  std::fwrite(report.data(), 1, report.size(), stderr);
  std::fflush(stderr);
  std::abort();
}

}  // namespace midwire::fuzz
