// Rule type "positions": positions lie in the documents that they are about.
//   {"type":"positions","open":"didOpen:/params/textDocument",
//    "changed":"didChange:/params/textDocument","changes":"didChange:/params/contentChanges",
//    "close":"didClose:/params/textDocument","unit":"initialize:/result/capabilities/encoding",
//    "in":[{"at":"textDocument/*:/params","uri":"/textDocument/uri","positions":"/position"}]}
// "open", "changed" and "close" are places of objects with `uri`, and `version` and `text` where
// known; "changes" of a list of objects with `text`, and `range` unless it is the whole text.
// "unit" is what characters are counted in (default utf-16); a change is applied as it is counted.
// "in": objects with positions or ranges. Without "uri", they are about the document of the request
// that the message answers ("of": its place there). With "uri_is_name", they are about the one that
// the name of the member is the URI of. "nested": objects of the same kind below. The party that
// has not opened the document may send positions in an earlier text. They are checked only if they
// answer a request that was sent after all changes, or have the version beside them ("version"), or
// there was never a change.
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "check/documents/misplaced.h"
#include "check/documents/open_documents.h"
#include "check/documents/position_values.h"
#include "check/documents/rule_types.h"
#include "check/documents/uri.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::check {
namespace {

using wire::JsonPart;
using wire::JsonParts;
using wire::JsonType;

// The numbers of a token (LSP, Semantic Tokens): lines from the one before, characters from there
// or from the start of the line, length, type, modifiers.
constexpr size_t kTokenNumbers = 5;
// Symbols within symbols, and selections that include each other: real ones are nested below
// twenty.
constexpr int kMaxNested = 64;
// To find the members in a byte of JSON takes as long as to move so many bytes of a document. With
// two ranges and children in each symbol, every byte of a message may be 40 symbols deep.
constexpr size_t kWorkOfJson = 8;
std::vector<wire::Pointer> PointersAt(std::string_view name, wire::MemberReader* in) {
  std::vector<wire::Pointer> pointers;
  for (const std::string& text : in->Texts(name)) {
    Result<wire::Pointer> pointer = wire::ParsePointer(text);
    pointer ? pointers.push_back(std::move(*pointer)) : in->Expect(name, "/pointer");
  }
  return pointers;
}

class PositionsRule : public CheckRule {
 public:
  PositionsRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        open_(in->Places("open")),
        changed_(in->Places("changed")),
        changes_(in->Places("changes")),
        close_(in->Places("close")),
        units_(in->Places("unit")),
        of_(in->Places("of")) {
    if (open_.empty()) in->Expect("open", "METHOD:/pointer");
    if (changed_.empty() != changes_.empty()) in->Expect("changes", "both it and \"changed\"");
    in->Objects("in", [this, in](wire::MemberReader* item) {
      Holder holder{in->Compiled(item->Places("at")), PointersAt("uri", item),
                    PointersAt("version", item),      PointersAt("positions", item),
                    PointersAt("nested", item),       PointersAt("tokens", item),
                    item->Flag("uri_is_name")};
      if (holder.at.empty()) item->Expect("at", "METHOD:/pointer");
      if (holder.positions.empty() && holder.tokens.empty()) {
        item->Expect("positions", "a list of /pointer");
      }
      holders_.push_back(std::move(holder));
    });
    if (holders_.empty()) in->Expect("in", "a list of objects with positions");
  }

  bool Reads(std::string_view method) const override {
    for (const auto* places : {&open_, &changed_, &close_, &units_, &of_}) {
      if (AnyOfMethod(*places, method)) return true;
    }
    return std::any_of(holders_.begin(), holders_.end(),
                       [&](const Holder& holder) { return AnyOfMethod(holder.at, method); });
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    Follow(seen, report);
    NoteLimit(seen, report);
  }

  void OnGap() override { Forget(); }
  void OnSessionEnd(bool, CheckReport*) override {
    Forget();
    unit_ = PositionUnit::kUtf16;
    noted_ = false;
  }

