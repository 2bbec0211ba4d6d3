// Server-sent events for one page: rows that follow those that it has, sessions that change, the
// list (view/page/DATA.md). Called by the server for each tick; made by ViewService.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "io/http/http_server.h"
#include "tools/viewing/opened_trace.h"
#include "tools/viewing/sessions_list.h"

namespace midwire::tools {

// One event: its name, one line of data, and the id that a browser returns when it connects again.
std::string EventText(std::string_view name, std::string_view data, std::string_view id = {});

class EventStream : public io::HttpStream {
 public:
  // Rows of one event.
  static constexpr size_t kMaxRows = 5000;

  // `trace`: null for the list alone. `row`: the first that the page lacks; `base`: the first that
  // it has. `pages`: counts the streams that are open.
  EventStream(const SessionsList* list, std::shared_ptr<OpenedTrace> trace, size_t row, size_t base,
              size_t* pages);
  ~EventStream() override { --*pages_; }

  std::string Take() override;

 private:
  void AddRows(std::string* out);
  void AddSession(std::string* out);
  void AddFlags(std::string* out);

  const SessionsList* const list_;
  const std::shared_ptr<OpenedTrace> trace_;
  size_t row_;
  size_t flagged_ = 0;  // how many of Rows::flagged() were sent
  const size_t base_;
  size_t* const pages_;
  uint64_t list_version_ = 0;
  int64_t list_at_ = 0;     // when the list may be sent again
  int64_t comment_at_ = 0;  // when the connection needs a line to be kept
  std::string session_;     // the last one that was sent
  bool opened_ = false, ended_ = false, reset_ = false;
};

}  // namespace midwire::tools
