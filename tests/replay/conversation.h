// The test language of replay: a session that was recorded and one that is live, both as text that
// reads like a conversation. The live one says what the peer does; what the player does in return
// must stand right there, so a script pins order and time of every message. No processes, no clock.
//
//   ExpectReplays(Host(), R"(
//     -> {"id":1,"method":"a"}       the recorded session: -> host to plugin, <- plugin to host
//     <- {"id":1,"result":1}
//   )", R"(
//     -> {"id":1,"method":"a"}       the player must send this before anything else happens
//     <- {"id":1,"result":2}         the peer says this
//     closes                         the player closes its end
//     differs 2 a /result: 1 | 2     the report: FINDING NUMBER METHOD POINTER: EXPECTED | GOT
//   )");                             (- is nothing)
//
// => and <= are messages with a Content-Length header, <. is bytes without a line end; anything
// after an arrow that is not JSON is junk. Other lines of the recorded session: at TIME, header
// JSON, spawn, spawn in CWD, eof host, eof plugin, signal N, exit N, exit signal N, stderr TEXT,
// end, session. Of the live one: wait TIME, eof, exit N, exit signal N, full, room, busy, idle (as
// at first), stirs (busy from the next message of the player on), more (when the next message has
// been read, the one after it lies in the pipe); other actions of the player: closes, signals N,
// says TEXT, finishes; other lines of the report: same, note TEXT, bound NAME RECORDED.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "replay/load.h"
#include "replay/play/player.h"
#include "tests/lines.h"
#include "tests/trace/script.h"
#include "wire/json/parts.h"

namespace midwire::replay {

// "250ms", "1.5s" in nanoseconds.
inline int64_t TimeOf(std::string_view text) {
  const double number = std::stod(std::string(text));
  return static_cast<int64_t>(number * (text.ends_with("ms") ? 1e6 : 1e9));
}

// The bytes that a line with an arrow stands for.
inline std::string BytesOf(std::string_view line) {
  const std::string_view body = line.substr(3);
  if (line[1] == '.') return std::string(body);
  return line[1] == '=' || line[0] == '=' ? WithLength(body) : std::string(body) + "\n";
}

// A script's word after `first`, or nothing when it begins otherwise.
inline bool Follows(std::string_view line, std::string_view first, std::string_view* rest) {
  if (!line.starts_with(first)) return false;
  *rest = line.substr(first.size());
  return true;
}

inline bool IsArrow(std::string_view line) {
  return line.starts_with("-> ") || line.starts_with("<- ") || line.starts_with("=> ") ||
         line.starts_with("<= ") || line.starts_with("<. ");
}

inline ExitStatus ExitOf(std::string_view rest) {
  std::string_view number;
  if (Follows(rest, "signal ", &number)) return {.signal = std::stoi(std::string(number))};
  return {.code = std::stoi(std::string(rest))};
}

// The tape of a recorded session.
inline std::string TapeOf(std::string_view script) {
  std::string tapes;
  std::vector<trace::Rec> recs;
  int64_t now = 0;
  for (const std::string& line : LinesOf(script)) {
    std::string_view rest;
    if (IsArrow(line)) {
      const bool host = line.find('>') == 1;
      recs.push_back({host ? trace::Stream::kHostToPlugin : trace::Stream::kPluginToHost, "",
                      BytesOf(line), now});
    } else if (Follows(line, "at ", &rest)) {
      now = 1'000'000'000'000 + TimeOf(rest);
    } else if (Follows(line, "header ", &rest)) {
      recs.push_back(trace::Happened(trace::HeaderEvent{std::string(rest)}, now));
    } else if (Follows(line, "spawn in ", &rest)) {
      recs.push_back(
          trace::Happened(trace::SpawnEvent{.argv = {"plugin"}, .cwd = std::string(rest)}, now));
    } else if (line == "spawn") {
      recs.push_back(trace::Happened(trace::SpawnEvent{.argv = {"plugin"}}, now));
    } else if (line == "eof host") {
      recs.push_back(trace::Happened(trace::EofEvent{"host-to-plugin"}, now));
    } else if (line == "eof plugin") {
      recs.push_back(trace::Happened(trace::EofEvent{"plugin-to-host"}, now));
    } else if (Follows(line, "signal ", &rest)) {
      recs.push_back(trace::Happened(trace::SignalEvent{std::stoi(std::string(rest))}, now));
    } else if (Follows(line, "exit ", &rest)) {
      recs.push_back(trace::Happened(ExitOf(rest), now));
    } else if (Follows(line, "stderr ", &rest)) {
      recs.push_back(trace::Log(std::string(rest) + "\n", now));
    } else if (line == "end") {
      recs.push_back(trace::Happened(trace::EndEvent{}, now));
    } else if (line == "session") {
      tapes += trace::Tape(recs);
      recs.clear();
    } else {
      ADD_FAILURE() << "not in the language of recorded sessions: " << line;
    }
  }
  return tapes + trace::Tape(recs);
}

// The role that is played, and its options.
struct Role {
  PlayerOptions options;
  Declarations declared = Declarations::WithDefaults();
  size_t chunk = SIZE_MAX;  // the peer's bytes come in pieces of this size
  bool shows_text = false;  // the report's sentences, too
  bool stirs = false;       // the peer is busy from the first message of the player on

