#include "tools/console/metavars.h"

#include <algorithm>
#include <iterator>

namespace midwire::tools {
namespace {

struct NamedMetavar {
  std::string_view option, word;
};

constexpr NamedMetavar kMetavars[] = {
    {"--before", "COMMAND"},
    {"--color", "WHEN"},
    {"--command", "COMMAND"},
    {"--compare", "TRACE"},
    {"--delay", "TIME"},
    {"--dialect", "DIALECT"},
    {"--dict", "FILE"},
    {"--direction", "STREAM"},
    {"--drain", "TIME"},
    {"--exhausted", "HOW"},
    {"--export", "FOLDER"},
    {"--fail-on", "SEVERITY"},
    {"--faults", "LIST"},
    {"--framing", "FRAMING"},
    {"--fresh", "N"},
    {"--from", "TRACE"},
    {"--host", "HOST"},
    {"--html", "FILE"},
    {"--in-place", "FILE"},
    {"--jobs", "N"},
    {"--junit", "FILE"},
    {"--keep", "N"},
    {"--last", "N"},
    {"--learn", "N"},
    {"--listen", "ADDRESS"},
    {"--man-pages", "FOLDER"},
    {"--map", "FROM=TO"},
    {"--max-body", "SIZE"},
    {"--max-growth", "SIZE"},
    {"--max-input", "SIZE"},
    {"--max-runs", "N"},
    {"--max-size", "SIZE"},
    {"--max-time", "TIME"},
    {"--md", "FILE"},
    {"--name", "NAME"},
    {"--older", "TIME"},
    {"--on", "FILTER"},
    {"--on-extra", "HOW"},
    {"--oracle", "LIST"},
    {"--order", "ORDER"},
    {"--output", "FILE"},
    {"--over", "SIZE"},
    {"--plugin-name", "NAME"},
    {"--port", "N"},
    {"--rate", "SHARE"},
    {"--record", "FILE"},
    {"--redact", "POINTER"},
    {"--reduce-time", "TIME"},
    {"--report", "FILE"},
    {"--role", "PARTY"},
    {"--sarif", "FILE"},
    {"--secret", "PLACE"},
    {"--secret-key", "NAME"},
    {"--secret-regex", "REGEX"},
    {"--seed", "N"},
    {"--since", "TIME"},
    {"--snippet", "EDITOR"},
    {"--stall", "TIME"},
    {"--suggest-ignores", "N"},
    {"--sync", "TIME"},
    {"--timeout", "TIME"},
    {"--timing", "PACE"},
    {"--to", "FORMAT"},
    {"--wait", "TIME"},
    {"--where", "FILTER"},
};

}  // namespace

std::string_view MetavarOf(std::string_view name) {
  const auto found = std::find_if(std::begin(kMetavars), std::end(kMetavars),
                                  [&](const NamedMetavar& row) { return row.option == name; });
  return found == std::end(kMetavars) ? "" : found->word;
}

}  // namespace midwire::tools
