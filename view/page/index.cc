#include "view/page/index.h"

#include <algorithm>
#include <utility>

#include "wire/json/writer.h"

namespace midwire::view {
namespace {

using wire::JsonWriter;

constexpr int kFormat = 1;  // of DATA.md
constexpr size_t kMaxHandleValue = 256;
constexpr const char* kSources[] = {"check", "fuzz", "replay"};  // of FindingSource

// Where sessions begin.
std::vector<size_t> StartsOf(const PageIndex& index) {
  std::vector<size_t> starts;
  for (const PageSession& session : index.sessions) {
    if (starts.size() == kMaxPageSessions) break;
    starts.push_back(index.rows.LowerBound(session.first));
  }
  return starts;
}

class IndexWriter {
 public:
  IndexWriter(const PageIndex& index, size_t from, size_t to)
      : index_(index), from_(from), to_(to) {}

  // A session alone.
  std::string WriteSession(const PageSession& session, size_t first, size_t count) {
    Session(session, first, count);
    return std::move(out_);
  }

  std::string Write(const PagePiece* piece) {
    json_.Open('{');
    json_.Key("format").Number(kFormat);
    Text("midwire", index_.version);
    if (piece != nullptr) {
      json_.Key("from").Number(from_);
      json_.Key("total").Number(index_.rows.count());
      json_.Key("live").Bool(piece->live);
      json_.Key("now").Number(piece->now_ns);
    }
    Sessions();
    index_.rows.Write(from_, to_, StartsOf(index_), &json_);
    if (!index_.handles.empty()) Handles();
    if (Checked() || index_.replay || !index_.findings.empty()) Findings(index_.findings);
    if (index_.replay) Replay(*index_.replay);
    if (index_.compare) Compare(*index_.compare);
    if (index_.save) {
      json_.Key("save").Open('{');
      Text("name", index_.save->name);
      json_.Key("from").Number(index_.save->from);
      json_.Key("length").Number(index_.save->length);
      json_.Close('}');
    }
    if (!index_.notes.empty()) {
      json_.Key("notes").Open('[');
      for (size_t i = 0; i < std::min(index_.notes.size(), kMaxPageNotes); ++i) {
        json_.Text(PageText(index_.notes[i]));
      }
      json_.Close(']');
    }
    json_.Close('}');
    return std::move(out_);
  }

 private:
  void Text(wire::JsonKey key, std::string_view bytes, size_t most = kMaxPageText) {
    json_.Key(key).Text(PageText(bytes, most));
  }
  void TextIfAny(wire::JsonKey key, std::string_view bytes) {
    if (!bytes.empty()) Text(key, bytes);
  }
  int64_t RowOf(RowId id) const {
    if (id == kNoRow) return -1;
    const std::optional<size_t> at = index_.rows.PositionOf(id);
    return at && *at >= from_ && *at < to_ ? static_cast<int64_t>(*at - from_) : -1;
  }

  bool Checked() const {
    return std::any_of(index_.sessions.begin(), index_.sessions.end(),
                       [](const PageSession& session) { return session.check.has_value(); });
  }

  void Session(const PageSession& session, size_t first, size_t count) {
    json_.Open('{');
    Text("trace", session.trace);
    json_.Key("first").Number(first);
    json_.Key("count").Number(count);
    Text("title", session.title);
    Text("command", session.command);
    TextIfAny("cwd", session.cwd);
    TextIfAny("dialect", session.dialect);
    TextIfAny("revision", session.revision);
    TextIfAny("sureness", session.sureness);
    if (session.start_ns != 0) {
      Text("start", std::to_string(session.start_ns));
    } else {
      json_.Key("times").Bool(false);
    }
    json_.Key("duration").Number(session.duration_ns);
    json_.Key("ended").Bool(session.ended);
    TextIfAny("exit", session.exit);
    if (session.crashed) json_.Key("crashed").Bool(true);
    TextIfAny("log", session.log);
    if (session.other) json_.Key("other").Bool(true);
    if (session.check) Check(*session.check);
    json_.Close('}');
  }

  void Sessions() {
    json_.Key("sessions").Open('[');
    const size_t count = std::min(index_.sessions.size(), kMaxPageSessions);
    size_t written = 0;
    for (size_t i = 0; i < count; ++i) {
      const PageSession& session = index_.sessions[i];
      const bool last = i + 1 == count;
      const size_t first = std::max(index_.rows.LowerBound(session.first), from_);
      // What is beyond the last session that is listed belongs to it.
      const size_t end = std::min(last ? to_ : index_.rows.LowerBound(session.end), to_);
      // A page has at least one session. Of a part, only those that it shows.
      const bool all = from_ == 0 && to_ == index_.rows.count();
      if (!all && first >= end && (!last || written > 0)) continue;
      Session(session, first - from_, end < first ? 0 : end - first);
      ++written;
    }
    json_.Close(']');
  }

  void Handles() {
    json_.Key("handles").Open('[');
    size_t written = 0;
    for (const PageHandle& handle : index_.handles) {
      std::vector<std::pair<int64_t, PageHandle::Use>> uses;
      for (const auto& [id, use] : handle.uses) {
        const int64_t row = RowOf(id);
        if (row >= 0 && uses.size() < kMaxHandleUses) uses.emplace_back(row, use);
      }
      if (uses.empty()) continue;
      if (++written > kMaxPageHandles) break;
      json_.Open('{');
      Text("name", handle.name);
      Text("value", handle.value, kMaxHandleValue);
      json_.Key("rows").Open('[');
      for (const auto& use : uses) json_.Number(use.first);
      json_.Close(']');
      json_.Key("kinds").Open('[');
      for (const auto& use : uses) json_.Number(static_cast<int>(use.second));
      json_.Close(']');
      json_.Close('}');
    }
    json_.Close(']');
  }

