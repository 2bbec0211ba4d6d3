// Traces that can be read only once, such as standard input: what a look at their first messages
// has read is kept, and their reader gets it first. Called by ChooseDialect, which looks, and by
// all that open a trace for a command that may have looked. Does not decode.
#pragma once

#include <memory>
#include <string>

#include "trace/reader.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

// Whether a trace can be read again from its start.
bool IsRegular(const std::string& path);
// Whether it is there, and cannot.
bool ReadsOnce(const std::string& path);

// Reads the trace from its start, for a look. Of one that is not regular, at most the bytes that
// are kept (32 MiB): it seems to end there.
Result<std::unique_ptr<trace::TraceReader>> LookAtTrace(const std::string& path);

// Reads the trace from its start to its end. Of one that is not regular: once, after all looks.
Result<std::unique_ptr<trace::TraceReader>> OpenTraceOnce(const std::string& path);

}  // namespace midwire::tools
