// Copies a trace without its secrets, as `midwire redact` does without options: secret places of
// its dialect and what looks like a secret. Called by report and bundle.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "trace/redact/trace_redactor.h"
#include "wire/dialect/dialect.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

// `from`: a regular file, `to`: a name that is free; its extension decides on the format.
// `dialect`: null if there is none. Returns how many secrets were replaced.
// `found`: called for each find, also of what only looks like a secret and stays.
Result<size_t> CopyRedacted(const std::string& from, const std::string& to,
                            const wire::Dialect* dialect,
                            std::function<void(const trace::redact::FoundSecret&)> found = {});

}  // namespace midwire::tools
