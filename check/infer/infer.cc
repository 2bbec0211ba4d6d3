#include "check/infer/infer.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "check/checker.h"
#include "check/infer/handles.h"
#include "check/infer/json.h"
#include "check/infer/lifecycle.h"
#include "check/infer/shape.h"
#include "check/infer/volatile.h"
#include "wire/json/format.h"

namespace midwire::check {
namespace {

using wire::Id;
using wire::Json;
using wire::Kind;
using wire::Severity;

// More methods, and more error codes, are a peer that makes them up; LSP has about 100 methods.
constexpr size_t kMaxMethods = 1024, kMaxCodes = 512;
// A longer error text is no name.
constexpr size_t kMaxErrorName = 60;

constexpr std::pair<int64_t, std::string_view> kStandardErrors[] = {{-32700, "Parse error"},
                                                                    {-32603, "Internal error"},
                                                                    {-32602, "Invalid params"},
                                                                    {-32601, "Method not found"},
                                                                    {-32600, "Invalid Request"}};

constexpr std::pair<Id::Type, std::string_view> kIdTypes[] = {{Id::Type::kInteger, "integer"},
                                                              {Id::Type::kString, "string"},
                                                              {Id::Type::kNull, "null"},
                                                              {Id::Type::kFraction, "fraction"}};

// Everything in which protocols differ is allowed or noted, so that the findings describe these
// sessions.
wire::Dialect Lenient() {
  wire::Dialect dialect;
  dialect.name = "lenient";
  dialect.jsonrpc_missing = dialect.batch = dialect.error_without_code = Severity::kMust;
  dialect.unknown_method = dialect.other_error_code = Severity::kOff;
  return dialect;
}

// What has a member of its own in a dialect, rather than a severity.
bool HasMember(std::string_view rule) {
  return rule == "jsonrpc" || rule == "batch" || rule == "error.without-code";
}

std::vector<Json> Texts(const std::set<std::string>& texts) {
  std::vector<Json> items;
  for (const std::string& text : texts) items.push_back(JsonText(text));
  return items;
}

// Whether "methods" can have a member of this name that is found again.
bool CanBeMember(std::string_view method) {
  return !method.empty() && method != "comment" && method != "strict" && wire::IsUtf8(method);
}

struct MethodSeen {
  std::array<bool, 2> from = {false, false};
  bool request = false, notification = false;
  bool always_params = true, always_result = true;
  Shape params, result;
  ShapeBudget params_budget, result_budget;
};

// What errors of one code have in common in their texts.
struct ErrorSeen {
  bool any = false;
  std::string name;

  void Learn(std::string_view text) {
    if (!any) name = text.substr(0, kMaxErrorName);
    any = true;
    const auto end = std::mismatch(name.begin(), name.end(), text.begin(), text.end()).first;
    name.erase(end, name.end());
  }
  std::string Name(int64_t code) const {
    for (const auto& [standard, text] : kStandardErrors) {
      if (standard == code) return std::string(text);
    }
    // Up to the last whole word: what follows is cut, or differs.
    std::string_view text = name;
    text = text.substr(0, text.find_last_not_of(" :,;-\"'([{") + 1);
    while (!text.empty() && !wire::IsUtf8(text)) text.remove_suffix(1);
    return std::string(text);
  }
};

}  // namespace

struct Inference::State {
  // Looks on as each message is checked.
  class Learner;

  wire::Dialect lenient = Lenient();
  std::set<std::string> broken;  // rules, of every dialect
  std::unique_ptr<Checker> checker;

  uint64_t messages = 0, sessions = 0;
  bool spoken = false;  // in this session
  std::set<wire::Framing> framings;
  bool versions = false;  // some messages have the member "jsonrpc"
  std::set<Id::Type> id_types;
  std::map<std::string, MethodSeen, std::less<>> methods;
  bool methods_lost = false;
  size_t shapes_left = kMaxShapes;
  std::map<int64_t, ErrorSeen> errors;
  bool errors_lost = false;
  LifecycleLearner lifecycle;
  HandleFlow handles;
  Volatility changes;

  void Learn(const Observed& seen);
  void LearnCall(const Observed& seen);
  void LearnResult(const Observed& seen);
  void LearnError(const Observed& seen);

