#include "io/http/http_server.h"

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <list>
#include <optional>

#include "io/interrupt.h"

namespace midwire::io {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds kTick{100};
// A request of a client that has not shown the key, from its connection to its last byte.
constexpr std::chrono::seconds kStrangerTime{5};
// Between two requests of a browser, which keeps connections for later.
constexpr std::chrono::seconds kIdleTime{120};
// For the rest of a request that was refused.
constexpr std::chrono::seconds kLingerTime{1};
// For a reader that takes nothing of an answer.
constexpr std::chrono::seconds kWriteTime{30};

class Connection;

struct Shared {
  asio::io_context context{1};
  HttpHandler* handler = nullptr;
  std::list<std::shared_ptr<Connection>> connections;  // the oldest first
};

// How many more files can be opened now, of at most so many.
int FreeDescriptors(int most) {
  std::vector<int> opened;
  while (static_cast<int>(opened.size()) < most) {
    const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) break;
    opened.push_back(descriptor);
  }
  for (const int descriptor : opened) close(descriptor);
  return static_cast<int>(opened.size());
}

std::string Field(const http::request<http::empty_body>& request, http::field name) {
  const beast::string_view value = request[name];
  return std::string(value.data(), value.size());
}

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Shared* shared) : stream_(std::move(socket)), shared_(shared) {}

  void Start() { Read(); }
  bool admitted() const { return admitted_; }

  // Removes it from the list; what is pending ends with an error.
  void Close() {
    if (closed_) return;
    closed_ = true;
    source_.reset();
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.close();
    shared_->connections.remove(shared_from_this());
  }

  void OnTick() {
    if (closed_ || source_ == nullptr || writing_) return;
    piece_ = source_->Take();
    if (piece_.empty()) return;
    writing_ = true;
    stream_.expires_after(kWriteTime);
    asio::async_write(stream_, asio::buffer(piece_),
                      [self = shared_from_this()](error_code error, size_t) {
                        self->writing_ = false;
                        if (error) return self->Close();
                        self->stream_.expires_never();
                      });
  }

 private:
  void Read() {
    parser_.emplace();
    parser_->header_limit(HttpServer::kMaxRequest);
    parser_->body_limit(0);
    if (admitted_) {
      stream_.expires_after(kIdleTime);
    } else {
      stream_.expires_after(kStrangerTime);
    }
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, size_t) {
                       if (!self->closed_) self->OnRead(error);
                     });
  }

  void OnRead(error_code error) {
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      return Refuse(431, "the request is too large\n");
    }
    if (error == http::error::body_limit || error == http::error::unexpected_body) {
      return Refuse(413, "requests have no body here\n");
    }
    if (error && error.category() == http::make_error_code(http::error::bad_method).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message) {
      return Refuse(400, "not a request of HTTP/1.1\n");
    }
    if (error) return Close();
    const http::request<http::empty_body>& request = parser_->get();
    if (request.method() != http::verb::get && request.method() != http::verb::head) {
      return Refuse(405, "this server answers GET and HEAD\n");
    }
    // Two different hosts or cookies would be checked once and used otherwise.
    for (const http::field single : {http::field::host, http::field::cookie, http::field::origin}) {
      if (request.count(single) > 1) return Refuse(400, "a header is there twice\n");
    }
    request_.head = request.method() == http::verb::head;
    request_.target = std::string(request.target().data(), request.target().size());
    request_.host = Field(request, http::field::host);
    request_.origin = Field(request, http::field::origin);
    request_.cookie = Field(request, http::field::cookie);
    const auto text = [&](const char* name) {
      const beast::string_view value = request[name];
      return std::string(value.data(), value.size());
    };
    request_.fetch_site = text("Sec-Fetch-Site");
    request_.last_event_id = text("Last-Event-ID");
    keep_alive_ = request.keep_alive();
    Ask();
  }

  void Ask() {
    HttpAnswer answer = shared_->handler->OnRequest(request_);
    if (answer.later) {
      admitted_ = admitted_ || answer.admitted;
      stream_.expires_never();
      asio::post(shared_->context, [self = shared_from_this()] {
        if (!self->closed_) self->Ask();
      });
      return;
    }
    admitted_ = answer.admitted;
    Send(std::move(answer));
  }

  void Refuse(int status, const char* text) {
    keep_alive_ = false;
    HttpAnswer answer;
    answer.status = status;
    answer.body = text;
    admitted_ = false;
    request_.head = false;
    Send(std::move(answer));
  }

  void Send(HttpAnswer answer) {
    if (!admitted_ || answer.stream != nullptr) keep_alive_ = false;
    answer_.emplace();
    answer_->result(static_cast<unsigned>(answer.status));
    answer_->version(11);
    answer_->set(http::field::content_type, answer.type);
    for (const auto& [name, value] : answer.headers) answer_->set(name, value);
    answer_->keep_alive(keep_alive_);
    stream_.expires_after(kWriteTime);
    if (answer.stream != nullptr && !request_.head) {
      source_ = std::move(answer.stream);
      return SendHeader();
    }
    answer_->content_length(answer.body.size());
    if (!request_.head) answer_->body() = std::move(answer.body);
    serializer_.emplace(*answer_);
    const auto sent = [self = shared_from_this()](error_code error, size_t) {
      if (self->closed_) return;
      if (error || !self->keep_alive_) return self->Linger();
      self->Read();
    };
    if (request_.head) {
      http::async_write_header(stream_, *serializer_, sent);
    } else {
      http::async_write(stream_, *serializer_, sent);
    }
  }

  // An answer without a length: its end is that of the connection.
  void SendHeader() {
    serializer_.emplace(*answer_);
    writing_ = true;
    http::async_write_header(stream_, *serializer_,
                             [self = shared_from_this()](error_code error, size_t) {
                               self->writing_ = false;
                               if (self->closed_) return;
                               if (error) return self->Close();
                               self->stream_.expires_never();
                               self->OnTick();
                               self->WaitForEnd();
                             });
  }

  // Reads until the other end is gone.
  void WaitForEnd() {
    stream_.socket().async_read_some(asio::buffer(ignored_),
                                     [self = shared_from_this()](error_code error, size_t) {
                                       if (error) return self->Close();
                                       self->WaitForEnd();
                                     });
  }

  // Ends the connection so that the answer arrives, although the rest of the request was not read.
  void Linger() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    if (lingered_ == 0) stream_.expires_after(kLingerTime);
    stream_.async_read_some(asio::buffer(ignored_),
                            [self = shared_from_this()](error_code error, size_t) {
                              if (self->closed_) return;
                              if (error || ++self->lingered_ > kMaxLingered) return self->Close();
                              self->Linger();
                            });
  }

  static constexpr int kMaxLingered = 64;  // reads of `ignored_`

  beast::tcp_stream stream_;
  Shared* const shared_;
  beast::flat_buffer buffer_{HttpServer::kMaxRequest * 2};
  std::optional<http::request_parser<http::empty_body>> parser_;
  HttpRequest request_;
  std::optional<http::response<http::string_body>> answer_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  std::unique_ptr<HttpStream> source_;
  std::string piece_;
  char ignored_[1024];
  int lingered_ = 0;
  bool admitted_ = false, keep_alive_ = false, writing_ = false, closed_ = false;
};

