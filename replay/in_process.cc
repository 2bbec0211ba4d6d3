#include "replay/in_process.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "wire/decoder.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

// Extracts the body of one frame of ours.
class SentBody : private wire::FrameHandler {
 public:
  explicit SentBody(std::string_view frame) : body_(frame) {
    wire::Decoder decoder(wire::Framing::kAuto, std::max(frame.size(), wire::kKeepBytes));
    decoder.Feed(frame, this);
    decoder.Finish(this);
  }
  const std::string& body() const { return body_; }
  const wire::Message& message() const { return message_; }

 private:
  void OnFrame(const wire::Frame& frame, const wire::Message& message) override {
    body_ = frame.body();
    message_ = message;
  }
  void OnJunk(const wire::Junk&) override {}  // passed on as it is

  std::string body_;
  wire::Message message_;
};

// Whether the recorded plugin framed with Content-Length; if it sent nothing, whether its host did.
bool FramesWithLength(const Script& script) {
  bool found = false;
  for (const Step& step : script.steps) {
    if (step.direction == Direction::kPluginToHost) return step.content_length;
    found = step.content_length;
  }
  return found;
}

std::string Framed(std::string_view body, bool content_length) {
  if (content_length) {
    return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
  }
  std::string line(body);
  // JSON over several lines means the same on one.
  if (line.find('\n') != line.npos && wire::IsLooseJson(wire::Trimmed(line))) {
    for (char& c : line) {
      if (c == '\n' || c == '\r') c = ' ';
    }
  }
  return line + '\n';
}

class Run : private PlayerActions {
 public:
  Run(Loaded* loaded, const Dispatcher& dispatcher, const PlayerOptions& options)
      : dispatcher_(dispatcher),
        content_length_(FramesWithLength(loaded->script)),
        player_(&loaded->script, &loaded->frames, &loaded->declared, &loaded->bindings, options),
        calls_left_(loaded->script.steps.size() + kMaxMadeUp) {}

  ReplayReport Play() {
    // The dispatcher may keep it beyond the run; then it must do nothing.
    const auto self = std::make_shared<Run*>(this);
    const Emit emit = [self](std::string_view body) {
      if (*self) (*self)->OnEmit(body);
    };
    player_.OnStart(now_, this);
    while (!player_.finished()) {
      if (failure_) {
        player_.OnEof(now_, this);
      } else if (message_) {
        Call(emit);
      } else if (player_.Deadline() != kNever) {
        now_ = player_.Deadline();
        player_.OnTime(now_, this);
      } else {
        player_.OnEof(now_, this);  // nothing more can arrive
      }
    }
    *self = nullptr;
    ReplayReport report = player_.TakeReport();
    if (failure_) {
      ++report.difference_count;
      if (report.differences.size() == kMaxDifferences) report.differences.pop_back();
      report.differences.insert(report.differences.begin(), std::move(*failure_));
    }
    return report;
  }

 private:
  void Send(std::string_view frame) override { message_.emplace(frame); }
  // One at a time, and none during a call: the player gets all messages of one call before it
  // continues.
  bool Full() const override { return message_ || calling_ || failure_; }
  void Close() override {}
  void Signal(int) override {}
  void Stderr(std::string_view) override {}
  void Finish() override {}

  void OnEmit(std::string_view body) {
    if (!failure_) player_.OnBytes(Framed(body, content_length_), now_, this);
  }

  void Call(const Emit& emit) {
    const SentBody sent(*message_);
    message_.reset();
    if (calls_left_-- == 0) {
      return Fail(DifferenceKind::kHung, "its requests never end", sent.message().method);
    }
    calling_ = true;
    try {
      dispatcher_(sent.body(), emit);
    } catch (const std::exception& thrown) {
      Fail(DifferenceKind::kEnded, std::string("the dispatcher threw: ") + thrown.what(),
           sent.message().method);
    } catch (...) {
      Fail(DifferenceKind::kEnded, "the dispatcher threw something that is not a std::exception",
           sent.message().method);
    }
    calling_ = false;
    if (!failure_) player_.OnRoom(now_, this);
  }

  void Fail(DifferenceKind kind, std::string text, std::string method) {
    failure_ = Difference{.difference = kind, .method = std::move(method), .text = std::move(text)};
  }

  const Dispatcher& dispatcher_;
  const bool content_length_;
  Player player_;
  size_t calls_left_;
  int64_t now_ = 0;
  std::optional<std::string> message_;  // a frame that the dispatcher has not received yet
  bool calling_ = false;
  std::optional<Difference> failure_;
};

}  // namespace

ReplayReport PlayInProcess(Loaded* loaded, const Dispatcher& dispatcher, PlayerOptions options) {
  options.ours = Direction::kHostToPlugin;
  options.process = false;
  options.timeout_ns = kNever;
  loaded->bindings.Forget();
  return Run(loaded, dispatcher, options).Play();
}

}  // namespace midwire::replay
