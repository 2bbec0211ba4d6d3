// midwire view: its server against clients that are allowed, and against those that are not. What
// the page shows is tested in tests/browser.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <memory>
#include <optional>

#include "tests/eventually.h"
#include "tests/tools/command.h"
#include "tests/tools/tape.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using wire::Json;

// A connection to the server.
class Client {
 public:
  explicit Client(uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience = {.tv_sec = kPatience.count(), .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    connected_ = connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  bool connected() const { return connected_; }

  void Send(std::string_view text) const {
    (void)!send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
  }
  // Until `text` came or the server closed.
  std::string ReadUntil(std::string_view text) {
    while (got_.find(text) == got_.npos && ReadMore()) {
    }
    return got_;
  }
  // Until the server closed.
  std::string ReadAll() {
    while (ReadMore()) {
    }
    return got_;
  }

 private:
  bool ReadMore() {
    char piece[4096];
    const ssize_t size = recv(socket_, piece, sizeof piece, 0);
    if (size > 0) got_.append(piece, static_cast<size_t>(size));
    return size > 0;
  }

  int socket_;
  bool connected_ = false;
  std::string got_;
};

class ViewTest : public CommandTest {
 protected:
  void TearDown() override {
    if (server_ <= 0) return;
    EXPECT_EQ(Stop().code, 0);
  }

  // Starts the server, and takes the address that it prints.
  void Serve(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"view", "--no-open"});
    std::filesystem::remove(Path("out"));  // of a server before
    server_ = Start(arguments);
    ASSERT_TRUE(Eventually([&] { return ReadIfThere(Path("out")).ends_with('\n'); }))
        << ReadIfThere(Path("err"));
    const std::string address = ReadIfThere(Path("out"));
    const size_t host = address.find("//") + 2, path = address.find('/', host);
    host_ = address.substr(host, path - host);
    port_ = static_cast<uint16_t>(std::stoi(host_.substr(host_.find(':') + 1)));
    path_ = address.substr(path, address.find('?') - path);
    key_ = address.substr(address.find("key=") + 4);
    key_.pop_back();
  }
  Ran Stop(int signal = SIGINT) {
    kill(server_, signal);
    return Wait(std::exchange(server_, -1));
  }