  Role& Ordered(Order order) { return options.order = order, *this; }
  Role& Stirs() { return stirs = true, *this; }
  Role& Speed(double speed) { return options.speed = speed, *this; }
  Role& WaitsAsRecorded() { return options.waits_as_recorded = true, *this; }
  Role& Timeout(std::string_view time) { return options.timeout_ns = TimeOf(time), *this; }
  Role& OnExtras(OnExtra extra) { return options.on_extra = extra, *this; }
  Role& WhenExhausted(OnExhausted exhausted) { return options.exhausted = exhausted, *this; }
  Role& InProcess() { return options.process = false, *this; }
  Role& Ignore(const char* place) {
    return declared.ignores.push_back(*ParseScopedPlace(place)), *this;
  }
  Role& Shaped(const char* shape) {
    return declared.shapes.push_back(*ParseShapedPlace(shape)), *this;
  }
  Role& Unordered(const char* place) {
    return declared.unordered.push_back(*ParseScopedPlace(place)), *this;
  }
  Role& Chunked(const char* place) {
    return declared.chunked.push_back(*ParseScopedPlace(place)), *this;
  }
  Role& Floating(const char* scope) {
    return declared.floating_methods.push_back(*wire::ParseMethodScope(scope)), *this;
  }
  Role& Volatile(const char* scope) {
    return declared.volatile_methods.push_back(*wire::ParseMethodScope(scope)), *this;
  }
  Role& Bound(const char* bind) { return declared.binds.push_back(*ParseBind(bind)), *this; }
  Role& In(const char* cwd, const char* home = "", int64_t pid = 0) {
    return declared.host = {cwd, home, pid}, *this;
  }
  Role& Map(const char* map) { return declared.maps.push_back(*ParseMap(map)), *this; }
  Role& BindOff() { return declared.infer_binds = false, *this; }
  Role& Chunks(size_t size) { return chunk = size, *this; }
  Role& ShowText() { return shows_text = true, *this; }
};
inline Role Host() { return {}; }
inline Role Mock() {
  Role role;
  role.options.ours = Direction::kPluginToHost;
  return role;
}

inline std::unique_ptr<Loaded> LoadTape(std::string tape, const Role& role) {
  auto reader = trace::OpenTrace(std::make_unique<trace::StringSource>(std::move(tape)));
  if (!reader) {
    ADD_FAILURE() << reader.error().Text();
    return nullptr;
  }
  auto loaded = Load(reader->get(), role.options.ours, role.declared, /*keep_stderr=*/true);
  if (!loaded) {
    ADD_FAILURE() << loaded.error().Text();
    return nullptr;
  }
  return std::move(*loaded);
}

// A report as lines of the language.
inline std::string Reported(const ReplayReport& report, bool shows_text = false) {
  std::string reported;
  for (const Difference& item : report.differences) {
    std::string line = std::string(Name(item.difference));
    line += item.frame == 0 ? " -" : " " + std::to_string(item.frame);
    if (!item.method.empty()) line += " " + item.method;
    if (!item.pointer.empty()) line += " " + item.pointer;
    if (!item.expected.empty() || !item.got.empty()) {
      const auto shown = [](std::string value) {
        while (value.ends_with('\n')) value.pop_back();
        return value.empty() ? "-" : value;
      };
      line += ": " + shown(item.expected) + " | " + shown(item.got);
    }
    if (item.closest != 0) line += " closest " + std::to_string(item.closest);
    if (shows_text && !item.text.empty()) line += " (" + item.text + ")";
    for (const std::string& pointer : item.also) line += shows_text ? " also " + pointer : "";
    if (shows_text && item.also_count > 0) line += " of " + std::to_string(item.also_count);
    reported += line + "\n";
  }
  if (report.difference_count > report.differences.size()) {
    reported += std::to_string(report.difference_count) + " in all\n";
  }
  if (report.same()) reported += "same\n";
  for (const BindingUse& use : report.bindings) {
    if (use.replaced) reported += "bound " + use.name + " " + use.recorded + "\n";
  }
  for (const std::string& note : report.notes) reported += "note " + note + "\n";
  return reported;
}

// A recorded session of two requests, one after the other.
inline constexpr char kTwoCalls[] = R"(
  -> {"id":1,"method":"a"}
  <- {"id":1,"result":1}
  -> {"id":2,"method":"b"}
  <- {"id":2,"result":2}
)";

