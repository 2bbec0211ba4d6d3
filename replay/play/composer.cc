#include "replay/play/composer.h"

#include "replay/values/text_tokens.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/writer.h"

namespace midwire::replay {
using wire::Path;

namespace {

std::string Framed(const std::string& body, bool content_length) {
  if (!content_length) return body + "\n";
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace

std::string_view Composer::Frame(const Step& step) {
  const Result<std::string_view> frame = frames_->Get(step.at, step.size);
  return frame ? *frame : std::string_view();
}

void Composer::Replace(std::string_view what, std::string_view with) {
  // An embedded id may also be a bound value.
  if (with == what || !replaced_.insert(what.data()).second) return;
  replacements_.push_back({what, with});
}

void Composer::VisitBound(const CallClass& of, std::string_view body,
                          const Bindings::VisitToken& visit) const {
  const auto on_step = [&](const Path& path) {
    if (!path.back().name.empty()) bindings_->VisitName(path, visit);
  };
  wire::WalkScalars(body, on_step, [&](const Path& path, std::string_view value) {
    if (const auto slot = bindings_->Find(of, path, value)) {
      visit(*slot, value);
    } else if (value.starts_with('"')) {
      bindings_->VisitTokens(path, Unquoted(value), visit);
    }
  });
}

void Composer::Replace(StepIndex index, std::string_view body, const LiveIdOf& live_id_of) {
  const Step& step = script_->steps[index];
  if (!step.json || body.empty()) return;
  if (IsAnswer(step.kind) && step.other != kNoStep) {
    const std::string_view live = live_id_of(step.other);
    if (const std::string_view known = IdIn(step, body); !known.empty()) {
      if (!live.empty()) Replace(known, live);
    } else {
      const auto id = wire::ValueAt(body, kRequestSeq);  // DAP; else JSON-RPC
      const auto recorded = id ? id : wire::ValueAt(body, kId);
      if (recorded && !live.empty()) Replace(*recorded, live);
    }
  }
  const CallClass& of = script_->ClassOf(step);
  const Direction peers = Opposite(step.direction);
  if (ids_->any(peers)) {
    for (const EmbeddedId& id : declared_->ids) {
      if (id.whose != IdOf::kReceiver || !of.IsOf(id.at)) continue;
      if (const auto recorded = wire::ValueAt(body, id.at.pointer)) {
        Replace(*recorded, ids_->Of(peers, *recorded));
      }
    }
  }
  if (!step.bound) return;
  VisitBound(of, body, [&](SlotIndex slot, std::string_view recorded) {
    const std::string_view live = bindings_->slot(slot).live;
    if (live.empty()) return;
    // A token lies within a string; so does its live value, without quotes of its own.
    const bool whole = recorded.starts_with('"') || !live.starts_with('"');
    Replace(recorded, whole ? live : Unquoted(live));
  });
}

std::string_view Composer::Compose(StepIndex index, const LiveIdOf& live_id_of) {
  const Step& step = script_->steps[index];
  // Its id stays as it is spelt, if the request has the recorded one.
  const bool keeps_id = script_->IsRespelt(index) && IdOf(step.other) == live_id_of(step.other);
  const std::string_view frame = Frame(step);
  replacements_.clear();
  replaced_.clear();
  if (keeps_id) {
    Replace(index, BodyOf(step, frame), [](StepIndex) { return std::string_view(); });
  } else {
    Replace(index, BodyOf(step, frame), live_id_of);
  }
  for (StepIndex i = index + 1; i < script_->steps.size() && script_->steps[i].element; ++i) {
    const Step& element = script_->steps[i];
    Replace(i, frame.substr(element.at - step.at, element.size), live_id_of);
  }
  if (replacements_.empty()) return frame;
  composed_.clear();
  Rewrite(frame, step.head, replacements_, &composed_);
  return composed_;
}

std::string_view Composer::IdOf(StepIndex index) {
  const Step& step = script_->steps[index];
  const std::string_view body = BodyOf(step, Frame(step));
  if (!step.json || body.empty()) return "";
  if (const std::string_view known = IdIn(step, body); !known.empty()) return known;
  if (const auto id = wire::ValueAt(body, kId)) return *id;
  return wire::ValueAt(body, kSeq).value_or("");
}

std::string Composer::ErrorAnswer(const wire::Message& request, std::string_view text,
                                  bool content_length) {
  const std::string id = request.id.token.empty() ? "null" : request.id.token;
  const std::string message = "midwire: " + std::string(text);
  std::string body;
  wire::JsonWriter json(&body);
  json.Open('{');
  if (request.flags & wire::kDap) {
    json.Key("seq").Number(0);
    json.Key("type").Text("response");
    json.Key("request_seq").Raw(id);
    json.Key("success").Bool(false);
    json.Key("command").Text(request.method);
    json.Key("message").Text(message);
  } else {
    json.Key("jsonrpc").Text("2.0");
    json.Key("id").Raw(id);
    json.Key("error").Open('{');
    json.Key("code").Number(-32601);
    json.Key("message").Text(message);
    json.Close('}');
  }
  json.Close('}');
  return Framed(body, content_length);
}

std::string Composer::InBatch(std::string_view frame, bool content_length) {
  const size_t body = frame.find('{');  // no header has one
  if (body == frame.npos) return std::string(frame);
  return Framed("[" + std::string(wire::Trimmed(frame.substr(body))) + "]", content_length);
}

StepIndex Composer::WaitsFor(StepIndex index) {
  StepIndex missing = kNoStep;
  for (StepIndex i = index; i < script_->steps.size(); ++i) {
    const Step& step = script_->steps[i];
    if (i != index && !step.element) break;
    if (!step.bound) continue;
    const std::string_view body = BodyOf(step, Frame(step));
    if (body.empty()) continue;
    VisitBound(script_->ClassOf(step), body, [&](SlotIndex slot, std::string_view) {
      const StepIndex source = bindings_->slot(slot).source;
      const bool unknown = bindings_->slot(slot).live.empty();
      if (unknown && source != kNoStep && !progress_->done(source)) missing = source;
    });
  }
  return missing;
}

}  // namespace midwire::replay