  std::string Cookie() const { return "midwire-" + std::to_string(port_) + "=" + key_; }
  std::string Headers() const { return "Host: " + host_ + "\r\nCookie: " + Cookie() + "\r\n"; }
  // The whole answer to one request.
  std::string Ask(const std::string& line, const std::string& headers) const {
    Client client(port_);
    client.Send(line + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n");
    return client.ReadAll();
  }
  std::string Get(const std::string& target) const {
    return Ask("GET " + path_ + target, Headers());
  }
  Json GetJson(const std::string& target) const {
    const std::string answer = Get(target);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 "));
    const Result<Json> json = wire::ParseJson(answer.substr(answer.find("\r\n\r\n") + 4));
    EXPECT_TRUE(json.ok()) << answer;
    return json.ok() ? *json : Json();
  }
  std::string Body(const std::string& target) const {
    const std::string answer = Get(target);
    return answer.substr(answer.find("\r\n\r\n") + 4);
  }
  // The id of the trace of this name.
  std::string IdOf(const std::string& name) const {
    const Json list = GetJson("api/sessions");
    for (const Json& trace : list.Find("traces")->items) {
      if (trace.String("name") == name) return std::string(trace.String("id"));
    }
    return "";
  }
  std::string SaveTape(const std::string& name) {
    std::filesystem::create_directories(Path("tapes"));
    return Save("tapes/" + name, Session().Exit(0).bytes());
  }
  static Tape Session() {
    return Tape::Of({"python3", "/opt/notes-plugin.py"})
        .Us(100)
        .Host("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"fast\"}\n")
        .Us(50)
        .Plugin("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-3,\"message\":\"no\"}}\n")
        .Stderr("a line\n")
        .Host("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"slow\"}\n");
  }

  pid_t server_ = -1;
  std::string host_, path_, key_;
  uint16_t port_ = 0;
};

TEST_F(ViewTest, TheKeyInTheAddressBecomesACookie) {
  Serve({SaveTape("one.pcapng")});
  const std::string entered = Ask("GET " + path_ + "?key=" + key_, "Host: " + host_ + "\r\n");
  EXPECT_THAT(entered, StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(entered,
              HasSubstr("Set-Cookie: " + Cookie() + "; HttpOnly; SameSite=Strict; Path=" + path_));
  EXPECT_THAT(entered, HasSubstr("url=./"));
  const std::string page = Get("");
  EXPECT_THAT(page, HasSubstr("<!DOCTYPE html>"));
  EXPECT_THAT(page, HasSubstr("connect-src 'self'"));
  EXPECT_THAT(page, Not(HasSubstr(key_)));
  EXPECT_THAT(page, HasSubstr("Cache-Control: no-store"));
}

TEST_F(ViewTest, NoKeyNoAnswer) {
  Serve({SaveTape("one.pcapng")});
  const std::string host = "Host: " + host_ + "\r\n";
  for (const char* target : {"", "?key=", "?key=0123", "api/sessions", "api/stream"}) {
    const std::string answer = Ask("GET " + path_ + target, host);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 403 ")) << target;
    EXPECT_THAT(answer, Not(HasSubstr(key_)));
  }
  for (const std::string& cookie : {std::string("x"), "midwire-1=" + key_, Cookie() + "0", key_}) {
    EXPECT_THAT(Ask("GET " + path_ + "api/sessions", host + "Cookie: " + cookie + "\r\n"),
                StartsWith("HTTP/1.1 403 "))
        << cookie;
  }
}

TEST_F(ViewTest, AnotherHostOrOriginIsRefusedEvenWithTheKey) {
  Serve({SaveTape("one.pcapng")});
  const std::string line = "GET " + path_ + "api/sessions", cookie = "Cookie: " + Cookie() + "\r\n";
  for (const std::string& host : {"evil.example:" + std::to_string(port_), std::string("127.0.0.1"),
                                  std::string("127.0.0.1:1"), std::string()}) {
    EXPECT_THAT(Ask(line, "Host: " + host + "\r\n" + cookie), StartsWith("HTTP/1.1 403 ")) << host;
  }
  EXPECT_THAT(Ask(line, cookie), StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(Ask(line, Headers() + "Host: evil.example\r\n"), StartsWith("HTTP/1.1 400 "));
  for (const char* origin : {"http://evil.example", "null", "http://127.0.0.1:1"}) {
    EXPECT_THAT(Ask(line, Headers() + "Origin: " + origin + "\r\n"), StartsWith("HTTP/1.1 403 "))
        << origin;
  }
  EXPECT_THAT(Ask(line, Headers() + "Sec-Fetch-Site: cross-site\r\n"), StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(Ask(line, Headers() + "Origin: http://" + host_ + "\r\n"),
              StartsWith("HTTP/1.1 200 "));
}

TEST_F(ViewTest, NothingCanBeWritten) {
  Serve({SaveTape("one.pcapng")});
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"}) {
    EXPECT_THAT(Ask(std::string(method) + " " + path_ + "api/sessions", Headers()),
                StartsWith("HTTP/1.1 405 "))
        << method;
  }
  EXPECT_THAT(Ask("GET " + path_, Headers() + "Content-Length: 3\r\n\r\nabc"),
              StartsWith("HTTP/1.1 413 "));
}

TEST_F(ViewTest, AHeadRequestHasNoBody) {
  Serve({SaveTape("one.pcapng")});
  const std::string answer = Ask("HEAD " + path_ + "api/sessions", Headers());
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 "));
  EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
}

TEST_F(ViewTest, NoFileOutsideTheFolderIsServed) {
  const std::string outside = Save("outside.pcapng", Session().bytes());
  SaveTape("one.pcapng");
  Save("tapes/notes.txt", "no trace");
  std::filesystem::create_symlink(outside, Path("tapes/link.pcapng"));
  ASSERT_EQ(mkfifo(Path("tapes/pipe.pcapng").c_str(), 0600), 0);
  std::filesystem::create_directory(Path("tapes/folder.pcapng"));
  Serve({Path("tapes")});
  const Json list = GetJson("api/sessions");
  const std::vector<Json>& traces = list.Find("traces")->items;
  ASSERT_EQ(traces.size(), 1u);
  EXPECT_EQ(traces[0].String("name"), "one.pcapng");
  for (const char* target :
       {"../outside.pcapng", "api/index?trace=../outside.pcapng", "api/index?trace=link.pcapng",
        "api/index?trace=t2", "api/bytes?trace=..%2Foutside.pcapng", "%2e%2e/%2e%2e/etc/passwd"}) {
    EXPECT_THAT(Get(target),
                testing::AnyOf(StartsWith("HTTP/1.1 400 "), StartsWith("HTTP/1.1 404 ")))
        << target;
  }
}

TEST_F(ViewTest, AFileThatBecomesALinkIsNotFollowed) {
  const std::string outside = Save("outside.pcapng", Session().bytes());
  const std::string tape = SaveTape("one.pcapng");
  Serve({Path("tapes")});
  const std::string id = IdOf("one.pcapng");
  std::filesystem::remove(tape);
  std::filesystem::create_symlink(outside, tape);
  EXPECT_THAT(Get("api/index?trace=" + id), StartsWith("HTTP/1.1 404 "));
}

TEST_F(ViewTest, TheListCountsMessagesFailuresAndOpenCalls) {
  SaveTape("one.pcapng");
  Serve({Path("tapes")});
  const Json list = GetJson("api/sessions");
  const Json& trace = list.Find("traces")->items.at(0);
  EXPECT_EQ(trace.String("title"), "notes-plugin.py");
  EXPECT_EQ(trace.Find("messages")->Integer(), 3);
  EXPECT_EQ(trace.Find("failed")->Integer(), 1);
  EXPECT_EQ(trace.Find("open")->Integer(), 1);
  EXPECT_EQ(trace.String("exit"), "exit 0");
  EXPECT_FALSE(trace.Find("live")->boolean);
}

TEST_F(ViewTest, ACallThatWasCancelledIsNotOpen) {
  constexpr char kStart[] =
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
      R"("capabilities":{},"clientInfo":{"name":"h","version":"1"}}})"
      "\n";
  constexpr char kCall[] = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}})"
                           "\n";
  constexpr char kCancel[] =
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"
      "\n";
  std::filesystem::create_directories(Path("tapes"));
  Tape tape = Tape::Of({"p"});
  Save("tapes/one.pcapng", tape.Host(kStart).Host(kCall).Host(kCancel).Exit(0).bytes());
  Serve({Path("tapes")});
  const Json list = GetJson("api/sessions");
  EXPECT_EQ(list.Find("traces")->items.at(0).Find("open")->Integer(), 1);
}