// A run: the peer's side by hand, what the player does as lines.
class LiveRun : private PlayerActions {
 public:
  LiveRun(std::string tape, const Role& role)
      : role_(role), loaded_(LoadTape(std::move(tape), role)), stirs_(role.stirs) {
    player_ = std::make_unique<Player>(&loaded_->script, &loaded_->frames, &loaded_->declared,
                                       &loaded_->bindings, role.options);
    player_->OnStart(now_, this);
  }

  void Say(std::string_view bytes) {
    const bool more = std::exchange(more_, false);
    for (; !bytes.empty(); bytes.remove_prefix(std::min(role_.chunk, bytes.size()))) {
      unread_ = more || bytes.size() > role_.chunk;
      player_->OnBytes(bytes.substr(0, role_.chunk), now_, this);
    }
  }
  void Pass(int64_t ns) {
    const int64_t end = now_ + ns;
    while (!player_->finished() && player_->Deadline() <= end) {
      // A deadline that has passed and stays would spin a real loop forever.
      const int64_t due = player_->Deadline();
      now_ = std::max(now_, due);
      player_->OnTime(now_, this);
      if (player_->finished() || player_->Deadline() > now_) continue;
      ADD_FAILURE() << "a deadline that does not move on";
      break;
    }
    now_ = end;
  }
  void Eof() { player_->OnEof(now_, this); }
  void Exit(const ExitStatus& status) { player_->OnExit(status, now_, this); }
  void SetFull(bool full) {
    full_ = full;
    if (!full) player_->OnRoom(now_, this);
  }

  // One line of a live script; false: the player's, not the peer's.
  bool Happens(std::string_view line) {
    std::string_view rest;
    if (IsArrow(line)) {
      const Direction direction =
          line.find('>') == 1 ? Direction::kHostToPlugin : Direction::kPluginToHost;
      if (direction == role_.options.ours) return false;
      Say(BytesOf(line));
    } else if (Follows(line, "wait ", &rest)) {
      Pass(TimeOf(rest));
    } else if (Follows(line, "exit ", &rest)) {
      Exit(ExitOf(rest));
    } else if (line == "eof") {
      Eof();
    } else if (line == "full" || line == "room") {
      SetFull(line == "full");
    } else if (line == "busy" || line == "idle") {
      idle_ = line == "idle";
      stirs_ = false;
    } else if (line == "stirs") {
      stirs_ = true;
    } else if (line == "more") {
      more_ = true;
    } else {
      return false;
    }
    return true;
  }

