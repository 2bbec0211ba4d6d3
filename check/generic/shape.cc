// The shape of a message: JSON, its version, result or error, the error object, the id's type.
#include <algorithm>
#include <array>
#include <optional>

#include "check/generic/generic.h"
#include "wire/json/decimal.h"
#include "wire/json/fault.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/valid.h"

namespace midwire::check {
namespace {

using wire::Id;
using wire::Kind;
using wire::Severity;

// JSON-RPC 2.0, clause 5.1: predefined codes, and those left to implementations.
bool IsStandardCode(int64_t code) { return code == -32700 || (code >= -32603 && code <= -32600); }

// The same clause: "The remainder of the space is available for application defined errors."
bool IsReservedCode(int64_t code) { return code >= -32768 && code <= -32000; }

std::string_view TypeName(Id::Type type) {
  switch (type) {
    case Id::Type::kAbsent:
      return "none";
    case Id::Type::kNull:
      return "null";
    case Id::Type::kInteger:
      return "an integer";
    case Id::Type::kFraction:
      return "a fraction";
    case Id::Type::kString:
      return "a string";
    case Id::Type::kOther:
      return "another value";
  }
  return "";
}

class ShapeRule : public CheckRule {
 public:
  void OnSessionEnd(bool, CheckReport*) override {
    latest_seq_ = {};
    open_request_ = {};
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    const uint16_t flags = seen.message->flags;
    const auto add = [&](const char* rule, const char* pointer, const std::string& text,
                         std::string got = "", std::string expected = "",
                         Severity otherwise = Severity::kMust, bool unchecked = false) {
      Violation violation = CheckReport::Of(rule, seen);
      violation.pointer = pointer;
      violation.text = text;
      violation.got = std::move(got);
      violation.expected = std::move(expected);
      violation.unchecked = unchecked;
      report->Add(std::move(violation), otherwise);
    };
    if (!seen.recorded->frame->whole()) return;  // larger than the part of a frame that is kept
    if (!seen.json) {
      // Loose JSON has a limit of depth (wire/json/cursor.h), JSON has none.
      if (wire::IsJson(seen.body)) {
        return add("json.depth", "", "nested deeper than 512 levels: not checked", "", "",
                   Severity::kNote, /*unchecked=*/true);
      }
      return ReportFault(seen, report);
    }
    if (seen.kind() == Kind::kBatch) {
      wire::JsonPart part;
      wire::JsonParts counted(seen.body);
      size_t size = 0;
      while (counted.Next(&part)) ++size;
      add("batch", "",
          "a batch of " + std::to_string(size) + (size == 1 ? " message" : " messages") +
              ", where each message is sent by itself",
          "", "", report->dialect()->batch);
      if (size == 0) add("message", "", "an empty batch, which has no answer", "[]");
      wire::JsonParts parts(seen.body);
      for (size_t index = 0; parts.Next(&part); ++index) {
        if (part.value.starts_with('{')) continue;  // passed to OnMessage by itself
        add("message", ("/" + std::to_string(index)).c_str(), "an element that is not an object",
            std::string(part.value));
      }
      return;
    }
    if (seen.kind() == Kind::kInvalid) {
      const auto& framing = report->dialect()->framing;
      if (framing && *framing != seen.recorded->frame->framing) return;  // see framing.kind
      if (const auto type = WrongType(seen.body)) {
        return add("message", "/type", "a message of no type that DAP has", std::string(*type),
                   "\"request\", \"response\" or \"event\"");
      }
      return add("message", "", "JSON, but not a request, answer or notification",
                 std::string(seen.body));
    }
    if (!(flags & wire::kDap) && (flags & (wire::kNoVersion | wire::kOtherVersion))) {
      add("jsonrpc", "/jsonrpc", "the version is missing or not 2.0", "", "\"2.0\"",
          report->dialect()->jsonrpc_missing);
    }
    if (flags & wire::kDuplicateMember) {
      add("member.once", "", "duplicate member", "", "", Severity::kShould);
    }
    if (!(flags & wire::kDap) && seen.message->IsAnswer() && !seen.result.empty() &&
        !seen.error.empty()) {
      add("answer.shape", "/error",
          "both a result and an error: a reader that validates refuses it, even if one of them "
          "is null",
          std::string(seen.error));
    }
    CheckParams(seen, add);
    if (flags & wire::kNeither) {
      const Severity severity = report->dialect()->WithoutResult(seen.spec);
      const char* const left_out = severity == Severity::kMust ? "" : ": null is left out";
      add("answer.shape", "", std::string("neither a result nor an error") + left_out, "", "",
          severity);
    }
    if (seen.kind() == Kind::kRequest) CheckId(seen, report);
    if (flags & wire::kDap) {
      CheckDap(seen, add);
    } else if (seen.kind() == Kind::kError) {
      CheckError(seen, *report->dialect(), add);
    }
  }