TEST_F(ViewTest, RowsAndBytesAreReadInPieces) {
  Serve({SaveTape("one.pcapng")});
  const std::string id = IdOf("one.pcapng");
  const Json index = GetJson("api/index?trace=" + id + "&from=1&count=2");
  EXPECT_EQ(index.Find("from")->Integer(), 1);
  EXPECT_EQ(index.Find("total")->Integer(), 7);
  EXPECT_EQ(index.Find("rows")->Find("count")->Integer(), 2);
  EXPECT_EQ(GetJson("api/index?trace=" + id + "&from=-3").Find("from")->Integer(), 4);
  EXPECT_EQ(Body("api/bytes?trace=" + id + "&row=3"), "a line");
  EXPECT_THAT(Body("api/bytes?trace=" + id + "&row=1&rows=2"),
              testing::AllOf(StartsWith("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"fast\"}\n"),
                             testing::EndsWith("\"no\"}}\n")));
  EXPECT_THAT(Get("api/bytes?trace=" + id + "&row=6&rows=2"), StartsWith("HTTP/1.1 404 "));
}

TEST_F(ViewTest, HandlesLeadToTheRowsThatUseThem) {
  Serve({SourceFolder() + "/corpora/codex/sessions/golden.pcapng"});
  const Json index = GetJson("api/index?trace=t1");
  const Json* handles = index.Find("handles");
  ASSERT_NE(handles, nullptr);
  const Json& first = handles->items.at(0);
  EXPECT_GE(first.Find("rows")->items.size(), 2u);
  // Of a part, only what is in it.
  const int64_t row = *first.Find("rows")->items.at(1).Integer();
  const Json part = GetJson("api/index?trace=t1&from=" + std::to_string(row) + "&count=1");
  EXPECT_EQ(part.Find("handles")->items.at(0).Find("rows")->items.at(0).Integer(), 0);
}

TEST_F(ViewTest, EventsFollowATapeThatGrows) {
  const std::string whole = Session().Exit(0).bytes();
  const std::string before = Session().bytes();
  std::filesystem::create_directories(Path("tapes"));
  Save("tapes/one.pcapng", before);
  Serve({Path("tapes")});
  const std::string id = IdOf("one.pcapng");
  EXPECT_EQ(GetJson("api/index?trace=" + id).Find("total")->Integer(), 5);
  Client client(port_);
  client.Send("GET " + path_ + "api/stream?trace=" + id + "&row=3 HTTP/1.1\r\n" + Headers() +
              "\r\n");
  EXPECT_THAT(client.ReadUntil("event: rows"), HasSubstr("event: session\n"));
  EXPECT_THAT(client.ReadUntil("id: 5\n"), Not(HasSubstr("event: end")));
  std::ofstream(Path("tapes/one.pcapng"), std::ios::binary | std::ios::app)
      << whole.substr(before.size());
  const std::string events = client.ReadUntil("event: end");
  EXPECT_THAT(events, HasSubstr("id: 7\nevent: rows\n"));
  EXPECT_THAT(events, HasSubstr("event: end\n"));
}