 private:
  void Follow(const Observed& seen, CheckReport* report) {
    documents_.Allow(seen.body.size());
    LearnUnit(seen);
    const std::optional<Asked> asked = asked_.Take(seen);
    if (unit_ && !documents_.empty()) {
      for (const Holder& holder : holders_) Judge(holder, seen, asked, report);
    }
    if (!IsCall(seen)) return;
    if (const auto value = FirstOf(close_, seen)) documents_.Close(UriIn(*value));
    if (const auto value = FirstOf(open_, seen)) Open(*value, seen);
    if (const auto value = FirstOf(changed_, seen)) Change(*value, seen, report);
    if (!documents_.empty()) asked_.Add(seen, {DocumentOf(seen), documents_.state()});
  }

  // Once per session: silence about a document that is not followed would look like praise.
  void NoteLimit(const Observed& seen, CheckReport* report) {
    if (noted_ || documents_.exceeded().empty() || rule_->severity == wire::Severity::kOff) return;
    noted_ = true;
    Violation violation = CheckReport::Of("documents.followed", seen);
    violation.text = "midwire does not follow this document, so its positions are not checked";
    violation.expected = documents_.exceeded();
    violation.unchecked = true;
    report->Add(std::move(violation), wire::Severity::kNote);
  }

  // Objects that have positions.
  struct Holder {
    Places at;
    std::vector<wire::Pointer> uri, version, positions, nested, tokens;  // below the object
    bool uri_is_name;
  };
  // Members of a position, with their quotes; "": it has none.
  struct Names {
    std::string_view line, character;
  };
  static constexpr Names kNames = {R"("line")", R"("character")"};
  static constexpr Names kNamesOfLines[] = {{R"("startLine")", R"("startCharacter")"},
                                            {R"("endLine")", R"("endCharacter")"}};
  // A request: its document, and the state of all documents when it was sent.
  struct Asked {
    std::string uri;
    uint64_t state = 0;
  };

  static std::optional<std::string_view> FirstOf(const Places& places, const Observed& seen) {
    for (const RulePlace& place : places) {
      if (const auto value = ValueOf(place, seen)) return value;
    }
    return std::nullopt;
  }
  static std::string PlainText(std::string_view uri) {
    const bool usable = uri.size() <= kMaxUri && wire::TypeOf(uri) == JsonType::kString;
    return usable ? PlainUri(wire::StringValue(uri)) : "";
  }
  static std::string UriIn(std::string_view object) {
    const std::string_view uri = MemberOf(object, R"("uri")");
    return uri.empty() ? "" : PlainText(uri);
  }
  std::string DocumentOf(const Observed& seen) const {
    const auto uri = FirstOf(of_, seen);
    return uri ? PlainText(*uri) : "";
  }

  void Forget() {
    documents_.Clear();
    asked_.Clear();
  }

  void LearnUnit(const Observed& seen) {
    const auto unit = FirstOf(units_, seen);
    if (unit && wire::TypeOf(*unit) == JsonType::kString)
      unit_ = UnitNamed(wire::StringValue(*unit));
  }

  // A text as a string of JSON; nullopt: none, or too long to be followed.
  std::optional<std::string> TextOf(std::string_view value) {
    if (value.empty() || wire::TypeOf(value) != JsonType::kString) return std::nullopt;
    // An escape is at most six times as long as what it stands for.
    if (value.size() <= 6 * kMaxDocument) return wire::StringValue(value);
    documents_.Exceed(kLongDocument);
    return std::nullopt;
  }

  void Open(std::string_view object, const Observed& seen) {
    const std::string uri = UriIn(object);
    std::optional<std::string> text = TextOf(MemberOf(object, R"("text")"));
    if (MemberOf(object, R"("uri")").size() > kMaxUri) documents_.Exceed(kLongUri);
    if (uri.empty() || !text) return documents_.Close(uri);
    documents_.Open(uri, std::move(*text), Kept(MemberOf(object, R"("version")")),
                    seen.direction());
  }

  void Change(std::string_view object, const Observed& seen, CheckReport* report) {
    OpenDocument* const document =
        documents_.Changing(UriIn(object), Kept(MemberOf(object, R"("version")")));
    if (document == nullptr || document->owner != seen.direction()) return;
    for (const RulePlace& place : changes_) {
      EachValueOf(place, seen, [&](const wire::Path& path, std::string_view list) {
        if (wire::TypeOf(list) != JsonType::kArray) return;
        wire::Path at = path;
        at.emplace_back();
        JsonParts parts(list);
        for (JsonPart part; parts.Next(&part); ++at.back().index) {
          ApplyChange(part.value, at, document, seen, report);
        }
      });
    }
  }

