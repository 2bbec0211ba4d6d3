// An HTTP/1.1 server for one user's browser: sockets, limits and times. Called by `midwire view`;
// the handler decides what is answered (tools/viewing/). One thread; answers GET and HEAD, reads no
// body. Knows no key.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::io {

struct HttpRequest {
  bool head = false;  // HEAD in place of GET
  std::string target;
  // Headers; "" where there is none.
  std::string host, origin, cookie, fetch_site, last_event_id;
};

// What is sent piece by piece, for as long as the connection lives.
class HttpStream {
 public:
  virtual ~HttpStream() = default;
  // What is to be sent now; "": nothing. Called after each tick, and not before the last piece has
  // been sent.
  virtual std::string Take() = 0;
};

struct HttpAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  std::unique_ptr<HttpStream> stream;  // in place of the body
  bool admitted = false;               // the client has the key; others are disconnected
  bool later = false;                  // there is no answer yet: ask the handler once more
};

class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  virtual HttpAnswer OnRequest(const HttpRequest& request) = 0;
  // Every 100 ms, before streams are asked. False: the server is to end.
  virtual bool OnTick() = 0;
};

class HttpServer {
 public:
  // Connections at a time: a browser has six to a server, and a key has one user.
  static constexpr size_t kMaxConnections = 64;
  // Of these, connections that have not shown the key. The next one replaces the oldest.
  static constexpr size_t kMaxStrangers = 24;
  // Files that must be free for a page: four of its own, six connections of a browser, and a trace
  // with its folder. With fewer it would answer nothing, and say nothing.
  static constexpr int kLeastDescriptors = 12;
  // Request line and headers; those of browsers have below 2 KiB.
  static constexpr uint32_t kMaxRequest = 8 * 1024;

  virtual ~HttpServer() = default;
  // Listens at a numeric address; port 0: any that is free.
  static Result<std::unique_ptr<HttpServer>> Open(const std::string& address, uint16_t port);
  virtual uint16_t port() const = 0;
  // Until the handler ends it, or a signal that interrupt.h catches has come.
  virtual void Run(HttpHandler* handler) = 0;
};

}  // namespace midwire::io
