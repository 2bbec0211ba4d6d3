// Answers the requests of the live view: which are answered, what each asks for, and what it gets
// (view/page/DATA.md, "Live"). Called by io::HttpServer, run by `midwire view`. Reads traces in
// slices; opens no socket.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/http/http_server.h"
#include "tools/viewing/opened_trace.h"
#include "tools/viewing/route.h"
#include "tools/viewing/sessions_list.h"

namespace midwire::tools {

struct ViewAccess {
  std::string key;  // without it there is no answer
  std::string
      folder;  // of the page's address: "/name/". No secret, but no other page has it, so
               // that the cookie goes to this server alone: browsers do not tell ports apart
  uint16_t port = 0;
  bool any_address = false;  // it listens beyond loopback
};

class ViewService : public io::HttpHandler {
 public:
  // Traces whose rows are kept: those that a page follows, and the latest.
  static constexpr size_t kMaxOpened = 4;

  // `once`: ends when the last page has gone.
  ViewService(ViewAccess access, TraceFiles files, bool once);

  io::HttpAnswer OnRequest(const io::HttpRequest& request) override;
  bool OnTick() override;
  const std::string& folder() { return list_.files()->folder(); }  // for people

 private:
  io::HttpAnswer Answer(const Route& route, const io::HttpRequest& request);
  io::HttpAnswer Index(const Route& route);
  io::HttpAnswer Bytes(const Route& route);
  io::HttpAnswer Stream(const Route& route, const io::HttpRequest& request);
  // null: there is no such trace.
  std::shared_ptr<OpenedTrace> Open(std::string_view id);

  const ViewAccess access_;
  const std::string page_;
  SessionsList list_;
  std::vector<std::shared_ptr<OpenedTrace>> opened_;  // the latest last
  const bool once_;
  size_t pages_ = 0;      // streams that are open
  int64_t empty_at_ = 0;  // until then a page may come, or come back
};

}  // namespace midwire::tools