class BeastServer : public HttpServer {
 public:
  Status Listen(const std::string& address, uint16_t port) {
    error_code error;
    const asio::ip::address parsed = asio::ip::make_address(address, error);
    if (error) return Error{"not a numeric address", address, "try 127.0.0.1 or ::1"};
    const tcp::endpoint endpoint(parsed, port);
    const auto fail = [&] {
      return Error{"cannot listen", address + ":" + std::to_string(port), error.message()};
    };
    acceptor_.open(endpoint.protocol(), error);
    if (error) return fail();
    acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    acceptor_.bind(endpoint, error);
    if (error) return fail();
    acceptor_.listen(kMaxConnections, error);
    if (error) return fail();
    return Ok{};
  }

  uint16_t port() const override { return acceptor_.local_endpoint().port(); }

  void Run(HttpHandler* handler) override {
    shared_.handler = handler;
    Accept();
    Tick();
    shared_.context.run();
    while (!shared_.connections.empty()) {
      const std::shared_ptr<Connection> connection = shared_.connections.front();
      connection->Close();
    }
  }

 private:
  void Accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (!error) {
        MakeRoom();
        const auto connection = std::make_shared<Connection>(std::move(socket), &shared_);
        shared_.connections.push_back(connection);
        connection->Start();
        return Accept();
      }
      // No descriptor is left: the next tick tries again.
      stalled_ = true;
    });
  }

  // A client that has not shown the key makes room for the next one, the oldest first.
  void MakeRoom() {
    size_t strangers = 0;
    std::shared_ptr<Connection> oldest;
    for (const std::shared_ptr<Connection>& connection : shared_.connections) {
      if (connection->admitted()) continue;
      if (strangers++ == 0) oldest = connection;
    }
    const bool full = shared_.connections.size() >= kMaxConnections;
    if (oldest != nullptr && (strangers >= kMaxStrangers || full)) return oldest->Close();
    if (!full) return;
    const std::shared_ptr<Connection> first = shared_.connections.front();
    first->Close();
  }

  void Tick() {
    if (Interrupted() != 0 || !shared_.handler->OnTick()) return shared_.context.stop();
    // A copy: a connection that fails leaves the list.
    const std::list<std::shared_ptr<Connection>> connections = shared_.connections;
    for (const std::shared_ptr<Connection>& connection : connections) connection->OnTick();
    if (stalled_) {
      stalled_ = false;
      Accept();
    }
    timer_.expires_after(kTick);
    timer_.async_wait([this](error_code) { Tick(); });
  }

  Shared shared_;
  tcp::acceptor acceptor_{shared_.context};
  asio::steady_timer timer_{shared_.context};
  bool stalled_ = false;
};

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::Open(const std::string& address, uint16_t port) {
  if (const int free = FreeDescriptors(kLeastDescriptors); free < kLeastDescriptors) {
    return Error{"too few files may be open",
                 "a page needs " + std::to_string(kLeastDescriptors) + ", and " +
                     std::to_string(free) + " are left",
                 "raise the limit (ulimit -n)"};
  }
  auto server = std::make_unique<BeastServer>();
  if (Status listening = server->Listen(address, port); !listening) return listening.error();
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace midwire::io
