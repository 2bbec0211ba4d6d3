#include "trace/event.h"

#include <cstring>
#include <type_traits>

#include "wire/exchange.h"
#include "wire/json/base64.h"
#include "wire/json/parts.h"
#include "wire/json/value.h"
#include "wire/json/writer.h"

namespace midwire::trace {
namespace {

using wire::Json;

// An event's object: its name first.
class EventWriter {
 public:
  explicit EventWriter(std::string_view event) {
    json_.Open('{');
    Text("event", event);
  }

  void Text(wire::JsonKey name, std::string_view text) { json_.Key(name).Text(text); }
  // Arguments and paths are bytes, not text: what is not UTF-8 must not be lost.
  void Bytes(wire::JsonKey name, std::string_view bytes) { json_.Key(name).Bytes(bytes); }
  void Number(wire::JsonKey name, int64_t number) { json_.Key(name).Number(number); }
  void Flag(wire::JsonKey name) { json_.Key(name).Bool(true); }
  void List(wire::JsonKey name, const std::vector<std::string>& items) {
    json_.Key(name).Open('[');
    for (const std::string& item : items) json_.Bytes(item);
    json_.Close(']');
  }
  void Framings(wire::JsonKey name, const wire::Framing framing[2]) {
    json_.Key(name).Open('{');
    for (const wire::Direction direction :
         {wire::Direction::kHostToPlugin, wire::Direction::kPluginToHost}) {
      json_.Key(Name(direction)).Text(Name(framing[static_cast<int>(direction)]));
    }
    json_.Close('}');
  }
  std::string Finish() {
    json_.Close('}');
    return std::move(text_);
  }