TEST_F(ViewTest, WhatBecomesKnownOfARowLaterIsAnEvent) {
  const std::string before = Session().bytes();
  const std::string whole =
      Session().Event(trace::ClosedEvent{"host-to-plugin", 20}).Exit(1).bytes();
  std::filesystem::create_directories(Path("tapes"));
  Save("tapes/one.pcapng", before);
  Serve({Path("tapes")});
  Client client(port_);
  client.Send("GET " + path_ + "api/stream?trace=" + IdOf("one.pcapng") +
              "&row=5&base=2 HTTP/1.1\r\n" + Headers() + "\r\n");
  EXPECT_THAT(client.ReadUntil("event: session"), Not(HasSubstr("event: flags")));
  std::ofstream(Path("tapes/one.pcapng"), std::ios::binary | std::ios::app)
      << whole.substr(before.size());
  EXPECT_THAT(client.ReadUntil("event: end"),
              HasSubstr("event: flags\ndata: {\"rows\":[2],\"flags\":[32]}\n"));
}

TEST_F(ViewTest, ATraceThatIsTruncatedOrReplacedIsReset) {
  std::filesystem::create_directories(Path("tapes"));
  for (const bool replaced : {false, true}) {
    const std::string tape = Save("tapes/one.pcapng", Session().bytes());
    Serve({Path("tapes")});
    const std::string id = IdOf("one.pcapng");
    GetJson("api/index?trace=" + id);
    Client client(port_);
    client.Send("GET " + path_ + "api/stream?trace=" + id + "&row=5 HTTP/1.1\r\n" + Headers() +
                "\r\n");
    client.ReadUntil("event: session");
    const std::string other = Tape::Of({"p"}).Host("{\"id\":1,\"method\":\"other\"}\n").bytes();
    if (replaced) {
      Save("new.pcapng", other);
      std::filesystem::rename(Path("new.pcapng"), tape);
    } else {
      WriteFile(tape, other);
    }
    EXPECT_THAT(client.ReadUntil("event: reset"), HasSubstr("event: reset\n"));
    EXPECT_THAT(Get("api/index?trace=" + id), HasSubstr("\"other\""));
    EXPECT_EQ(Stop().code, 0);
  }
}