  Severity When(const char* rule, Severity broken_so_far) const {
    return broken.contains(rule) ? broken_so_far : Severity::kMust;
  }
  Json DraftMethods(bool closed, bool* complete) const;
  Json DraftErrors() const;
  void PutWire(Json* dialect) const;
  void PutChanges(Json* dialect) const;
};

class Inference::State::Learner : public CheckRule {
 public:
  explicit Learner(State* state) : state_(state) {}

  void OnMessage(const Observed& seen, CheckReport*) override { state_->Learn(seen); }
  void OnEvent(int64_t time_ns, const Event& event, CheckReport*) override {
    state_->lifecycle.OnEvent(time_ns, event);
  }
  void OnGap() override {
    state_->lifecycle.OnGap();
    state_->handles.OnGap();
  }
  void OnSessionEnd(bool whole, CheckReport*) override {
    if (!std::exchange(state_->spoken, false)) whole = false;
    state_->lifecycle.OnSessionEnd();
    state_->handles.OnSessionEnd();
    state_->changes.OnSessionEnd(whole);
  }

 private:
  State* state_;
};

void Inference::State::Learn(const Observed& seen) {
  framings.insert(seen.said->frame->framing);
  if (seen.kind() == Kind::kInvalid || seen.kind() == Kind::kBatch) return;
  ++messages;
  if (!std::exchange(spoken, true)) ++sessions;
  if (!(seen.message->flags & (wire::kNoVersion | wire::kOtherVersion | wire::kDap))) {
    versions = true;
  }
  if (seen.kind() == Kind::kRequest) id_types.insert(seen.message->id.type);
  if (!seen.message->IsAnswer()) LearnCall(seen);
  if (seen.kind() == Kind::kResponse) LearnResult(seen);
  if (seen.kind() == Kind::kError && !seen.dap()) LearnError(seen);
  lifecycle.OnMessage(seen);
  handles.OnMessage(seen);
  changes.OnMessage(seen);
}

void Inference::State::LearnCall(const Observed& seen) {
  auto found = methods.find(seen.method);
  if (found == methods.end()) {
    if (methods.size() >= kMaxMethods || !CanBeMember(seen.method)) {
      methods_lost = true;
      return;
    }
    found = methods.try_emplace(std::string(seen.method)).first;
    found->second.params_budget.left_in_all = &shapes_left;
    found->second.result_budget.left_in_all = &shapes_left;
  }
  MethodSeen& method = found->second;
  method.from[static_cast<int>(seen.direction())] = true;
  (seen.kind() == Kind::kRequest ? method.request : method.notification) = true;
  if (seen.params.empty()) {
    method.always_params = false;
  } else {
    method.params.Learn(seen.params, &method.params_budget);
  }
}

void Inference::State::LearnResult(const Observed& seen) {
  const auto found = seen.request == nullptr ? methods.end() : methods.find(seen.method);
  if (found == methods.end()) return;
  MethodSeen& method = found->second;
  if (seen.result.empty()) {
    method.always_result = method.always_result && (seen.message->flags & wire::kNeither);
  } else {
    method.result.Learn(seen.result, &method.result_budget);
  }
}

void Inference::State::LearnError(const Observed& seen) {
  if (!seen.message->error_code) return;
  if (errors.size() >= kMaxCodes && !errors.contains(*seen.message->error_code)) {
    errors_lost = true;
    return;
  }
  errors[*seen.message->error_code].Learn(seen.message->error_message);
}

Json Inference::State::DraftMethods(bool closed, bool* complete) const {
  *complete = !methods_lost;
  Json drafts = JsonObject();
  for (const auto& [name, method] : methods) {
    Json draft = JsonObject();
    const bool both = method.from[0] && method.from[1];
    Put(&draft, "from", JsonText(both ? "both" : method.from[0] ? "host" : "plugin"));
    const bool either = method.request && method.notification;
    Put(&draft, "kind", JsonText(either ? "either" : method.request ? "request" : "notification"));
    if (method.params.samples() > 0) {
      Put(&draft, "params", method.params.Schema(closed));
      if (method.always_params) Put(&draft, "params_required", JsonFlag(true));
    }
    if (method.result.samples() > 0 && method.always_result) {
      Put(&draft, "result", method.result.Schema(closed));
    }
    Put(&drafts, name, std::move(draft));
  }
  return drafts;
}

Json Inference::State::DraftErrors() const {
  Json codes = JsonObject();
  for (const auto& [code, error] : errors) {
    Put(&codes, std::to_string(code), JsonText(error.Name(code)));
  }
  Json draft = JsonObject();
  Put(&draft, "codes", std::move(codes));
  Put(&draft, "other", JsonText(errors_lost ? "off" : "must"));
  Put(&draft, "without_code", JsonText(wire::Name(When("error.without-code", Severity::kOff))));
  return draft;
}

void Inference::State::PutWire(Json* dialect) const {
  Json framing = JsonObject();
  Put(&framing, "kind",
      JsonText(framings.size() == 1 ? wire::Name(*framings.begin()) : std::string_view("any")));
  Put(dialect, "framing", std::move(framing));
  const Severity version = When("jsonrpc", Severity::kNote);
  Put(dialect, "jsonrpc", JsonText(wire::Name(versions ? version : Severity::kOff)));
  Put(dialect, "batch", JsonText(wire::Name(When("batch", Severity::kOff))));
  std::vector<Json> types;
  for (const auto& [type, name] : kIdTypes) {
    if (id_types.contains(type)) types.push_back(JsonText(name));
  }
  // One of a type that has no name: any may come.
  if (types.empty() || types.size() != id_types.size()) return;
  Json ids = JsonObject();
  Put(&ids, "types", JsonList(std::move(types)));
  Put(dialect, "ids", std::move(ids));
}

void Inference::State::PutChanges(Json* dialect) const {
  const std::set<std::string> methods = changes.methods();
  if (!methods.empty()) Put(dialect, "volatile", JsonList(Texts(methods)));
  // Replay gives a handle's live value where the recorded one stands: nothing is to be ignored.
  std::set<std::string> places;
  const std::set<std::string> made = handles.MadePlaces();
  std::set_difference(changes.places().begin(), changes.places().end(), made.begin(), made.end(),
                      std::inserter(places, places.end()));
  if (!places.empty()) Put(dialect, "ignore", JsonList(Texts(places)));
}

Inference::Inference() : state_(std::make_unique<State>()) {
  State* state = state_.get();
  Result<std::unique_ptr<Checker>> checker =
      Checker::Create(&state->lenient, [state](const Violation& finding) {
        if (finding.severity >= Severity::kShould) state->broken.insert(finding.rule);
      });
  state->checker = std::move(*checker);  // only rules of a dialect's own can fail
  state->checker->Add(std::make_unique<State::Learner>(state));
}

Inference::~Inference() = default;

trace::SessionHandler* Inference::handler() { return state_->checker.get(); }
void Inference::OnGap() { state_->checker->OnGap(); }
void Inference::Finish() { state_->checker->Finish(); }
uint64_t Inference::messages() const { return state_->messages; }
uint64_t Inference::sessions() const { return state_->sessions; }

std::string Inference::Draft(const DraftOptions& options) const {
  const State& state = *state_;
  Json dialect = JsonObject();
  Put(&dialect, "dialect", JsonText(options.name));
  Put(&dialect, "title",
      JsonText("Drafted from " + std::to_string(state.messages) + " messages in " +
               std::to_string(state.sessions) + (state.sessions == 1 ? " session" : " sessions")));
  state.PutWire(&dialect);
  bool complete = false;
  Json methods = state.DraftMethods(options.closed, &complete);
  Put(&dialect, "unknown_methods", JsonText(complete ? "must" : "off"));
  Put(&dialect, "errors", state.DraftErrors());
  if (Json lifecycle = state.lifecycle.Draft(); !lifecycle.members.empty()) {
    Put(&dialect, "lifecycle", std::move(lifecycle));
  }
  Put(&dialect, "methods", std::move(methods));
  if (Json handles = state.handles.Draft(); !handles.items.empty()) {
    Put(&dialect, "handles", std::move(handles));
  }
  state.PutChanges(&dialect);
  Json severities = JsonObject();
  for (const std::string& rule : state.broken) {
    if (!HasMember(rule)) Put(&severities, rule, JsonText("note"));
  }
  if (!severities.members.empty()) Put(&dialect, "severities", std::move(severities));
  return wire::IndentedJson(dialect);
}

}  // namespace midwire::check