  void Findings(const std::vector<PageFinding>& findings) {
    struct Placed {
      int64_t row;
      const PageFinding* finding;
    };
    std::vector<Placed> placed;
    for (const PageFinding& finding : findings) placed.push_back({RowOf(finding.row), &finding});
    std::stable_sort(placed.begin(), placed.end(),
                     [](const Placed& a, const Placed& b) { return a.row < b.row; });
    json_.Key("findings").Open('[');
    for (size_t i = 0; i < std::min(placed.size(), kMaxPageFindings); ++i) {
      const trace::Violation& violation = placed[i].finding->violation;
      json_.Open('{');
      Text("source", kSources[static_cast<size_t>(placed[i].finding->source)]);
      Text("severity", wire::Name(violation.severity));
      json_.Key("row").Number(placed[i].row);
      // The row says it, too. Only a whole page has findings: its sessions are all that there are.
      if (placed[i].row < 0 && placed[i].finding->session > 0) {
        json_.Key("session").Number(placed[i].finding->session);
      }
      Text("rule", violation.rule);
      TextIfAny("clause", violation.clause);
      Text("text", violation.text);
      TextIfAny("pointer", violation.pointer);
      TextIfAny("expected", violation.expected);
      TextIfAny("got", violation.got);
      if (placed[i].finding->items.count != 0) Items(placed[i].finding->items);
      json_.Close('}');
    }
    json_.Close(']');
  }

  void Items(const trace::ItemChanges& items) {
    using What = trace::ItemChange::What;
    json_.Key("items").Open('{');
    Text("pointer", items.pointer);
    json_.Key("recorded").Number(items.recorded);
    json_.Key("came").Number(items.came);
    json_.Key("count").Number(items.count);
    json_.Key("changes").Open('[');
    for (const trace::ItemChange& change : items.first) {
      json_.Open('{');
      Text("change", trace::Name(change.what));
      Text("item", change.item);
      if (change.what != What::kNew) json_.Key("from").Number(change.from);
      if (change.what != What::kGone) json_.Key("at").Number(change.at);
      TextIfAny("pointer", change.pointer);
      TextIfAny("expected", change.expected);
      TextIfAny("got", change.got);
      json_.Close('}');
    }
    json_.Close(']');
    json_.Close('}');
  }

  void Check(const PageCheck& check) {
    json_.Key("checked").Open('{');
    Text("dialect", check.dialect);
    json_.Key("rules").Number(check.rules);
    json_.Key("incomplete").Bool(check.incomplete);
    json_.Close('}');
  }

  void Replay(const PageReplay& replay) {
    json_.Key("replayed").Open('{');
    Text("verb", replay.verb);
    json_.Key("same").Bool(replay.same);
    json_.Key("matched").Number(replay.matched);
    json_.Key("expected").Number(replay.expected);
    json_.Close('}');
  }

  void Compare(const PageCompare& compare) {
    json_.Key("compare").Open('{');
    json_.Key("pairs").Open('[');
    for (const auto& [a, b] : compare.pairs) {
      const int64_t left = RowOf(a), right = RowOf(b);
      if (left < 0 && right < 0) continue;
      json_.Open('[');
      json_.Number(left);
      json_.Number(right);
      json_.Close(']');
    }
    json_.Close(']');
    json_.Key("changes").Open('[');
    for (const PageCompare::Change& change : compare.changes) {
      const trace::Difference& difference = change.difference;
      json_.Open('{');
      Text("kind", trace::Name(difference.difference));
      json_.Key("a").Number(RowOf(change.a));
      json_.Key("b").Number(RowOf(change.b));
      TextIfAny("pointer", difference.pointer);
      TextIfAny("expected", difference.expected);
      TextIfAny("got", difference.got);
      if (difference.items.count != 0) Items(difference.items);
      Text("text", difference.text);
      json_.Close('}');
    }
    json_.Close(']');
    if (compare.more > 0) json_.Key("more").Number(compare.more);
    json_.Close('}');
  }

  const PageIndex& index_;
  const size_t from_, to_;
  std::string out_;
  JsonWriter json_{&out_};
};

}  // namespace

std::string IndexJson(const PageIndex& index) {
  return IndexWriter(index, 0, index.rows.count()).Write(nullptr);
}

std::string PieceJson(const PageIndex& index, const PagePiece& piece) {
  return IndexWriter(index, piece.from, piece.to).Write(&piece);
}

std::string RowsEvent(const PageIndex& index, const PagePiece& piece, size_t base) {
  std::string out;
  JsonWriter json(&out);
  json.Open('{');
  index.rows.Write(piece.from, piece.to, StartsOf(index), &json, base);
  json.Key("now").Number(piece.now_ns);
  json.Close('}');
  return out;
}

std::string FlagsEvent(const PageIndex& index, size_t from, size_t to, size_t base, size_t end) {
  std::string rows, flags;
  for (size_t i = from; i < to; ++i) {
    const size_t row = index.rows.flagged()[i];
    if (row < base || row >= end) continue;
    (rows += rows.empty() ? "" : ",") += std::to_string(row - base);
    (flags += flags.empty() ? "" : ",") += std::to_string(int{index.rows.flags(row)});
  }
  return rows.empty() ? "" : "{\"rows\":[" + rows + "],\"flags\":[" + flags + "]}";
}

std::string SessionEvent(const PageIndex& index, const PageSession& session, size_t base) {
  const size_t first = index.rows.LowerBound(session.first);
  const size_t from = std::max(first, base), end = index.rows.LowerBound(session.end);
  return IndexWriter(index, base, index.rows.count())
      .WriteSession(session, from - base, end < from ? 0 : end - from);
}

}  // namespace midwire::view