 private:
  // The type of what would be a message of DAP if its type was another text.
  static std::optional<std::string_view> WrongType(std::string_view body) {
    static const wire::Pointer kSeq = {{"seq"}}, kType = {{"type"}}, kVersion = {{"jsonrpc"}};
    if (!wire::ValueAt(body, kSeq) || wire::ValueAt(body, kVersion)) return std::nullopt;
    const auto type = wire::ValueAt(body, kType);
    const bool known =
        type && (*type == R"("request")" || *type == R"("response")" || *type == R"("event")");
    return type && type->starts_with('"') && !known ? type : std::nullopt;
  }

  void CheckId(const Observed& seen, CheckReport* report) {
    const std::vector<Id::Type>& types = report->dialect()->id_types;
    const Id& id = seen.message->id;
    if (types.empty() || std::find(types.begin(), types.end(), id.type) != types.end()) return;
    // A notification whose id is null: method.kind says it.
    if (id.type == Id::Type::kNull && seen.spec != nullptr && !seen.spec->request) return;
    Violation violation = CheckReport::Of("id.type", seen);
    violation.pointer = seen.id_pointer();
    violation.got = id.token;
    for (const Id::Type type : types) {
      if (!violation.expected.empty()) violation.expected += " or ";
      violation.expected += TypeName(type);
    }
    violation.text = id.token.empty() ? "a request without " + std::string(seen.id_pointer() + 1)
                                      : "the id is " + std::string(TypeName(id.type));
    report->Add(std::move(violation));
  }

  static void ReportFault(const Observed& seen, CheckReport* report) {
    Violation violation = CheckReport::Of("json", seen);
    violation.text = "the body is not JSON";
    if (const auto fault = wire::FindJsonFault(seen.body)) {
      violation.pointer = fault->pointer;
      violation.text += ": " + fault->what + ", at byte " + std::to_string(fault->offset);
      violation.got = wire::Around(seen.body, fault->offset);
    } else {
      violation.got = seen.body;
    }
    report->Add(std::move(violation));
  }

  // JSON-RPC 2.0, clause 4.2. Where the method has a schema, that says more.
  template <typename Add>
  void CheckParams(const Observed& seen, const Add& add) {
    if (seen.dap() || seen.params.empty() || (seen.spec && seen.spec->params)) return;
    if (seen.params.front() == '{' || seen.params.front() == '[') return;
    // Many readers take null for params that are absent.
    add("params.kind", "/params", "params are neither an object nor an array",
        std::string(seen.params), "an object or an array",
        seen.params == "null" ? Severity::kShould : Severity::kMust);
  }

