// What the JUnit reports of replay, diff, check and findings share: how tests are called and how
// long they took. Called by the printers beside it.
#pragma once

#include <string>
#include <string_view>

namespace midwire::view {

// "midwire.replay.session_jsonl". Jenkins takes the last dot of a classname as the end of a
// package, so the trace has none.
std::string JunitClassname(std::string_view verb, std::string_view trace);
// A whole report: the trace could not be read, for this reason, which is the error of its only
// test.
void AppendJunitUnreadable(std::string_view verb, std::string_view trace, std::string_view reason,
                           std::string* out);
// A test with an error: the trace could not be read, for this reason.
void AppendJunitError(std::string_view classname, std::string_view reason, std::string* out);
// Appends ` time="0.012"`.
void AppendJunitTime(double seconds, std::string* out);

}  // namespace midwire::view
