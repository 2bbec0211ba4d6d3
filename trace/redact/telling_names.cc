#include "trace/redact/telling_names.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "trace/redact/randomness.h"
#include "trace/redact/word_list.h"
#include "wire/json/ascii.h"
#include "wire/json/parts.h"

namespace midwire::trace::redact {
namespace {

struct TellingRow {
  std::string_view words;  // of a name's end; a blank: nothing, "_", "-", "." or a capital
  Telling telling;
  bool whole = false;  // a word of its own: "card_pin", but not "spin"
};

constexpr TellingRow kTelling[] = {
    {"password", Telling::kSecret},
    {"password confirmation", Telling::kSecret},
    {"passwd", Telling::kSecret},
    {"passphrase", Telling::kSecret},
    {"pass phrase", Telling::kSecret},
    {"passcode", Telling::kSecret},
    {"db pass", Telling::kSecret},
    {"user pass", Telling::kSecret},
    {"smtp pass", Telling::kSecret},
    {"mail pass", Telling::kSecret},
    {"admin pass", Telling::kSecret},
    {"root pass", Telling::kSecret},
    {"sql pass", Telling::kSecret},
    {"ssh pass", Telling::kSecret},
    {"pwd", Telling::kFolderOrWord, /*whole=*/true},
    {"pin", Telling::kPin, /*whole=*/true},
    {"pin code", Telling::kPin},
    {"mnemonic", Telling::kSecret},
    {"seed phrase", Telling::kSecret},
    {"recovery phrase", Telling::kSecret},
    {"secret", Telling::kSecret},
    {"session id", Telling::kSecret},
    {"sess id", Telling::kSecret},
    {"api key", Telling::kSecret},
    {"secret key", Telling::kSecret},
    {"secret access key", Telling::kSecret},
    {"private key", Telling::kSecret},
    {"signing key", Telling::kSecret},
    {"auth key", Telling::kSecret},
    {"encryption key", Telling::kSecret},
    {"access token", Telling::kSecret},
    {"refresh token", Telling::kSecret},
    {"auth token", Telling::kSecret},
    {"id token", Telling::kSecret},
    {"api token", Telling::kSecret},
    {"bearer token", Telling::kSecret},
    {"session token", Telling::kSecret},
    {"security token", Telling::kSecret},
    {"csrf token", Telling::kSecret},
    {"cookie", Telling::kCookie},
    {"authorization", Telling::kAuthorization},
    {"access key", Telling::kLikely},  // also a key of the keyboard
    {"credential", Telling::kLikely},  // of fetch: "include"
    {"credentials", Telling::kLikely},
    {"token", Telling::kLikely},
};

// Parts of names of tokens that are no secret: they name a request or a position.
constexpr std::string_view kHarmless[] = {"progress", "donetoken",    "resulttoken", "cancel",
                                          "page",     "continuation", "semantic",    "next"};

// The whole name: "compass", "render_pass" and "first-pass" are no passwords.
constexpr TellingRow kPassRow = {"pass", Telling::kPassword};

// What follows "pass" where tests report their results.
constexpr std::string_view kResults =
    " pass passed fail failed skip skipped error warn all some first second third final last "
    "partial success pending ";

// What follows "pass" where compilers name their steps: by name, since "hunter2" has the form of
// "mem2reg". None is a word that is used as a password.
constexpr std::string_view kSteps =
    " adce argpromotion bdce constprop cse dce dse early-cse globaldce globalopt gvn gvn-hoist "
    "indvars instcombine instsimplify ipsccp jump-threading licm loop-rotate loop-unroll "
    "loop-vectorize mem2reg memcpyopt mergefunc mldst-motion newgvn prune-eh reg2mem sccp "
    "simplifycfg slp-vectorizer sroa tailcallelim ";

// Values that say something about a secret instead of being one.
constexpr std::string_view kStates =
    " none null nil undefined nullptr true false yes no ok required optional missing invalid "
    "expired empty unset set hidden redacted masked unknown inherit disabled enabled include "
    "omit changed wrong valid accepted incorrect rejected n/a default ";
constexpr std::string_view kTypesOfTexts =
    " string str text int integer number bool bytes boolean char object any void auto varchar "
    "buffer ";
// Words that follow a name in a sentence ("--password to sign in") or in a program.
constexpr std::string_view kWordsAfterNames =
    " self this let const var await new to is the a an and or for with in from if not as of on "
    "via can must will shall may should when "  // words-ok: data
    "has was field value option flag file stdin instead prompt prompts ";
// What a key is for: "signing key: RS256".
constexpr std::string_view kAlgorithms =
    " rs256 rs384 rs512 es256 es384 es512 hs256 hs384 hs512 ps256 ps384 ps512 rsa dsa ecdsa eddsa "
    "ed25519 ed448 x25519 secp256k1 p-256 p-384 aes aes128 aes256 aes-128 aes-256 aes-128-gcm "
    "aes-256-gcm aes-128-cbc aes-256-cbc chacha20 chacha20-poly1305 ";
// What stands for a secret that is elsewhere.
constexpr std::string_view kReferences[] = {"process.env", "os.environ", "os.getenv",
                                            "env.",        "env:",       "secrets.",
                                            "vault:",      "op://",      "file:"};

// Lower case, without what separates words.
std::string PlainName(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (wire::IsAlphanumeric(c)) plain += wire::ToLower(c);
  }
  return plain;
}

// Whether `plain` ends in `words` without their blanks.
bool EndsInWords(std::string_view plain, std::string_view words) {
  size_t at = plain.size();
  for (size_t i = words.size(); i-- > 0;) {
    if (words[i] == ' ') continue;
    if (at == 0 || plain[--at] != words[i]) return false;
  }
  return true;
}

// Whether the last `size` characters of `name` are a word.
bool IsLastWord(std::string_view name, size_t size) {
  if (name.size() <= size) return true;
  const char before = name[name.size() - size - 1], first = name[name.size() - size];
  return !wire::IsAlphanumeric(before) || (wire::IsUpper(first) && !wire::IsUpper(before));
}

const TellingRow* RowOf(std::string_view name) {
  while (!name.empty() && wire::IsDigit(name.back())) name.remove_suffix(1);  // password2
  const std::string plain = PlainName(name);
  if (plain == kPassRow.words) return &kPassRow;
  std::string_view end = plain;
  for (int plural = 0; plural < 2; ++plural) {
    for (const TellingRow& row : kTelling) {
      if (!EndsInWords(end, row.words)) continue;
      if (row.whole && !IsLastWord(name, row.words.size())) continue;
      if (plural == 1 && row.telling != Telling::kSecret && row.telling != Telling::kCookie)
        continue;
      return &row;
    }
    if (!end.ends_with('s')) break;
    end.remove_suffix(1);
  }
  return nullptr;
}

bool AllAre(std::string_view text, auto is) { return std::all_of(text.begin(), text.end(), is); }
constexpr bool IsIdentifierChar(char c) { return wire::IsAlphanumeric(c) || c == '_' || c == '$'; }

bool IsConstant(std::string_view value) {
  return AllAre(value, [](char c) { return wire::IsUpper(c) || c == '_'; });
}

// "***", "xxxx", "...", "sk-...abcd"
bool IsMasked(std::string_view value) {
  static constexpr std::string_view kBullet = "\xe2\x80\xa2";
  for (const std::string_view mask : {std::string_view("***"), std::string_view("..."), kBullet}) {
    if (value.find(mask) != value.npos) return true;
  }
  const char first = value.front();
  return (!wire::IsAlphanumeric(first) || first == 'x' || first == 'X') &&
         AllAre(value, [&](char c) { return c == first; });
}

// "%s", "$TOKEN", "${TOKEN}", "%TOKEN%", "<token>", "{{ token }}", "process.env.TOKEN",
// "your-api-key"
bool IsStandIn(std::string_view value) {
  const char first = value.front(), last = value.back();
  if (first == '%' && value.size() == 2) return true;
  if ((first == '<' && last == '>') || (first == '{' && last == '}') ||
      (first == '[' && last == ']') || (first == '%' && last == '%')) {
    return true;
  }
  if (value.find("${") != value.npos || value.find("$(") != value.npos ||
      value.find("{{") != value.npos) {
    return true;
  }
  const auto is_constant = [](char c) { return wire::IsUpper(c) || wire::IsDigit(c) || c == '_'; };
  if (first == '$' && (AllAre(value.substr(1), is_constant) || RowOf(value) != nullptr))
    return true;
  const std::string lower = wire::ToLower(value);
  if (lower.starts_with("your") && value.size() > 4 && !wire::IsLower(value[4])) return true;
  return std::any_of(std::begin(kReferences), std::end(kReferences),
                     [&](std::string_view reference) { return lower.starts_with(reference); });
}

// "/home/ada/.netrc", "~/key.pem", "C:\key", "https://...". Base64 may begin with a slash, but has
// no second one followed by a word.
bool IsPathOrUrl(std::string_view value, bool folder) {
  if (value.find("://") != value.npos || value.starts_with("~/") || value.starts_with("./") ||
      value.starts_with("../")) {
    return true;
  }
  if (value.size() > 2 && value[1] == ':' && (value[2] == '\\' || value[2] == '/')) return true;
  if (!value.starts_with('/')) return false;
  if (folder) return true;
  const bool plain =
      AllAre(value, [](char c) { return IsIdentifierChar(c) || c == '/' || c == '.' || c == '-'; });
  return plain && value.find('/', 1) != value.npos && !value.ends_with('=') && !IsRandomWord(value);
}

// "config.password", "userPassword", "PASSWORD": of a program, or what a manual calls the value.
bool IsOfProgram(std::string_view value) {
  if (IsConstant(value) && value.size() > 1) return true;
  if (!AllAre(value, [](char c) { return IsIdentifierChar(c) || c == '.'; })) return false;
  if (RowOf(value) != nullptr && !wire::IsDigit(value.back())) return true;
  if (std::any_of(value.begin(), value.end(), wire::IsDigit)) return false;
  const std::string lower = wire::ToLower(value);
  return value.find('.') != value.npos || lower.find("password") != lower.npos ||
         lower.find("secret") != lower.npos;
}

// "crypto.randomBytes(32)", "string;", "self.token)": more of a program than a value.
bool IsOfCode(std::string_view value) {
  if (value.back() == ')' && IsOfProgram(value.substr(0, value.find(')')))) return true;
  if (std::string_view(",;:").find(value.back()) != std::string_view::npos) return true;
  const size_t bracket = value.find_first_of("([{");
  return bracket != value.npos && AllAre(value.substr(0, bracket), [](char c) {
           return IsIdentifierChar(c) || std::string_view(".:->").find(c) != std::string_view::npos;
         });
}

// "12", "3/4", "98.5%", "12 of 13", "2 tests passed", "12ms", "cases.test.js": beside "pass".
bool IsResult(std::string_view value) {
  const std::string lower = wire::ToLower(value);
  if (HasWord(kResults, lower) || HasWord(kSteps, lower)) return true;
  const size_t end = std::min(value.find_first_not_of("0123456789.,/%"), value.size());
  if (end == value.size()) return true;
  if (end > 0 && (value[end] == ' ' || value.substr(end) == "s" || value.substr(end) == "ms"))
    return true;
  return value.find(".test.") != value.npos || value.find(".spec.") != value.npos ||
         value.find("::") != value.npos;
}

// Not even likely, whatever the name.
bool SaysNothing(std::string_view value, Written written) {
  if (IsMasked(value) || IsStandIn(value)) return true;
  const std::string lower = wire::ToLower(value);
  if (HasWord(kStates, lower) || HasWord(kAlgorithms, lower) || lower == "not set") return true;
  // "password": "Password" is a label, "secrets": ["DB_PASSWORD"] a list of names.
  const TellingRow* const row = RowOf(value);
  if (row != nullptr && !wire::IsDigit(value.back()) &&
      (IsConstant(value) || PlainName(value).size() <= row->words.size() + 1)) {
    return true;
  }
  const bool in_text = written == Written::kQuoted || written == Written::kBare;
  if (in_text && HasWord(kTypesOfTexts, lower)) return true;
  if (written != Written::kBare) return false;
  if (HasWord(kWordsAfterNames, lower)) return true;
  // "--force", "Secret::Kind", "secret == 1"
  if (std::string_view("-:=>").find(value.front()) != std::string_view::npos) return true;
  return IsOfProgram(value) || IsOfCode(value);
}

// "sid=abc; theme=dark" (RFC 6265)
bool IsCookie(std::string_view value) {
  const size_t size = value.find('=');
  return size != value.npos && size > 0 && AllAre(value.substr(0, size), [](char c) {
           return c > ' ' && c < 0x7f &&
                  std::string_view("()<>@,;:\\\"/[]?={}").find(c) == std::string_view::npos;
         });
}

std::string_view WithoutScheme(std::string_view value) {
  const size_t blank = value.find(' ');
  const bool scheme = blank != value.npos && AllAre(value.substr(0, blank), [](char c) {
                        return wire::IsAlphanumeric(c) || c == '-';
                      });
  return scheme ? value.substr(std::min(value.find_first_not_of(' ', blank), value.size())) : value;
}

}  // namespace

