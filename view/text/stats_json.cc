#include <bit>
#include <string>

#include "view/text/append.h"
#include "view/text/printer.h"
#include "view/text/session_head_json.h"
#include "view/text/stats_report.h"
#include "wire/json/writer.h"

namespace midwire::view {
namespace {

using trace::DirectionTally;
using trace::MethodTally;
using trace::SessionTally;
using trace::Tally;
using trace::UnansweredRequest;
using wire::Direction;

void WriteSession(const SessionTally& session, wire::JsonWriter* json) {
  json->Open('{');
  if (!session.spawn.empty()) json->Key("spawn").Text(session.spawn);
  if (session.start_ns != 0) {
    std::string time;
    AppendUtc(session.start_ns, &time);
    json->Key("start").Text(time);
    json->Key("duration_ns").Number(session.last_ns - session.start_ns);
  }
  if (!session.exit.empty()) json->Key("exit").Text(session.exit);
  json->Key("ended").Bool(session.ended);
  static constexpr const char* kStreams[] = {"h2p", "p2h", "stderr"};
  for (size_t i = 0; i < session.stalls.size(); ++i) {
    if (session.stalls[i].count == 0) continue;
    json->Key(std::string("stalled_") + kStreams[i]).Open('{');
    json->Key("count").Number(session.stalls[i].count);
    json->Key("ms").Number(session.stalls[i].ms);
    json->Close('}');
  }
  for (size_t i = 0; i < session.never_read.size(); ++i) {
    if (session.never_read[i] == 0) continue;
    json->Key(std::string("never_read_") + kStreams[i]).Number(session.never_read[i]);
  }
  json->Close('}');
}

void WriteDirection(const DirectionTally& totals, wire::JsonWriter* json) {
  static constexpr wire::Kind kAll[] = {wire::Kind::kRequest, wire::Kind::kResponse,
                                        wire::Kind::kError,   wire::Kind::kNotification,
                                        wire::Kind::kBatch,   wire::Kind::kInvalid};
  json->Open('{');
  json->Key("bytes").Number(totals.bytes);
  json->Key("messages").Number(totals.messages);
  json->Key("kinds").Open('{');
  for (const wire::Kind kind : kAll) {
    json->Key(wire::Name(kind)).Number(totals.kinds[static_cast<int>(kind)]);
  }
  json->Close('}');
  json->Key("batched").Number(totals.batched);
  json->Key("failed").Number(totals.failed);
  json->Key("unanswered").Number(totals.unanswered);
  json->Key("cancelled").Number(totals.cancelled);
  json->Key("answers_to_nothing").Number(totals.answers_to_nothing);
  json->Key("junk").Number(totals.junk);
  json->Key("junk_bytes").Number(totals.junk_bytes);
  json->Key("remarks").Open('{');
  for (int bit = 0; bit < DirectionTally::kOddityBits; ++bit) {
    if (totals.oddities[bit] == 0) continue;
    json->Key(wire::OdditiesText(1u << bit)).Number(totals.oddities[bit]);
  }
  for (const FlagName& row : RemarkedFlags()) {
    const uint64_t count = totals.flags[std::countr_zero(static_cast<uint32_t>(row.flag))];
    if (count != 0) json->Key(row.name).Number(count);
  }
  json->Close('}');
  json->Close('}');
}

void WriteMethod(const MethodTally& tally, wire::JsonWriter* json) {
  json->Key("requests").Number(tally.requests);
  json->Key("notifications").Number(tally.notifications);
  json->Key("answers").Number(tally.answers);
  json->Key("errors").Number(tally.errors);
  json->Key("failed").Number(tally.failed);
  json->Key("cancelled").Number(tally.cancelled);
  json->Key("bytes").Number(tally.bytes);
  json->Key("answer_bytes").Number(tally.answer_bytes);
  if (tally.latencies.count() == 0) return;
  json->Key("latency_ns").Open('{');
  json->Key("p50").Number(tally.latencies.Percentile(50));
  json->Key("p90").Number(tally.latencies.Percentile(90));
  json->Key("p99").Number(tally.latencies.Percentile(99));
  json->Key("max").Number(tally.latencies.max());
  json->Key("exact").Bool(tally.latencies.exact());
  json->Close('}');
}

}  // namespace

void AppendStatsJson(const Tally& tally, std::string* out) {
  wire::JsonWriter json(out);
  json.Open('{');
  wire::WriteBytes("trace", tally.trace, &json);
  if (!tally.head.dialect.empty()) {
    json.Key("dialect").Open('{');
    WriteSessionHead(tally.head, &json);
    json.Close('}');
  }
  json.Key("session_count").Number(tally.session_count);
  json.Key("sessions").Open('[');
  for (const SessionTally& session : tally.sessions) WriteSession(session, &json);
  json.Close(']');
  json.Key("directions").Open('{');
  for (const Direction direction : {Direction::kHostToPlugin, Direction::kPluginToHost}) {
    json.Key(wire::ShortName(direction));
    WriteDirection(tally.direction(direction), &json);
  }
  json.Close('}');
  json.Key("stderr_bytes").Number(tally.stderr_bytes);
  json.Key("damaged_places").Number(tally.damaged_places);
  json.Key("damaged_bytes").Number(tally.damaged_bytes);
  json.Key("torn_bytes").Number(tally.torn_bytes);
  json.Key("methods").Open('[');
  for (const MethodTally& method : tally.methods) {
    json.Open('{');
    json.Key("method").Text(method.method);
    json.Key("dir").Text(wire::ShortName(method.direction));
    WriteMethod(method, &json);
    if (!method.labels.empty()) {
      json.Key("labels").Open('[');
      for (const MethodTally& label : method.labels) {
        json.Open('{');
        json.Key("label").Text(label.label);
        WriteMethod(label, &json);
        json.Close('}');
      }
      json.Close(']');
    }
    json.Close('}');
  }
  json.Close(']');
  json.Key("other_methods").Open('{');
  WriteMethod(tally.other_methods, &json);
  json.Close('}');
  json.Key("unanswered").Open('[');
  for (const UnansweredRequest& open : tally.unanswered) {
    json.Open('{');
    json.Key("n").Number(open.request.number);
    json.Key("dir").Text(wire::ShortName(open.direction));
    json.Key("method").Text(open.request.method);
    json.Key("id_text").Text(open.request.id);
    json.Close('}');
  }
  json.Close(']');
  json.Close('}');
  *out += '\n';
}

}  // namespace midwire::view