 private:
  std::string text_;
  wire::JsonWriter json_{&text_};
};

std::string BytesOf(const Json* json) {
  if (json == nullptr) return "";
  if (json->is(Json::Type::kString)) return json->text;
  std::string bytes;
  wire::DecodeBase64(json->String("base64"), &bytes);
  return bytes;
}

int64_t NumberOf(const Json& json, std::string_view name, int64_t otherwise) {
  const Json* member = json.Find(name);
  return member ? member->Integer().value_or(otherwise) : otherwise;
}

int SmallNumberOf(const Json& json, std::string_view name, int otherwise) {
  int64_t number = NumberOf(json, name, otherwise);
  return number >= INT32_MIN && number <= INT32_MAX ? static_cast<int>(number) : otherwise;
}

std::string SignalName(int number) {
  const char* name = sigabbrev_np(number);  // null for real-time signals
  return name ? name : std::to_string(number);
}

std::string Write(const SpawnEvent& event) {
  EventWriter json("spawn");
  json.List("argv", event.argv);
  if (event.argv_cut) json.Flag("argv_cut");
  json.Bytes("cwd", event.cwd);
  if (!event.home.empty()) json.Bytes("home", event.home);
  json.Number("pid", event.pid);
  json.Text("midwire", event.version);
  json.Number("format", kTapeFormat);
  json.Framings("framing", event.framing);
  if (event.merged_stderr) json.Flag("merged_stderr");
  json.Number("part", event.part);
  return json.Finish();
}

std::string Write(const SignalEvent& event) {
  EventWriter json("signal");
  json.Text("signal", SignalName(event.number));
  json.Number("number", event.number);
  return json.Finish();
}

std::string Write(const EofEvent& event) {
  EventWriter json("eof");
  json.Text("stream", event.stream);
  return json.Finish();
}

std::string Write(const ClosedEvent& event) {
  EventWriter json("closed");
  json.Text("stream", event.stream);
  if (event.unread != 0) json.Number("unread", event.unread);
  return json.Finish();
}

std::string Write(const StalledEvent& event) {
  EventWriter json("stalled");
  json.Text("stream", event.stream);
  json.Number("ms", event.ms);
  json.Number("unread", event.unread);
  return json.Finish();
}

std::string Write(const ResumedEvent& event) {
  EventWriter json("resumed");
  json.Text("stream", event.stream);
  json.Number("ms", event.ms);
  return json.Finish();
}

std::string Write(const HeldEvent& event) {
  EventWriter json("held");
  json.Text("stream", event.stream);
  return json.Finish();
}

std::string Write(const CannotStartEvent& event) {
  EventWriter json("cannot-start");
  json.Bytes("file", event.file);
  if (!event.path.empty()) json.Bytes("path", event.path);
  json.Text("error", event.error);
  json.Number("number", event.number);
  return json.Finish();
}

std::string Write(const ExitStatus& event) {
  EventWriter json("exit");
  if (event.signal != 0) {
    json.Text("signal", SignalName(event.signal));
    json.Number("number", event.signal);
  } else {
    json.Number("code", event.code);
  }
  return json.Finish();
}

std::string Write(const EndEvent& event) {
  EventWriter json("end");
  if (!event.next.empty()) json.Bytes("next", event.next);
  return json.Finish();
}

std::string Write(const GapEvent& event) {
  EventWriter json("gap");
  json.Number("bytes", event.bytes);
  json.Text("reason", event.reason);
  return json.Finish();
}

std::string Write(const HeaderEvent& event) { return event.json; }

std::string Write(const ChaosEvent& event) {
  EventWriter json("chaos");
  json.Text("fault", event.fault);
  json.Text("direction", event.direction);
  json.Number("number", event.number);
  json.Number("message", event.message);
  if (event.ms != 0) json.Number("ms", event.ms);
  if (event.has_sent) json.Bytes("sent", event.sent);
  if (event.sent_cut) json.Flag("sent_cut");
  return json.Finish();
}

std::string Write(const NoteEvent& event) {
  EventWriter json("note");
  json.Text("text", event.text);
  return json.Finish();
}

SpawnEvent ReadSpawn(const Json& json) {
  SpawnEvent event;
  if (const Json* argv = json.Find("argv")) {
    for (const Json& item : argv->items) event.argv.push_back(BytesOf(&item));
  }
  auto flag = [&](std::string_view name) {
    const Json* member = json.Find(name);
    return member != nullptr && member->boolean;
  };
  event.argv_cut = flag("argv_cut");
  event.cwd = BytesOf(json.Find("cwd"));
  event.home = BytesOf(json.Find("home"));
  event.pid = NumberOf(json, "pid", 0);
  event.version = json.String("midwire");
  if (const Json* framing = json.Find("framing")) {
    for (wire::Direction direction :
         {wire::Direction::kHostToPlugin, wire::Direction::kPluginToHost}) {
      wire::ParseFraming(framing->String(Name(direction)),
                         &event.framing[static_cast<int>(direction)]);
    }
  }
  event.merged_stderr = flag("merged_stderr");
  event.part = NumberOf(json, "part", 1);
  return event;
}

ChaosEvent ReadChaos(const Json& json) {
  const Json* sent = json.Find("sent");
  const Json* cut = json.Find("sent_cut");
  return {.fault = std::string(json.String("fault")),
          .direction = std::string(json.String("direction")),
          .number = NumberOf(json, "number", 0),
          .message = NumberOf(json, "message", 0),
          .ms = NumberOf(json, "ms", 0),
          .sent = BytesOf(sent),
          .has_sent = sent != nullptr,
          .sent_cut = cut != nullptr && cut->boolean};
}

ExitStatus ReadExit(const Json& json) {
  if (json.Find("number")) return {.signal = SmallNumberOf(json, "number", 0)};
  return {.code = SmallNumberOf(json, "code", -1)};
}

// A stream as a person sees it: its reader, and its name in the plugin.
struct StreamWords {
  std::string reader, name;
};
StreamWords WordsOf(const std::string& stream) {
  if (stream == "host-to-plugin") return {"plugin", "stdin"};
  return {"host", stream == "plugin-to-host" ? "stdout" : stream};
}

// "3 s", "2.9 s".
std::string Seconds(int64_t ms) {
  const int64_t tenths = ms / 100 % 10;
  return std::to_string(ms / 1000) + (tenths == 0 ? "" : "." + std::to_string(tenths)) + " s";
}
std::string Bytes(int64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

}  // namespace

std::string MessagesFrom(uint64_t first, uint64_t last) {
  if (first == last) return "message " + std::to_string(first);
  return "messages " + std::to_string(first) + " to " + std::to_string(last);
}

namespace {

std::string Text(const SpawnEvent& event) {
  std::string text = "spawn";
  for (const std::string& argument : event.argv) text += " " + argument;
  if (event.argv_cut) text += " ...";
  if (event.pid != 0) text += " (pid " + std::to_string(event.pid) + ")";
  if (event.part > 1) text += ", part " + std::to_string(event.part);
  return text;
}
std::string Text(const SignalEvent& event) { return "signal SIG" + SignalName(event.number); }
std::string Text(const EofEvent& event) { return "end of " + event.stream; }
std::string Text(const ClosedEvent& event) {
  std::string text = event.stream + " closed by its reader";
  if (event.unread != 0) text += ", " + Bytes(event.unread) + " unread";
  if (event.first_unread == 0) return text;
  text += ": " + MessagesFrom(event.first_unread, event.last_unread);
  return text + (event.first_unread == event.last_unread ? " was" : " were") + " never read";
}
std::string Text(const StalledEvent& event) {
  const StreamWords words = WordsOf(event.stream);
  const std::string text =
      words.reader + " has not read " + words.name + " for " + Seconds(event.ms);
  // None: it has read the rest just when that was recorded.
  return event.unread == 0 ? text : text + ", " + Bytes(event.unread) + " waiting";
}
std::string Text(const ResumedEvent& event) {
  const StreamWords words = WordsOf(event.stream);
  return words.reader + " reads " + words.name + " again, after " + Seconds(event.ms);
}
std::string Text(const HeldEvent& event) {
  return "another process keeps " + WordsOf(event.stream).name + " open after the exit";
}
std::string Text(const CannotStartEvent& event) {
  std::string text = "cannot start " + event.file + ": " + event.error;
  if (!event.path.empty()) text += ", PATH=" + event.path;
  return text;
}
std::string Text(const ExitStatus& event) {
  if (event.signal != 0) return "exit by SIG" + SignalName(event.signal);
  return "exit " + std::to_string(event.code);
}
std::string Text(const EndEvent& event) {
  return event.next.empty() ? "end of the recording" : "continues in " + event.next;
}
std::string Text(const GapEvent& event) {
  if (event.bytes == 0) return "gap: something is missing here (" + event.reason + ")";
  return "gap: " + std::to_string(event.bytes) + " bytes lost here (" + event.reason + ")";
}
// A line of a terminal; the names of the members of a longer one say what is declared.
constexpr size_t kMostHeader = 120, kMostHeaderNames = 20;

std::string Text(const HeaderEvent& event) {
  std::vector<wire::RawMember> members;
  if (event.json.size() <= kMostHeader || !wire::RawMembers(event.json, &members)) {
    return "header " + event.json;
  }
  std::string text = "header with";
  size_t names = 0;
  for (const wire::RawMember& member : members) {
    if (member.name == "event") continue;
    text += names == 0 ? " " : ", ";
    if (++names > kMostHeaderNames) return text + "...";
    text += member.name;
    if (member.name != "finding") continue;
    const Result<Json> parsed = wire::ParseJson(member.value);
    if (!parsed) continue;
    text += " (" + std::string(parsed->String("severity")) + ", " +
            std::string(parsed->String("kind")) + ", " + std::string(parsed->String("oracle")) +
            ": " + std::string(parsed->String("text")) + ")";
  }
  return text;
}
std::string Text(const ChaosEvent& event) {
  std::string text = "chaos: " + event.fault + " message " + std::to_string(event.message);
  if (event.ms != 0) text += " " + std::to_string(event.ms) + " ms";
  text += " (" + std::to_string(event.number) + " of " + event.direction + ")";
  if (event.has_sent) text += ", sent: " + event.sent;
  return event.sent_cut ? text + " ..." : text;
}
std::string Text(const NoteEvent& event) { return "note: " + event.text; }

}  // namespace

std::string ToJson(const Event& event) {
  return std::visit([](const auto& e) { return Write(e); }, event);
}

std::string Describe(const Event& event) {
  return std::visit([](const auto& e) { return Text(e); }, event);
}

Result<Event> ParseEvent(std::string_view text) {
  Result<Json> parsed = wire::ParseJson(text);
  if (!parsed) return parsed.error();
  const Json& json = *parsed;
  std::string_view name = json.String("event");
  if (name.empty()) return Error{"not an event", "", "expected an object with a string \"event\""};
  if (name == "spawn") return Event(ReadSpawn(json));
  if (name == "signal") return Event(SignalEvent{SmallNumberOf(json, "number", 0)});
  if (name == "eof") return Event(EofEvent{std::string(json.String("stream"))});
  if (name == "closed") {
    return Event(ClosedEvent{std::string(json.String("stream")), NumberOf(json, "unread", 0)});
  }
  if (name == "stalled") {
    return Event(StalledEvent{std::string(json.String("stream")), NumberOf(json, "ms", 0),
                              NumberOf(json, "unread", 0)});
  }
  if (name == "resumed") {
    return Event(ResumedEvent{std::string(json.String("stream")), NumberOf(json, "ms", 0)});
  }
  if (name == "held") return Event(HeldEvent{std::string(json.String("stream"))});
  if (name == "cannot-start") {
    return Event(CannotStartEvent{BytesOf(json.Find("file")), BytesOf(json.Find("path")),
                                  std::string(json.String("error")),
                                  SmallNumberOf(json, "number", 0)});
  }
  if (name == "exit") return Event(ReadExit(json));
  if (name == "end") return Event(EndEvent{BytesOf(json.Find("next"))});
  if (name == "gap") {
    return Event(GapEvent{NumberOf(json, "bytes", 0), std::string(json.String("reason"))});
  }
  if (name == "header") return Event(HeaderEvent{std::string(text)});
  if (name == "chaos") return Event(ReadChaos(json));
  if (name == "note") return Event(NoteEvent{std::string(json.String("text"))});
  return Event(NoteEvent{std::string(text)});
}

}  // namespace midwire::trace
