#include "tools/viewing/browser.h"

#include <cstring>

#include "io/files/write_file.h"
#include "io/process/detached.h"
#include "io/process/launcher.h"

namespace midwire::tools {

Status Browser::Open(const std::string& address) {
  const std::string opener = io::FindExecutable("xdg-open");
  if (opener.empty()) {
    return Error{"cannot open a browser", "xdg-open is not installed", "open the address yourself"};
  }
  const std::string file = folder_.path() + "/midwire.html";
  const Status written =
      folder_.path().empty()
          ? Error{"cannot create a temporary folder", "", "set TMPDIR to a folder that exists"}
          : io::WriteNewFile(file,
                             "<!DOCTYPE html>\n<meta charset=\"utf-8\">"
                             "<meta name=\"referrer\" content=\"no-referrer\">"
                             "<meta http-equiv=\"refresh\" content=\"0;url=" +
                                 address + "\"><title>midwire</title>\n");
  if (!written) return written;
  if (const int error = io::StartDetached(opener, {"xdg-open", file}); error != 0) {
    return Error{"cannot open a browser", opener, strerror(error)};
  }
  return Ok{};
}

}  // namespace midwire::tools
