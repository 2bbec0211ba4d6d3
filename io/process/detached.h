// Starts a program that outlives us and shares nothing with us: a browser, a viewer beside a
// recording. Never waits for its end.
#pragma once

#include <string>
#include <vector>

namespace midwire::io {

// `path`: of the program, see FindExecutable. It gets our environment and working directory, and
// otherwise a session of its own, /dev/null as 0, 1 and 2, no other descriptor, and default
// signals; its parent is init. Returns errno when it cannot be started; 0: it runs.
int StartDetached(const std::string& path, const std::vector<std::string>& argv);

}  // namespace midwire::io