  void ApplyChange(std::string_view change, wire::Path path, OpenDocument* document,
                   const Observed& seen, CheckReport* report) {
    std::optional<std::string> text = TextOf(MemberOf(change, R"("text")"));
    const std::string_view range = MemberOf(change, R"("range")");
    if (text && range.empty()) return documents_.Replace(document, std::move(*text));
    const auto from = PositionOf(MemberOf(range, R"("start")"));
    const auto to = PositionOf(MemberOf(range, R"("end")"));
    if (!document->text) return;
    if (!text || !from || !to || !unit_) return documents_.Forget(document);
    path.push_back({R"("range")", 0});
    const auto start = Place(document, *from, "\"start\"", path, seen, report);
    // Of an empty range, one finding.
    const auto end = *to == *from ? start : Place(document, *to, "\"end\"", path, seen, report);
    // Which character half of one stands for, only its sender knows.
    if (!start || !end || *end < *start) return documents_.Forget(document);
    documents_.Replace(document, *start, *end, *text);
  }

  void Judge(const Holder& holder, const Observed& seen, const std::optional<Asked>& asked,
             CheckReport* report) {
    for (const RulePlace& place : holder.at) {
      EachValueOf(place, seen, [&](const wire::Path& path, std::string_view object) {
        const std::string_view name = path.empty() ? "" : path.back().name;
        OpenDocument* const document = DocumentIn(holder, name, object, asked);
        if (document == nullptr || !IsPresent(*document, holder, object, seen, asked)) return;
        JudgeObject(holder, object, document, path, 0, seen, report);
      });
    }
  }

  // Whether the object may be read once for each pointer: a nested one is read again for each
  // object around it. False: the document is not followed any more.
  bool MayRead(const Holder& holder, std::string_view object, OpenDocument* document) {
    const size_t reads = holder.positions.size() + holder.tokens.size() + holder.nested.size();
    if (documents_.Spend(kWorkOfJson * reads * object.size())) return true;
    documents_.Forget(document);
    return false;
  }

  // Recursive: at most kMaxNested deep.
  void JudgeObject(const Holder& holder, std::string_view object, OpenDocument* document,
                   wire::Path path, int depth, const Observed& seen, CheckReport* report) {
    if (!document->text || !MayRead(holder, object, document)) return;
    for (const wire::Pointer& pointer : holder.positions) {
      EachBelow(object, pointer, &path,
                [&](std::string_view value) { JudgeValue(value, document, path, seen, report); });
    }
    for (const wire::Pointer& pointer : holder.tokens) {
      EachBelow(object, pointer, &path,
                [&](std::string_view value) { JudgeTokens(value, document, path, seen, report); });
    }
    if (depth == kMaxNested) return;
    for (const wire::Pointer& pointer : holder.nested) {
      EachBelow(object, pointer, &path, [&](std::string_view inner) {
        JudgeObject(holder, inner, document, path, depth + 1, seen, report);
      });
    }
  }

  // `name`: of the member whose value the object is.
  OpenDocument* DocumentIn(const Holder& holder, std::string_view name, std::string_view object,
                           const std::optional<Asked>& asked) {
    if (holder.uri_is_name) return name.empty() ? nullptr : documents_.Find(PlainText(name));
    if (holder.uri.empty()) return asked ? documents_.Find(asked->uri) : nullptr;
    for (const wire::Pointer& pointer : holder.uri) {
      if (const auto uri = BelowOf(object, pointer)) return documents_.Find(PlainText(*uri));
    }
    return nullptr;
  }

  static std::optional<std::string_view> BelowOf(std::string_view object,
                                                 const wire::Pointer& pointer) {
    std::optional<std::string_view> found;
    wire::Path path;
    EachBelow(object, pointer, &path, [&](std::string_view value) { found = value; });
    return found;
  }

  // Whether the message speaks of the text that the document has now.
  bool IsPresent(const OpenDocument& document, const Holder& holder, std::string_view object,
                 const Observed& seen, const std::optional<Asked>& asked) const {
    if (seen.direction() == document.owner) return true;
    if (seen.message->IsAnswer()) return asked && asked->state == documents_.state();
    if (!document.changed) return true;
    for (const wire::Pointer& pointer : holder.version) {
      const auto version = BelowOf(object, pointer);
      if (version && !document.version.empty() && *version == document.version) return true;
    }
    return false;
  }

