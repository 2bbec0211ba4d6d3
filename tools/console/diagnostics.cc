#include "tools/console/diagnostics.h"

#include "spdlog/sinks/stdout_color_sinks.h"
#include "spdlog/spdlog.h"
#include "view/text/folded.h"
#include "wire/json/escape.h"

namespace midwire::tools {

namespace {

size_t stderr_width = 0;  // of the terminal; set once, at the start

// Behind "midwire: info: ". Errors are not folded: their remedies are commands to be copied.
std::string FoldedText(const std::string& text, std::string_view level) {
  constexpr size_t kIndent = 2;
  std::string folded;
  view::AppendFolded(wire::Escaped(text), sizeof "midwire: : " - 1 + level.size(), kIndent,
                     stderr_width, &folded);
  return folded;
}

}  // namespace

void StartDiagnostics(bool colors, size_t width) {
  stderr_width = width;
  auto logger = spdlog::stderr_color_st(
      "midwire", colors ? spdlog::color_mode::automatic : spdlog::color_mode::never);
  logger->set_pattern("%n: %^%l%$: %v");
  spdlog::set_default_logger(logger);
}

void ReportError(const Error& error) { spdlog::error("{}", wire::Escaped(error.Text())); }

Error WrongValue(const std::string& option, const std::string& value, const std::string& what,
                 const std::string& remedy) {
  return {option + ": " + what, "\"" + value + "\"", remedy};
}

int Fail(const Error& error, int code) {
  ReportError(error);
  return code;
}

void ReportWarning(const std::string& text) { spdlog::warn("{}", FoldedText(text, "warning")); }

void ReportNote(const std::string& text) { spdlog::info("{}", FoldedText(text, "info")); }

}  // namespace midwire::tools
