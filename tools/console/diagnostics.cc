#include "tools/console/diagnostics.h"

#include "spdlog/sinks/stdout_color_sinks.h"
#include "spdlog/spdlog.h"
#include "wire/json/escape.h"

namespace midwire::tools {

void StartDiagnostics(bool colors) {
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

void ReportWarning(const std::string& text) { spdlog::warn("{}", wire::Escaped(text)); }

void ReportNote(const std::string& text) { spdlog::info("{}", wire::Escaped(text)); }

}  // namespace midwire::tools