Telling TellingOf(std::string_view name) {
  if (name.size() < 3 || name.size() > 64) return Telling::kNo;
  const TellingRow* const row = RowOf(name);
  if (row == nullptr) return Telling::kNo;
  if (row->telling != Telling::kLikely) return row->telling;
  const std::string plain = PlainName(name);
  const bool harmless =
      std::any_of(std::begin(kHarmless), std::end(kHarmless),
                  [&](std::string_view part) { return plain.find(part) != plain.npos; });
  return harmless ? Telling::kNo : Telling::kLikely;
}

NamedSecret SecretBeside(Telling name, std::string_view value, Written written) {
  value = wire::Trimmed(value);
  if (name == Telling::kAuthorization) value = WithoutScheme(value);
  if (name == Telling::kNo || value.empty()) return {};
  const bool digits = AllAre(value, wire::IsDigit);
  // A number below 1000 counts or numbers something.
  const bool number = written == Written::kNumber || (written == Written::kBare && digits);
  if (number && value.size() < 4) return {};
  if (name == Telling::kPin) {
    return digits && value.size() >= 4 && value.size() <= 12 ? NamedSecret{value} : NamedSecret{};
  }
  if (SaysNothing(value, written)) return {};
  switch (name) {
    case Telling::kNo:
    case Telling::kPin:
      return {};
    case Telling::kLikely:
      return {value, written != Written::kNumber && IsRandomWord(value)};
    case Telling::kCookie:
      return {value, IsCookie(value)};
    case Telling::kFolderOrWord:
      if (IsPathOrUrl(value, /*folder=*/true)) return {};
      return {value};
    case Telling::kPassword:
      if (written == Written::kNumber || IsResult(value)) return {};
      return {value, !IsPathOrUrl(value, /*folder=*/false)};
    case Telling::kSecret:
      return {value, !IsPathOrUrl(value, /*folder=*/false)};
    case Telling::kAuthorization:
      return {value};
  }
  return {};
}

bool IsOption(std::string_view argument) {
  if (!argument.starts_with('-') || argument.size() < 2) return false;
  if (argument.size() == 2) return true;
  return argument[1] == '-' && wire::IsAlphanumeric(argument[2]);
}

std::vector<std::string> TellingWords() {
  std::vector<std::string> words;
  for (const TellingRow& row : kTelling) words.push_back(PlainName(row.words));
  return words;
}

std::string WithTellingNames(std::string_view pattern) {
  const size_t at = pattern.find("%N");
  if (at == pattern.npos) return std::string(pattern);
  std::string names;
  for (const TellingRow& row : kTelling) {
    if (row.telling != Telling::kSecret && row.telling != Telling::kFolderOrWord) continue;
    names += names.empty() ? "(?:" : "|";
    if (row.whole) names += "(?:\\b|_)";
    for (const char c : row.words) c == ' ' ? names += "[ _.-]?" : names += c;
  }
  std::string all(pattern.substr(0, at));
  return (all += names + ")s?[0-9]?") += pattern.substr(at + 2);
}

}  // namespace midwire::trace::redact