  // A position, a range of two, or a range of lines.
  void JudgeValue(std::string_view value, OpenDocument* document, const wire::Path& path,
                  const Observed& seen, CheckReport* report) {
    if (const auto position = PositionOf(value)) {
      Place(document, *position, "", path, seen, report);
      return;
    }
    std::optional<Position> start;
    for (const char* name : {R"("start")", R"("end")"}) {
      const auto position = PositionOf(MemberOf(value, name));
      if (!position || position == start) continue;  // of an empty range, one finding
      Place(document, *position, name, path, seen, report);
      start = position;
    }
    for (const Names& names : kNamesOfLines) {
      const auto line = NumberOf(MemberOf(value, names.line));
      // Without a character, it is the end of the line.
      const auto character = NumberOf(MemberOf(value, names.character));
      if (line) Place(document, {*line, character.value_or(0)}, names, path, seen, report);
    }
  }

  // Where tokens begin; the first that is at no place, as those after it are counted from there.
  void JudgeTokens(std::string_view list, OpenDocument* document, wire::Path path,
                   const Observed& seen, CheckReport* report) {
    if (wire::TypeOf(list) != JsonType::kArray) return;
    Position at;
    path.emplace_back();
    size_t& index = path.back().index;
    JsonParts parts(list);
    for (JsonPart part; document->text && parts.Next(&part); ++index) {
      const auto number = NumberOf(part.value);
      if (!number) return;
      if (index % kTokenNumbers == 0) {
        at.line += *number;
        if (*number != 0) at.character = 0;
      } else if (index % kTokenNumbers == 1) {
        at.character += *number;
        if (document->text->Locate(at, *unit_).fit != TextDocument::Fit::kFits) {
          Place(document, at, Names(), path, seen, report);
          return;
        }
        if (!documents_.Spend(at.character + 1)) return documents_.Forget(document);
      }
    }
  }

  // The offset of a position, which is reported if there is no such place. nullopt: inside a
  // character, or too much work.
  std::optional<size_t> Place(OpenDocument* document, const Position& position,
                              std::string_view name, wire::Path path, const Observed& seen,
                              CheckReport* report) {
    // A range may end where the next line would begin (LSP, Range).
    if (name == R"("end")" && position.character == 0 && document->text &&
        position.line == document->text->line_count()) {
      return document->text->text().size();
    }
    if (!name.empty()) path.push_back({name, 0});
    return Place(document, position, kNames, std::move(path), seen, report);
  }

  std::optional<size_t> Place(OpenDocument* document, const Position& position, const Names& names,
                              wire::Path path, const Observed& seen, CheckReport* report) {
    if (!document->text) return std::nullopt;
    const TextDocument& text = *document->text;
    const TextDocument::Located located = text.Locate(position, *unit_);
    const bool fits = located.fit == TextDocument::Fit::kFits;
    // A line that is reported is counted in other units, too.
    if (!documents_.Spend(fits ? located.column + 1 : 4 * located.line.size() + 1)) {
      documents_.Forget(document);
      return std::nullopt;
    }
    if (fits) return located.offset;
    Misplaced wrong = DescribeMisplaced(text, located, position, *unit_);
    const std::string_view last = wrong.of_line ? names.line : names.character;
    if (!last.empty()) path.push_back({last, 0});
    report->AddWrong(seen, *rule_, wire::PointerText(path), std::move(wrong.expected),
                     std::move(wrong.got));
    if (located.fit == TextDocument::Fit::kInsideCharacter) return std::nullopt;
    return located.offset;
  }

  const wire::RuleSpec* rule_;
  Places open_, changed_, changes_, close_, units_, of_;
  std::vector<Holder> holders_;
  std::optional<PositionUnit> unit_ = PositionUnit::kUtf16;  // none: of a name that is not known
  OpenDocuments documents_;
  Pending<Asked> asked_;
  bool noted_ = false;  // that one is not followed
};

}  // namespace

MadeRule MakePositionsRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<PositionsRule>(&rule, in);
}

}  // namespace midwire::check
