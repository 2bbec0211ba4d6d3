#include "trace/redact/trace_secrets.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "trace/redact/schema_state.h"
#include "trace/redact/telling_names.h"
#include "trace/redact/word_list.h"
#include "wire/dialect/declaration_lists.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::trace::redact {
namespace {

// Words of every trace: a secret that is part of one is replaced only at its places.
constexpr std::string_view kWords =
    " jsonrpc method params result message content-length Content-Length base64 event spawn argv "
    "framing host-to-plugin plugin-to-host stderr midwire format merged_stderr signal number "
    "stream closed reason header cassette version redacted argv_cut request_seq arguments "
    "command success response request notification initialize shutdown ";

// Values that are listed once. Real traces have hundreds of them; beyond this, each find counts as
// new, so that millions of them do not fill the memory.
constexpr size_t kMaxKnown = 1u << 20;

std::vector<std::string> WithWords(std::vector<std::string> words) {
  AppendWords(kWords, &words);
  for (const auto& more : {WordsOfSchemas(), TellingWords()}) {
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

// Calls `take` with each member of a cassette's header that may hold a secret, as an object of its
// own, and its place in `event`. What declares something for replay has names of members in it, and
// no values.
template <typename Take>
void EachHeaderMember(std::string_view event, const Take& take) {
  constexpr std::string_view kWithoutValues = " event ids host portable ";
  std::vector<wire::RawMember> members;
  if (!wire::RawMembers(event, &members)) return;
  for (const auto& [name, value] : members) {
    if (wire::IsDeclarationList(name) || HasWord(kWithoutValues, name)) continue;
    const size_t at = static_cast<size_t>(name.data() - event.data()) - 1;  // of its quote
    const size_t end = static_cast<size_t>(value.data() - event.data()) + value.size();
    take('{' + std::string(event.substr(at, end - at)) + '}', at);
  }
}

// Searches the parts of an event that may hold a secret: arguments, texts, values of a header.
// `now`: a copy of it, in which they are replaced; null: they are only looked at.
void SearchEvent(const Finder& finder, const Event& event, const Finder::Take& take, Event* now) {
  if (const auto* const spawn = std::get_if<SpawnEvent>(&event)) {
    finder.InArguments(spawn->argv, take, now ? &std::get<SpawnEvent>(*now).argv : nullptr);
  } else if (const auto* const note = std::get_if<NoteEvent>(&event)) {
    finder.InText(note->text, take, now ? std::get<NoteEvent>(*now).text.data() : nullptr);
  } else if (const auto* const header = std::get_if<HeaderEvent>(&event)) {
    EachHeaderMember(header->json, [&](std::string object, size_t at) {
      const std::string was = object;
      finder.InMessage(was, std::nullopt, take, now ? object.data() : nullptr);
      const size_t size = was.size() - 2;
      if (now) std::get<HeaderEvent>(*now).json.replace(at, size, object, 1, size);
    });
  }
}

Status TooMany() {
  return Error{"too many different secrets: more than 64 MiB of them", "",
               "name fewer places (--secret, --secret-key)"};
}

}  // namespace

TraceSecrets::TraceSecrets(SecretPlaces places, const TokenKey& key, std::vector<std::string> words,
                           Patterns patterns)
    : named_(std::move(places)),
      places_{named_.places, named_.names, /*telling=*/patterns.has_shapes()},
      patterns_(std::move(patterns)),
      secrets_(key, WithWords(std::move(words))) {}

void TraceSecrets::ReportTo(Report report) {
  report_ = std::move(report);
  finder_ = Finder(&places_, &patterns_, /*audit=*/report_ != nullptr);
}

// What adds the finds to the secrets, until one fails.
Finder::Take TraceSecrets::Adding(FoundSecret where, Status* done) {
  return [this, where = std::move(where), done](std::string_view value, const Found& found) {
    if (*done) *done = Add(value, found, where);
    return std::string();
  };
}

Status TraceSecrets::FindInMessage(std::string_view json, Method method, bool answer,
                                   const FoundSecret& where) {
  Status done = Ok{};
  fresh_.clear();
  finder_.InMessage(json, method, Adding(where, &done));
  if (done && guard_ && method) FulfilSchema(json, *method, answer);
  return done;
}

Status TraceSecrets::FindInText(std::string_view text, const FoundSecret& where) {
  Status done = Ok{};
  finder_.InText(text, Adding(where, &done));
  return done;
}

Status TraceSecrets::FindInEvent(const Event& event) {
  Status done = Ok{};
  SearchEvent(finder_, event, Adding({.stream = Stream::kEvents, .pointer = "/text"}, &done),
              nullptr);
  return done;
}

// Whether it was found before, and no less surely.
bool TraceSecrets::IsKnown(std::string_view value, const Found& found) {
  const Known now = found.sure                     ? Known::kSecret
                    : found.rule == "telling-name" ? Known::kBesideName
                                                   : Known::kLooksLikeOne;
  const size_t hash = std::hash<std::string_view>()(value);
  const auto known = known_.find(hash);
  if (known == known_.end()) {
    if (known_.size() < kMaxKnown) known_.emplace(hash, now);
    staying_ += now == Known::kBesideName;
    return false;
  }
  if (known->second >= now) return true;
  // What looked like a secret is one.
  staying_ -= known->second == Known::kBesideName;
  staying_ += now == Known::kBesideName;
  known->second = now;
  return false;
}

Status TraceSecrets::Add(std::string_view value, const Found& found, FoundSecret where) {
  where.again = IsKnown(value, found);
  if (report_) {
    if (!found.pointer.empty()) where.pointer = found.pointer;
    where.rule = found.rule;
    where.text = found.text;
    where.size = value.size();
    where.sure = found.sure;
    report_(where);
  }
  if (!found.sure) return Ok{};
  if (guard_) fresh_.emplace_back(value);
  const size_t before = secrets_.only_at_places();
  if (!secrets_.Add(value, found.word ? Secrets::Where::kAtPlaces : Secrets::Where::kAnywhere)) {
    return TooMany();
  }
  only_here_ =
      only_here_ || found.apart || (secrets_.only_at_places() > before && !patterns_.empty());
  return Ok{};
}

Finder::Take TraceSecrets::TokenOf(const std::string* only) const {
  return [this, only](std::string_view value, const Found&) {
    return only == nullptr || value == *only ? secrets_.TokenFor(value) : std::string();
  };
}

// Exchanges the tokens of the message's secrets, one by one, until it fulfils its schema again.
void TraceSecrets::FulfilSchema(std::string_view json, std::string_view method, bool answer) {
  if (fresh_.empty() || !guard_->Fulfils(json, method, answer)) return;
  std::string now;
  const auto fulfils = [&](const std::string* only) {
    now = json;
    everywhere_.InMessage(json, method, TokenOf(only), now.data());
    return guard_->Fulfils(now, method, answer);
  };
  if (fulfils(nullptr)) return;
  for (const std::string& value : fresh_) {
    bool fits = fulfils(&value);
    while (!fits && secrets_.TryAnotherToken(value)) fits = fulfils(&value);
    if (!fits && secrets_.IsWord(value)) secrets_.Keep(value);
  }
  if (!fulfils(nullptr)) ++broken_;
}

void TraceSecrets::HideInMessage(std::string_view json, Method method, std::string* now) const {
  *now = json;
  const Finder& finder = only_here_ ? everywhere_ : at_named_places_;
  finder.InMessage(json, method, TokenOf(), now->data());
  secrets_.RewriteJson(now);
}

void TraceSecrets::HideInText(std::string_view text, std::string* now) const {
  if (only_here_) everywhere_.InText(text, TokenOf(), now->data());
  secrets_.Rewrite(now);
}

void TraceSecrets::HideInEvent(std::string* event) const {
  if (only_here_) HideWhereFound(event);
  wire::IsLooseJson(*event) ? secrets_.RewriteJson(event) : secrets_.Rewrite(event);
}

// Values that are not searched for.
void TraceSecrets::HideWhereFound(std::string* event) const {
  const Result<Event> was = ParseEvent(*event);
  if (!was) return;
  Event now = *was;
  SearchEvent(everywhere_, *was, TokenOf(), &now);
  const auto* const note = std::get_if<NoteEvent>(&now);
  if (note != nullptr && std::get<NoteEvent>(*was).text == *event) {
    *event = note->text;  // an event of a newer version
  } else if (ToJson(now) != ToJson(*was)) {
    *event = ToJson(now);
  }
}

}  // namespace midwire::trace::redact