TEST_F(ViewTest, RequestsThatAreTooLargeOrNoneAreRefused) {
  Serve({SaveTape("one.pcapng")});
  EXPECT_THAT(Ask("GET " + path_, Headers() + "X: " + std::string(20000, 'x') + "\r\n"),
              StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(Ask("GET /" + std::string(20000, 'x'), Headers()), StartsWith("HTTP/1.1 431 "));
  Client client(port_);
  client.Send("\x16\x03\x01\x02\n\n\n\n");
  EXPECT_THAT(client.ReadAll(), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(Get("api/sessions"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(ViewTest, ClientsThatSendNothingDoNotLockOthersOut) {
  Serve({SaveTape("one.pcapng")});
  std::vector<std::unique_ptr<Client>> idle;
  for (int i = 0; i < 200; ++i) {
    idle.push_back(std::make_unique<Client>(port_));
    if (i % 2 == 0) idle.back()->Send("GET / HTTP/1.1\r\nX: ");
  }
  EXPECT_THAT(Get("api/sessions"), StartsWith("HTTP/1.1 200 "));
  // The first ones have been disconnected, the last in their time.
  EXPECT_EQ(idle.front()->ReadAll(), "");
  EXPECT_EQ(idle.back()->ReadAll(), "");
}

TEST_F(ViewTest, AStreamIsNotClosedByStrangers) {
  SaveTape("one.pcapng");
  Serve({Path("tapes")});
  Client stream(port_);
  stream.Send("GET " + path_ + "api/stream HTTP/1.1\r\n" + Headers() + "\r\n");
  stream.ReadUntil("one.pcapng");
  std::vector<std::unique_ptr<Client>> idle;
  for (int i = 0; i < 100; ++i) idle.push_back(std::make_unique<Client>(port_));
  SaveTape("two.pcapng");
  EXPECT_THAT(stream.ReadUntil("two.pcapng"), HasSubstr("two.pcapng"));
}

TEST_F(ViewTest, OnceEndsWithItsLastPage) {
  Serve({SaveTape("one.pcapng"), "--once"});
  {
    Client stream(port_);
    stream.Send("GET " + path_ + "api/stream HTTP/1.1\r\n" + Headers() + "\r\n");
    EXPECT_THAT(stream.ReadUntil("event: sessions"), HasSubstr("event: sessions"));
  }
  EXPECT_EQ(Wait(std::exchange(server_, -1)).code, 0);
}

TEST_F(ViewTest, ASignalEndsIt) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Serve({SaveTape("one.pcapng")});
    EXPECT_EQ(Stop(signal).code, 0);
  }
}

TEST_F(ViewTest, TheDefaultFolderIsThatOfRecordedSessions) {
  Serve({});
  EXPECT_EQ(GetJson("api/sessions").Find("traces")->items.size(), 0u);
  ASSERT_EQ(Run({"record", "--", "true"}).code, 0);
  EXPECT_TRUE(
      Eventually([&] { return GetJson("api/sessions").Find("traces")->items.size() == 1; }));
}

TEST_F(ViewTest, NoProcessHasTheKeyInItsArguments) {
  std::filesystem::create_directories(Path("bin"));
  Save("bin/xdg-open", "#!/bin/sh\necho \"$@\" > " + Path("arguments.part") + "\ncp \"$2$1\" " +
                           Path("redirect") + "\nmv " + Path("arguments.part") + " " +
                           Path("arguments") + "\n");
  std::filesystem::permissions(Path("bin/xdg-open"), std::filesystem::perms::owner_all);
  const std::string path = getenv("PATH");
  setenv("PATH", (Path("bin") + ":" + path).c_str(), 1);
  server_ = Start({"view", SaveTape("one.pcapng")});
  ASSERT_TRUE(Eventually([&] { return std::filesystem::exists(Path("arguments")); }));
  setenv("PATH", path.c_str(), 1);
  const std::string redirect = ReadFile(Path("redirect"));
  EXPECT_THAT(redirect, HasSubstr("?key="));
  const std::string key = redirect.substr(redirect.find("key=") + 4, 32);
  EXPECT_THAT(ReadFile(Path("arguments")), Not(HasSubstr(key)));
  EXPECT_THAT(ReadFile("/proc/" + std::to_string(server_) + "/cmdline"), Not(HasSubstr(key)));
  std::string file = ReadFile(Path("arguments"));
  file.pop_back();
  struct stat status;
  ASSERT_EQ(stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  const Ran ran = Stop();
  EXPECT_THAT(ran.err, Not(HasSubstr(key)));
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(ViewTest, TheSampleIsASession) {
  Serve({"--sample"});
  const Json list = GetJson("api/sessions");
  EXPECT_GT(list.Find("traces")->items.at(0).Find("messages")->Integer(), 10);
  EXPECT_EQ(Run({"view", "--sample", Path("x.pcapng")}, Path("other")).code, 2);
}

TEST_F(ViewTest, WithoutEnoughFilesForAPageItDoesNotBegin) {
  const std::string command = "sh -c \"ulimit -n 8; exec timeout 5 '" + MidwirePath() +
                              "' view --sample --no-open\" > " + Path("other") + " 2> " +
                              Path("err");
  EXPECT_EQ(WEXITSTATUS(system(command.c_str())), 2);
  EXPECT_EQ(ReadFile(Path("other")), "");
  EXPECT_THAT(ReadFile(Path("err")), HasSubstr("raise the limit (ulimit -n)"));
}

TEST_F(ViewTest, MistakesAreNamed) {
  const std::string tape = SaveTape("one.pcapng");
  EXPECT_THAT(Run({"view", Path("none.pcapng")}).err, HasSubstr("none.pcapng"));
  EXPECT_EQ(Run({"view", "-"}).code, 2);
  EXPECT_THAT(Run({"view", "--no-open", Save("t.txt", "hello")}, Path("other")).err,
              HasSubstr("not a trace: "));
  EXPECT_THAT(Run({"view", tape, "--port", "99999"}).err, HasSubstr("--port"));
  EXPECT_THAT(Run({"view", tape, "--listen", "example.com"}).err, HasSubstr("127.0.0.1"));
  Serve({tape});
  const Ran taken = Run({"view", tape, "--port", std::to_string(port_)}, Path("other"));
  EXPECT_EQ(taken.code, 2);
  EXPECT_THAT(taken.err, HasSubstr("cannot listen"));
}

}  // namespace
}  // namespace midwire::tools