  // The peer goes, as soon as a script has nothing more.
  std::string End() {
    Leave();
    if (!player_->finished()) return "it never finished\n";
    return Reported(TakeReport(), role_.shows_text);
  }
  void Leave() {
    if (!player_->finished()) {
      const bool closed = Took("closes\n");
      Eof();
      if (role_.options.ours == Direction::kHostToPlugin) Exit({.code = 0});
      Pass(60'000'000'000);
      Took("finishes\n");
      if (closed) done_ += "closes\n";
    }
  }
  ReplayReport TakeReport() {
    ReplayReport report = player_->TakeReport();
    loaded_->host.Report(&report);
    return report;
  }

  // What the player did since it was asked last.
  std::string Done() { return std::exchange(done_, ""); }
  const std::string& sent() const { return sent_; }
  Player& player() { return *player_; }
  Loaded& loaded() { return *loaded_; }

 private:
  bool Took(std::string_view line) {
    if (!done_.ends_with(line)) return false;
    done_.resize(done_.size() - line.size());
    return true;
  }
  void Send(std::string_view frame) override {
    EXPECT_FALSE(full_) << "sent although full";
    EXPECT_FALSE(player_->finished()) << "sent although finished";
    EXPECT_FALSE(closed_) << "sent although closed";
    sent_ += frame;
    if (std::exchange(stirs_, false)) idle_ = false;
    const bool host = role_.options.ours == Direction::kHostToPlugin;
    const size_t head = frame.find("\r\n\r\n");
    if (frame.ends_with('\n') && frame.find('\n') == frame.size() - 1) {
      done_ += (host ? "-> " : "<- ") + std::string(frame);
    } else if (head != frame.npos && WithLength(frame.substr(head + 4)) == frame) {
      done_ += (host ? "=> " : "<= ") + std::string(frame.substr(head + 4)) + "\n";
    } else {
      done_ += "sends " + testing::PrintToString(std::string(frame)) + "\n";
    }
  }
  bool Full() const override { return full_; }
  bool PeerIsIdle() override { return idle_ && !unread_; }
  size_t Unread() override { return unread_ ? 1 : 0; }
  void Close() override {
    EXPECT_FALSE(closed_) << "closed twice";
    closed_ = true;
    done_ += "closes\n";
  }
  void Signal(int number) override { done_ += "signals " + std::to_string(number) + "\n"; }
  void Stderr(std::string_view bytes) override { done_ += "says " + std::string(bytes); }
  void Finish() override { done_ += "finishes\n"; }

  const Role role_;
  std::unique_ptr<Loaded> loaded_;
  std::unique_ptr<Player> player_;
  int64_t now_ = 5'000'000'000'000;
  bool full_ = false, closed_ = false, idle_ = true, stirs_;
  bool more_ = false, unread_ = false;
  std::string done_, sent_;
};

inline std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// What really happens when the live script's peer acts so.
inline std::string Transcript(const Role& role, std::string_view recorded, std::string_view live) {
  LiveRun run(TapeOf(recorded), role);
  std::string transcript = run.Done();
  for (const std::string& line : LinesOf(live)) {
    if (!run.Happens(line)) continue;
    transcript += line + "\n" + run.Done();
  }
  const std::string report = run.End();
  return transcript + run.Done() + report;
}

inline void ExpectReplays(const Role& role, std::string_view recorded, std::string_view live,
                          const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const testing::ScopedTrace trace(file, line, "the conversation that begins here");
  const std::string expected = Joined(LinesOf(live));
  EXPECT_EQ(expected, Transcript(role, recorded, live));
  // However the peer's bytes are cut, it is the same conversation.
  Role split = role;
  split.chunk = 3;
  EXPECT_EQ(Transcript(role, recorded, live), Transcript(split, recorded, live));
}

}  // namespace midwire::replay
