#include "trace/redact/shapes.h"

namespace midwire::trace::redact {
namespace {

constexpr std::string_view kOfPrivateKey = "PRIVATE KEY";

// Of those without a blank, quote or sign in it: "xoxb-" and ten characters.
constexpr size_t kShortestWord = 15;

// Lengths are those that the provider documents or issues, as a minimum where they have grown. A
// quantifier above 1000 is an error in RE2.
constexpr Shape kShapes[] = {
    {"private-key",  // quoted, numbered or with <br> too, but no sentence and no stand-in
     R"(-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----)"
     R"(([^"\\]*?[A-Za-z0-9+/]{24}[^"\\]*?)-----END )",
     ShapeCheck::kNone, kOfPrivateKey},
    {"private-key",  // a short one has one line, and no sentence
     R"(-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----\s*([A-Za-z0-9+/]+=*)\s*-----END )",
     ShapeCheck::kNone, kOfPrivateKey},
    {"private-key",  // cut off: lines of base64, quoted or numbered, and of a header
     R"(-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----)"
     R"(((?:[\s\d:.>|#*→]{0,12})"
     R"((?:[A-Za-z0-9+/]{24,}={0,2}|(?:Proc-Type|DEK-Info|Comment|Version): [^"\\\r\n]*))+)"
     R"((?:\s+[A-Za-z0-9+/]+={0,2})?))",
     ShapeCheck::kNone, kOfPrivateKey},
    {"age-key", R"(\b(AGE-SECRET-KEY-1[0-9A-Z]{58})\b)"},
    {"jwt", R"(\b(eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*|$)))"},
    {"jwe", R"(\b(eyJ[\w-]{8,}\.[\w-]*\.[\w-]{8,}\.[\w-]{8,}\.[\w-]{16,}))"},
    // Clouds.
    {"aws-access-key", R"(\b((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b)"},
    {"google-api-key", R"(\b(AIza[\w-]{35})(?:[^\w-]|$))"},
    {"google-oauth", R"(\b(ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}))"},
    {"azure-storage-key", R"(\bAccountKey=([A-Za-z0-9+/]{64,}={0,2}))"},
    {"azure-sas", R"([?&;]sig=([A-Za-z0-9%+/_-]{40,}={0,2}))"},
    {"azure-client-secret", R"(\b(\w{3}[78]Q~[\w.~-]{31,34}))"},
    {"digitalocean", R"(\b(do[opr]_v1_[0-9a-f]{64})\b)"},
    {"databricks", R"(\b(dapi[0-9a-f]{32})\b)", ShapeCheck::kMixed},
    {"vault", R"(\b(hv[sbr]\.[\w-]{24,}))", ShapeCheck::kMixed},
    // Git and packages.
    {"github", R"(\b(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,}))"},
    {"gitlab", R"(\b(gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-[\w-]{20,}))", ShapeCheck::kMixed},
    {"atlassian", R"(\b(ATATT3[\w=-]{50,}|ATBB[A-Za-z0-9]{24,}))", ShapeCheck::kMixed},
    {"npm", R"(\b(npm_[A-Za-z0-9]{36})\b)"},
    {"pypi", R"(\b(pypi-[\w-]{50,}))", ShapeCheck::kMixed},
    {"rubygems", R"(\b(rubygems_[0-9a-f]{48})\b)"},
    {"docker", R"(\b(dckr_pat_[\w-]{24,}))"},
    // Models.
    {"anthropic", R"(\b(sk-ant-[\w-]{20,}))", ShapeCheck::kMixed},
    {"openrouter", R"(\b(sk-or-[\w-]{20,}))", ShapeCheck::kMixed},
    {"openai", R"(\b(sk-[\w-]{20,}))", ShapeCheck::kMixed},
    {"hugging-face", R"(\b((?:hf|api_org)_[A-Za-z0-9]{30,})\b)"},
    {"groq", R"(\b(gsk_[A-Za-z0-9]{40,})\b)", ShapeCheck::kMixed},
    {"xai", R"(\b(xai-[A-Za-z0-9]{40,})\b)", ShapeCheck::kMixed},
    {"perplexity", R"(\b(pplx-[A-Za-z0-9]{40,})\b)", ShapeCheck::kMixed},
    {"replicate", R"(\b(r8_[A-Za-z0-9]{37})\b)"},
    // Other services.
    {"slack", R"(\b(xox[abeoprs]-[\w-]{10,}|xapp-\d-[\w-]{20,}))", ShapeCheck::kMixed},
    {"slack-webhook", R"(\bhooks\.slack\.com/services/(\w+/\w+/\w{20,}))"},
    {"stripe", R"(\b([sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}))"},
    {"sendgrid", R"(\b(SG\.[\w-]{16,}\.[\w-]{16,}))"},
    {"mailgun", R"(\b(key-[0-9a-f]{32})\b)"},
    {"twilio", R"(\b(SK[0-9a-f]{32})\b)"},
    {"shopify", R"(\b(shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32})\b)"},
    {"square", R"(\b(sq0(?:atp|csp)-[\w-]{22,}))"},
    {"linear", R"(\b(lin_api_[A-Za-z0-9]{40})\b)"},
    {"notion", R"(\b(ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{40,48})\b)", ShapeCheck::kMixed},
    {"discord", R"(\b([MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}))", ShapeCheck::kMixed},
    {"discord-webhook", R"(\bdiscord(?:app)?\.com/api/webhooks/\d+/([\w-]{60,}))"},
    {"heroku", R"((?i)heroku[\w .-]{0,24}(?:key|token|secret|password|auth)["']?[ \t:=]+["']?)"
               R"(([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))"},
    {"heroku", R"(\b(HRKU-[\w-]{36,}))"},
    {"supabase", R"(\b(sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,}))"},
    {"telegram", R"(\b(?:bot)?(\d{8,10}:AA[\w-]{33})(?:[^\w-]|$))"},
    {"postman", R"(\b(PMAK-[0-9a-f]{24}-[0-9a-f]{34})\b)"},
    // Whatever the key looks like.
    {"bearer", R"((?i)\bBearer[ \t]+([\w.~+/-]{16,}=*))", ShapeCheck::kMixed},
    {"basic", R"((?i)\bBasic[ \t]+([A-Za-z0-9+/]{8,}={0,2}))", ShapeCheck::kBasic},
    {"url-password", R"(\b[a-z][a-z0-9+.-]*://[^\s/:@"'<>]*:([^\s/@"'<>{}$*]{3,})@)"},
    // Beside a telling name. A backslash may come before each quote, in JSON within a string.
    {"cookie", R"((?im)^[^"'\r\n]*\bcookie:[ \t]*([^\r\n]+))", ShapeCheck::kCookie},
    {"cookie", R"((?i)\bcookie\\*["']?[ \t]*[:=][ \t]*\[?\\*["']?([^"'\\\r\n]+))",
     ShapeCheck::kCookie},
    {"authorization",
     R"((?i)\bauthorization\\*["']?[ \t]*[:=][ \t]*\\*["']?(?:bearer|basic|token|digest|api-?key)[ \t]+)"
     R"(([^\s"'\\,;<>{}]+))",
     ShapeCheck::kBare},
    {"pin",
     R"((?i)(?:(?:\b|_)pin|(?-i:[a-z]Pin))(?:[ _-]?code)?\\*["']?[ \t]*[:=][ \t]*\\*["']?([0-9]{4,12})(?:[\s"'\\,;&}]|$))"},
    // Programs, JSON, quoted values of YAML.
    {"named", R"((?i)%N\\*["']?[ \t]*(?:[:=]|:=|=>)[ \t]*\[?\\*"([^"\\\s][^"\\\r\n]*))",
     ShapeCheck::kQuoted},
    {"named", R"((?i)%N\\*["']?[ \t]*(?:[:=]|:=|=>)[ \t]*\[?\\*'([^'\\\s][^'\\\r\n]*))",
     ShapeCheck::kQuoted},
    // {"name":"API_KEY","value":"..."}, {"value":"...","name":"API_KEY"}, also in lists of one
    {"named",
     R"((?i)%N\\*"(?:[ \t]*:[ \t]*\{|,)[ \t]*\\*"value\\*"[ \t]*:[ \t]*\[?\\*"([^"\\\s][^"\\\r\n]*))",
     ShapeCheck::kQuoted},
    {"named",
     R"((?i)\\*"value\\*"[ \t]*:[ \t]*\[?[ \t]*\\*"([^"\\\s][^"\\\r\n]*)\\*"[^{}]*,\s*)"
     R"(\\*"(?:name|key|field|header|variable)\\*"[ \t]*:[ \t]*\\*"[\w .-]*%N\\*")",
     ShapeCheck::kQuoted},
    // [["x-api-key","..."],...]; ["x-api-key","..."], if it is random; "args":["--password","..."]
    {"named",
     R"((?i)(?:\[|\]\s*,)\s*\[\s*\\*"(?:[\w.-]*%N|pass)\\*"\s*,\s*\\*"([^"\\\s][^"\\\r\n]*))",
     ShapeCheck::kQuoted},
    {"named", R"((?i)\[\s*\\*"[\w.-]*(?:%N|token)\\*"\s*,\s*\\*"([^"\\\s]{16,})\\*")",
     ShapeCheck::kRandom},
    {"named", R"((?i)["']--?(?:[\w-]*%N|pass)\\*["']\s*,\s*\\*["']([^"'\\\s-][^"'\\\r\n]*)\\*["'])",
     ShapeCheck::kQuoted},
    {"named",
     R"((?i)["']--?[\w-]*(?:token|credentials?|access[ _.-]?key)\\*["']\s*,\s*)"
     R"(\\*["']([^"'\\\s]{16,})\\*["'])",
     ShapeCheck::kRandom},
    // ADO, JDBC, ODBC; queries of URLs.
    {"named", R"((?i);[ \t]*%N[ \t]*=[ \t]*([^;"'\s{][^;"'\r\n]*))", ShapeCheck::kQuoted},
    {"named", R"((?i);[ \t]*%N[ \t]*=[ \t]*\{([^{}\r\n]*[^\w{}\r\n][^{}\r\n]*)\})"},
    {"named", R"((?i)[?&][\w.-]*%N=([^\s"'\\&#<>]+))", ShapeCheck::kBare},
    // Variables and options with "=".
    {"named", R"((?i)%N=([^\s"'\\&;,<>(){}\[\]|]+)(?:[\s"'\\&;,<>)}\]|]|$))", ShapeCheck::kBare},
    // A line of YAML, of an INI file or of a header.
    {"named", R"((?im)^[ \t-]*(?:export[ \t]+)?[\w.-]*%N[ \t]*[:=][ \t]*([^\s"'\\]\S*)[ \t]*\r?$)",
     ShapeCheck::kBare},
    {"named",
     R"((?im)^[ \t-]*[\w.-]*(?:pass[ _-]?phrase|mnemonic|(?:seed|recovery)[ _-]?phrase)[ \t]*[:=][ \t]*)"
     R"(([^\s"'\\][^\r\n]*))",
     ShapeCheck::kBare},
    // Within a line: to its end or a comma, or with a digit or sign, which no sentence has.
    {"named", R"((?i)%N["']?[ \t]*[:=][ \t]*([^\s"'\\&;,<>(){}\[\]|]+)(?:[\r\n"'\\,;<}\])]|$))",
     ShapeCheck::kBare},
    {"named",
     R"((?i)%N["']?[ \t]*[:=][ \t]*)"
     R"(([^\s"'\\&;,<>(){}\[\]|]*[0-9!@#%^*+][^\s"'\\&;,<>(){}\[\]|]*)(?:\s|$))",
     ShapeCheck::kBare},
    // "the password is 'x1'", with a digit or a sign, which no word of a sentence has
    {"named", R"((?i)%N[ \t]+(?:is|was)[ \t:]+["'`]([^\s"'`\\]*[0-9!@#%^*+][^\s"'`\\]*)["'`])",
     ShapeCheck::kQuoted},
    // Options; netrc; options of programs that take a password without its name; XML.
    {"named", R"((?i)(?:^|[\s"'])--?[\w-]*%N(?:=|[ \t]+)["]([^"\\\r\n]+))", ShapeCheck::kQuoted},
    {"named", R"((?i)(?:^|[\s"'])--?[\w-]*%N(?:=|[ \t]+)'([^'\\\r\n]+))", ShapeCheck::kQuoted},
    {"named", R"((?i)(?:^|[\s"'])--?[\w-]*%N[ \t]+["']?([^\s"'\\;,<>(){}\[\]|]+))",
     ShapeCheck::kBare},
    {"named", R"((?i)\b(?:setenv|setx|(?-i:ENV))[ \t]+\w*%N[ \t]+["']?([^\s"'\\;,<>(){}\[\]|]+))",
     ShapeCheck::kBare},
    {"named", R"((?i)\b(?:with|encrypted)\s+password\s+'([^'\\\r\n]+))", ShapeCheck::kQuoted},
    {"named", R"(\s-pass(?:in|out)?[ \t]+pass:([^\s"'\\]+))", ShapeCheck::kBare},
    {"named",
     R"((?i)\b(?:machine\s+\S+|default)\s+(?:login\s+\S+\s+)?(?:account\s+\S+\s+)?password\s+(\S+))",
     ShapeCheck::kBare},
    {"named", R"(\b(?:mysql|mariadb)[\w-]*[ \t](?:[^\r\n|;&]*[ \t])?-p([^\s"'\\|;&]+))",
     ShapeCheck::kBare},
    {"named",
     R"(\bcurl[ \t](?:[^\r\n|;&]*[ \t])?(?:-[a-zA-Z]*[uU]|--(?:proxy-)?user)[ \t=]*["']?)"
     R"([^\s"':]+:([^\s"'\\|;&]+))",
     ShapeCheck::kBare},
    // The same in quotes, where it may have blanks.
    {"named",
     R"(\b(?:(?:mysql|mariadb)[\w-]*[ \t](?:[^\r\n|;&]*[ \t])?-p)"
     R"(|sshpass[ \t](?:[^\r\n|;&]*[ \t])?-p[ \t]*))"
     R"("([^"\\\r\n]+))",
     ShapeCheck::kQuoted},
    {"named",
     R"(\b(?:(?:mysql|mariadb)[\w-]*[ \t](?:[^\r\n|;&]*[ \t])?-p)"
     R"(|sshpass[ \t](?:[^\r\n|;&]*[ \t])?-p[ \t]*))"
     R"('([^'\\\r\n]+))",
     ShapeCheck::kQuoted},
    {"named",
     R"(\bcurl[ \t](?:[^\r\n|;&]*[ \t])?(?:-[a-zA-Z]*[uU]|--(?:proxy-)?user)[ \t=]*)"
     R"("[^\s"':]+:([^"\\\r\n]+))",
     ShapeCheck::kQuoted},
    {"named",
     R"(\bcurl[ \t](?:[^\r\n|;&]*[ \t])?(?:-[a-zA-Z]*[uU]|--(?:proxy-)?user)[ \t=]*)"
     R"('[^\s"':]+:([^'\\\r\n]+))",
     ShapeCheck::kQuoted},
    {"named",
     R"(\b(?:sshpass[ \t](?:[^\r\n|;&]*[ \t])?-p)"
     R"(|(?:mongo(?:sh|dump|restore)?|(?:docker|podman) login)[ \t](?:[^\r\n|;&]*[ \t])?-p[ \t=])"
     R"(|7z[ar]?[ \t](?:[^\r\n|;&]*[ \t])?-p|(?:un)?zip[ \t](?:[^\r\n|;&]*[ \t])?-P)"
     R"(|redis-cli[ \t](?:[^\r\n|;&]*[ \t])?-a|sqlcmd[ \t](?:[^\r\n|;&]*[ \t])?-P)[ \t]*["']?)"
     R"(([^\s"'\\|;&-][^\s"'\\|;&]*))",
     ShapeCheck::kBare},
    {"named", R"(\b(?:jdbc:oracle:\w+:|sqlplus[ \t]+(?:-\S+[ \t]+)*)[\w$#]+/([^\s"'\\@/]+)@)",
     ShapeCheck::kBare},
    {"named", R"((?i)<[\w:.-]*%N(?:\s[^<>]*)?>([^<>\r\n]+)<(?:/|$))", ShapeCheck::kQuoted},
    {"named", R"((?i)\b(?:key|name)="[\w:.-]*%N"\s+value="([^"\\<>\r\n]+))", ShapeCheck::kQuoted},
    // "pass" as the whole name: as a member, a query, a variable, an option; a line of YAML, in
    // lower case, since "PASS: x" is a result.
    {"named", R"((?i)(?:^|[^\w.-])pass\\*["']?[ \t]*(?:[:=]|=>)[ \t]*\\*"([^"\\\s][^"\\\r\n]*))",
     ShapeCheck::kPassQuoted},
    {"named", R"((?i)(?:^|[^\w.-])pass\\*["']?[ \t]*(?:[:=]|=>)[ \t]*\\*'([^'\\\s][^'\\\r\n]*))",
     ShapeCheck::kPassQuoted},
    {"named",
     R"((?i)\\*"(?:name|key|field|header|variable)\\*"[ \t]*:[ \t]*\\*"pass\\*",[ \t]*)"
     R"(\\*"value\\*"[ \t]*:[ \t]*\\*"([^"\\\s][^"\\\r\n]*))",
     ShapeCheck::kPassQuoted},
    {"named", R"((?i)(?:^|[\s"'?&;,({]|--?)pass=([^\s"'\\&;,<>(){}\[\]|]+))",
     ShapeCheck::kPassBare},
    {"named", R"((?i)(?:^|[\s"'])--?pass[ \t]+["']?([^\s"'\\;,<>(){}\[\]|]+))",
     ShapeCheck::kPassBare},
    {"named", R"((?m)^[ \t-]*pass:[ \t]*([^\s"'\\]\S*)[ \t]*\r?$)", ShapeCheck::kPassBare},
    // First the tokens that name a request or a position (telling_names.cc): passed over.
    {"named",
     R"((?i)(?:progress|done|result|cancel|page|continuation|semantic|next)[ _.-]?token)"
     R"(\\*["']?[ \t]*[:=][ \t]*\\*["']?[^\s"'\\,;&<>(){}]+|)"
     R"((?:token|credentials?|authorization|access[ _.-]?key)\\*["']?(?:[ \t]*[:=][ \t]*|[ \t]+)\\*["']?)"
     R"(([^\s"'\\,;&<>(){}]{16,}))",
     ShapeCheck::kRandom},
};

}  // namespace

std::span<const Shape> Shapes() { return kShapes; }

bool MayHaveShape(std::string_view text) {
  return text.size() >= kShortestWord || text.find_first_of(" \t\r\n\f\v=:<\"'") != text.npos;
}

}  // namespace midwire::trace::redact