  // Debug Adapter Protocol, "Base protocol". The type of a request's seq is for CheckId.
  template <typename Add>
  void CheckDap(const Observed& seen, const Add& add) {
    static const wire::Pointer kSeq = {{"seq"}}, kRequestSeq = {{"request_seq"}},
                               kSuccess = {{"success"}};
    const auto hold = [&](const wire::Pointer& at, const char* pointer, const char* expected,
                          const auto& fits) {
      const std::string_view value = wire::ValueAt(seen.body, at).value_or("");
      if (!fits(value)) {
        add("dap.shape", pointer, "a required member is missing or of another type",
            std::string(value), expected);
      }
    };
    const auto is_integer = [](std::string_view value) {
      return !value.empty() && value.find_first_not_of("-0123456789") == value.npos;
    };
    const std::string_view seq = wire::ValueAt(seen.body, kSeq).value_or("");
    if (seen.kind() != Kind::kRequest) hold(kSeq, "/seq", "an integer", is_integer);
    int64_t number = 0;
    int64_t& latest = latest_seq_[static_cast<int>(seen.direction())];
    if (wire::ParseNumber(seq, &number) && latest != kReported) {
      // Of two requests that are open, id.open says it.
      const bool open = number == latest && open_request_[static_cast<int>(seen.direction())] &&
                        seen.kind() == Kind::kRequest;
      if ((number <= 0 || number == latest) && !open) {
        add("dap.seq", "/seq", "seq is not above that of the party's message before",
            std::string(seq), "above " + std::to_string(latest), Severity::kShould);
        latest = kReported;  // once: a peer that does not count never does
      } else {
        latest = number;
        open_request_[static_cast<int>(seen.direction())] = seen.kind() == Kind::kRequest;
      }
    }
    if (!seen.message->IsAnswer()) return;
    const int asker = static_cast<int>(Opposite(seen.direction()));
    if (seen.message->id.token == std::to_string(latest_seq_[asker])) open_request_[asker] = false;
    // Of a text, id.kept or answer.known says it.
    hold(kRequestSeq, "/request_seq", "an integer",
         [&](std::string_view value) { return is_integer(value) || value.starts_with('"'); });
    hold(kSuccess, "/success", "true or false",
         [](std::string_view value) { return value == "true" || value == "false"; });
  }

  template <typename Add>
  void CheckError(const Observed& seen, const wire::Dialect& dialect, const Add& add) {
    static const wire::Pointer kMessage = {{"message"}}, kCode = {{"code"}};
    if (seen.error.empty() || seen.error.front() != '{') {
      return add("error.shape", "/error", "the error is not an object", std::string(seen.error));
    }
    const auto text = wire::ValueAt(seen.error, kMessage);
    if (!text || text->front() != '"') {
      add("error.shape", "/error/message", "the error has no message that is a string",
          std::string(text.value_or("")));
    }
    const auto code = wire::ValueAt(seen.error, kCode);
    if (!code) {
      return add("error.without-code", "/error/code", "the error has no code", "", "an integer",
                 dialect.error_without_code);
    }
    if (!seen.message->error_code || code->front() == '"') {
      return add("error.shape", "/error/code", "the code is not an integer", std::string(*code),
                 "an integer");
    }
    const int64_t number = *seen.message->error_code;
    const bool known = dialect.error_codes.contains(number) || IsStandardCode(number) ||
                       (dialect.other_error_code == Severity::kNote && !IsReservedCode(number));
    if (!known) {
      add("error.code", "/error/code",
          IsReservedCode(number) ? "a code that JSON-RPC reserves, and the protocol does not have"
                                 : "a code that the protocol does not have",
          std::string(*code), "", dialect.other_error_code);
    } else if (seen.spec && !seen.spec->errors.empty() && !IsStandardCode(number) &&
               std::find(seen.spec->errors.begin(), seen.spec->errors.end(), number) ==
                   seen.spec->errors.end()) {
      add("error.code", "/error/code", "a code that this method does not have", std::string(*code));
    }
  }

  static constexpr int64_t kReported = -1;
  std::array<int64_t, 2> latest_seq_ = {};  // by direction, of DAP
  std::array<bool, 2> open_request_ = {};   // the message with it is a request without its answer
};

}  // namespace

std::unique_ptr<CheckRule> MakeShapeRule() { return std::make_unique<ShapeRule>(); }

}  // namespace midwire::check
