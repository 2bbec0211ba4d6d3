// Rule type "base64": a string is base64 (RFC 4648, section 4, with its padding).
//   {"type":"base64","at":["tools/call:/result/content/*/data"]}
// The violation says which of the usual mistakes it is. Reads the string in place.
#include <algorithm>

#include "check/rules/types.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::check {
namespace {

// Around the first wrong byte.
constexpr size_t kShownBefore = 16, kShownAfter = 32;

constexpr std::array<bool, 256> Base64Bytes() {
  std::array<bool, 256> all = {};
  for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789+/")) {
    all[static_cast<unsigned char>(c)] = true;
  }
  return all;
}
constexpr std::array<bool, 256> kBase64Bytes = Base64Bytes();

struct Base64Fault {
  size_t at;
  const char* expected;
};

std::optional<Base64Fault> FindBase64Fault(std::string_view text) {
  const auto wrong = std::find_if(text.begin(), text.end(), [](char c) {
    return !kBase64Bytes[static_cast<unsigned char>(c)];
  });
  const size_t at = static_cast<size_t>(wrong - text.begin());
  const std::string_view rest = text.substr(at);
  if (text.starts_with("data:")) {
    return Base64Fault{0, "base64 without a data URL in front of it"};
  }
  if (rest.empty() || rest == "=" || rest == "==") {
    if (text.size() % 4 == 0) return std::nullopt;
    return Base64Fault{at, "base64 with as many \"=\" as make its length a multiple of 4"};
  }
  switch (rest.front()) {
    case '-':
    case '_':
      return Base64Fault{at, "base64 with + and /, not with the alphabet of URLs"};
    case ' ':
    case '\t':
    case '\r':
    case '\n':
      return Base64Fault{at, "base64 without blanks and line ends"};
    default:
      return Base64Fault{at, "base64"};
  }
}

class Base64Rule : public CheckRule {
 public:
  Base64Rule(const wire::RuleSpec* rule, RuleReader* in) : rule_(rule), at_(in->Places("at")) {
    if (at_.empty()) in->Expect("at", "METHOD:/pointer");
  }

  bool Reads(std::string_view method) const override { return AnyOfMethod(at_, method); }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    for (const RulePlace& place : at_) {
      EachValueOf(place, seen, [&](const wire::Path& path, std::string_view value) {
        Judge(seen, path, value, report);
      });
    }
  }

  bool ReadsOnly(const Observed& seen, RuleReads* reads) const override {
    for (const RulePlace& place : at_) AddValuesOf(place, seen, &reads->parts);
    return true;
  }

 private:
  void Judge(const Observed& seen, const wire::Path& path, std::string_view value,
             CheckReport* report) const {
    if (wire::TypeOf(value) != wire::JsonType::kString || value.size() < 2) return;
    std::string undone;
    std::string_view text = value.substr(1, value.size() - 2);
    if (text.find('\\') != text.npos) text = undone = wire::StringValue(value);
    const std::optional<Base64Fault> fault = FindBase64Fault(text);
    if (!fault) return;
    const size_t from = fault->at - std::min(fault->at, kShownBefore);
    report->AddWrong(seen, *rule_, wire::PointerText(path), fault->expected,
                     (from > 0 ? "..." : "") +
                         std::string(text.substr(from, fault->at - from + kShownAfter)) +
                         " (byte " + std::to_string(fault->at) + ")");
  }

  const wire::RuleSpec* rule_;
  Places at_;
};

}  // namespace

MadeRule MakeBase64Rule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<Base64Rule>(&rule, in);
}

}  // namespace midwire::check
