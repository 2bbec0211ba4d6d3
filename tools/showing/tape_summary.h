// What `midwire list` shows of a tape: counted by reading all of it, or without counts by its start
// and its last bytes, which is quick for any size. Called by commands/list. Never changes a tape.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "io/files/stored_files.h"
#include "view/text/sessions_report.h"
#include "wire/dialect/dialect.h"

namespace midwire::tools {

class TapeSummarizer {
 public:
  // count: read all of it. A tape that cannot be read is listed by its name and size.
  view::ListedSession Summarize(const io::StoredFile& file, bool count);

 private:
  const wire::Dialect* DialectOf(const std::string& path);

  // Loading one costs more than reading most tapes. null: it cannot be loaded.
  std::map<std::string, std::unique_ptr<wire::Dialect>> dialects_;
};

}  // namespace midwire::tools
