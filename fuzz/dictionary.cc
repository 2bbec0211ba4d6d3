// Vocabulary::Dictionary: writes the vocabulary as a fuzzer's dictionary.
#include "fuzz/vocabulary.h"
#include "wire/json/ascii.h"

namespace midwire::fuzz {
namespace {

constexpr std::string_view kFraming[] = {"\n", "\r\n", "\r\n\r\n", "Content-Length: ",
                                         "Content-Type: application/vscode-jsonrpc; charset=utf-8"};
constexpr std::string_view kEnvelope[] = {
    "\"jsonrpc\":\"2.0\"", "\"jsonrpc\":", "\"id\":",   "\"method\":",  "\"params\":",
    "\"result\":",         "\"error\":",   "\"code\":", "\"message\":", "\"data\":"};
// Values that dispatchers often handle wrongly.
constexpr std::string_view kEdges[] = {"null",
                                       "true",
                                       "false",
                                       "{}",
                                       "[]",
                                       "0",
                                       "-1",
                                       "1.0",
                                       "1e400",
                                       "9007199254740993",
                                       "18446744073709551616",
                                       "\"\\ud800\"",
                                       "\"\\u0000\"",
                                       "\"\""};

void AppendToken(std::string_view token, std::string_view after, std::string* out) {
  *out += '"';
  for (const std::string_view part : {token, after}) {
    for (const char c : part) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        *out += '\\';
        *out += c;
      } else if (byte >= 0x20 && byte < 0x7f) {
        *out += c;
      } else {
        *out += "\\x";
        wire::AppendHex(byte, 2, out);
      }
    }
  }
  *out += "\"\n";
}

}  // namespace

std::string Vocabulary::Dictionary() const {
  std::string text;
  std::unordered_set<std::string> listed;  // fuzzers pick at random: no token twice
  const auto group = [&](const char* name, const auto& tokens, std::string_view after = {}) {
    bool first = true;
    for (const std::string_view token : tokens) {
      if (token.size() + after.size() > kMaxTokenSize) continue;
      if (!listed.insert(std::string(token) += after).second) continue;
      if (first) text += std::string(text.empty() ? "# " : "\n# ") + name + "\n";
      first = false;
      AppendToken(token, after, &text);
    }
  };
  group("framing", kFraming);
  group("JSON-RPC", kEnvelope);
  group("methods", methods());
  group("members", keys(), ":");
  group("strings", strings());
  group("numbers", numbers());
  group("ids", ids());
  group("codes", codes());
  group("edges", kEdges);
  return text;
}

}  // namespace midwire::fuzz
