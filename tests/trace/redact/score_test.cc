// The score of the search for secrets, as tables: secrets in texts, secrets in members, and what
// must stay. None is missed and none too many. Doubtful cases are decided for a user with a trace
// for a public report: a missed secret is worse than a value too many, but a trace without its
// structure is useless.
//
// In a row, {k36}, {h32}, {u16} and {l34} are that many characters of a key, of hex, of base32 and
// letters. Secrets stand between the marks >> and <<.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trace/redact/drawn.h"
#include "tests/trace/redact/key.h"
#include "trace/redact/finder.h"
#include "trace/redact/stream_shapes.h"
#include "wire/json/valid.h"

namespace midwire::trace::redact {
namespace {

// Of a known shape, and beside telling names in every place that texts have.
constexpr const char* kInTexts[] = {
    "-----BEGIN RSA PRIVATE KEY-----\n>>{k64}\n{k20}==<<\n-----END RSA PRIVATE KEY-----\n",
    "-----BEGIN PRIVATE KEY-----\r\n>>{k64}\r\n{k20}==<<\r\n-----END PRIVATE KEY-----\r\n",
    "| -----BEGIN PRIVATE KEY-----\n>>| {k64}\n| {k20}\n|<< -----END PRIVATE KEY-----\n",
    "<pre>-----BEGIN PRIVATE KEY----->><br>{k64}<br>{k20}==<br><<-----END PRIVATE KEY-----</pre>",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\n>>Comment: Ada <ada@example.org>\n\n{k64}\n=ab12<<\n"
    "-----END PGP PRIVATE KEY BLOCK-----",
    "-----BEGIN RSA PRIVATE KEY-----\n>>Proc-Type: 4,ENCRYPTED\nDEK-Info: "
    "AES-256-CBC,AB12\n\n{k64}<<",
    "1→-----BEGIN PRIVATE KEY-----\n>>2→{k64}\n3→{k64}<<",
    "key >>AGE-SECRET-KEY-1{u58}<<",
    "t=>>eyJ{k17}.eyJ{k40}.{k43}<<;",
    ">>eyJ{k30}.{k20}.{k16}.{k30}.{k22}<<",
    "id >>AKIA{u16}<<",
    "key=>>AIza{k35}<<",
    ">>GOCSPX-{k28}<<",
    "AccountName=a;AccountKey=>>{k86}==<<;EndpointSuffix=b",
    "https://a.blob.core.windows.net/b?sv=2024-11-04&se=2026-01-01&sig=>>{k43}%3D<<",
    ">>abc8Q~{k34}<<",
    ">>dop_v1_{h64}<<",
    ">>dapi{h32}<<",
    ">>hvs.{k24}<<",
    "https://x:>>ghp_{k36}<<@github.com",
    ">>github_pat_{k22}_{k59}<<",
    ">>glpat-{k20}<<",
    ">>ATATT3{k180}<<",
    "//r/:_authToken=>>npm_{k36}<<",
    ">>pypi-AgEI{k150}<<",
    ">>rubygems_{h48}<<",
    ">>dckr_pat_{k27}<<",
    ">>sk-ant-api03-{k93}AA<<",
    ">>sk-or-v1-{h64}<<",
    ">>sk-proj-{k60}_{k60}<<",
    ">>hf_{l34}<<",
    ">>gsk_{k52}<<",
    ">>xai-{k80}<<",
    ">>pplx-{k48}<<",
    ">>r8_{k37}<<",
    ">>xoxb-123456789012-1234567890123-{k24}<<",
    "https://hooks.slack.com/services/>>T0123/B0123/{k24}<<",
    ">>sk_live_{k24}<<",
    ">>SG.{k22}.{k43}<<",
    ">>shpat_{h32}<<",
    "/bot>>123456789:AA{k33}<</getMe",
    "Bot >>M{k25}.{k6}.{k38}<<",
    "https://discord.com/api/webhooks/123456789012345678/>>{k68}<<",
    "heroku auth token: >>0e9b0a3c-8a1f-4c52-9c5e-1f2a3b4c5d6e<<",
    "HEROKU_API_KEY=>>0e9b0a3c-8a1f-4c52-9c5e-1f2a3b4c5d6e<<",
    ">>sbp_{h40}<<",
    "SUPABASE_KEY is >>sb_secret_{k31}<<",
    "postgres://ada:>>hunter2<<@localhost/db",
    "Authorization: Basic >>YWRhOmh1bnRlcjI=<<",
    "Authorization: Bearer >>abc<<\r\nHost: a",
    "curl -H 'Authorization: Token >>a1<<' https://a",
    "Cookie: >>sid=abc; theme=dark<<\r\nHost: a\r\n",
    "Set-Cookie: >>sid=abc; Path=/<<\n",
    "curl -b x -H 'Cookie: >>a=b<<' https://a",
    "X-Api-Key: >>abc<<\r\nHost: a",
    "https://a/login?user=ada&password=>>hunter2<<&x=1",
    "/login?session_id=>>77ab<<&a=1",
    "GET /a?apiKey=>>k,1<< HTTP/1.1",
    "user: ada\npassword: >>hunter<<\nport: 80\n",
    "db:\n  passwd: '>>it is<<'\n",
    "a:\n  - secret: >>p@ss,w(rd)<<\n",
    "[mail]\npass_phrase = >>abc<<\n",
    "machine a.com login ada password >>hunter<<\n",
    "Server=db;Uid=ada;Pwd=>>a,b<<;Timeout=3",
    "Driver={x};PWD={>>p;q<<};Port=1",
    "jdbc:sqlserver://h:1433;user=ada;password=>>hunter<<;encrypt=true",
    "host=h user=ada password=>>hunter<< dbname=a",
    "mysql -u root -p>>hunter<< shop",
    "mysqldump --password=>>hunter<< shop",
    "mysql -p'>>Sun flower 9<<' shop",
    "tool --password \">>Sun flower 9<<\" --force",
    "gpg --passphrase '>>Sun flower 9<<' --decrypt a",
    "sshpass -p \">>two words<<\" ssh ada@host",
    "curl -u \"ada:>>kf83 jdk2<<\" https://a",
    "curl -su ada:>>hunter<< https://a",
    "curl --proxy-user ada:>>hunter<< https://a",
    "setx API_KEY >>abc1<<",
    "ENV API_KEY >>abc1<<",
    "ALTER USER ada WITH PASSWORD '>>x y<<';",
    "openssl rsa -in a -passin pass:>>hunter<< -out b",
    "zip -P >>hunter<< a.zip b; ls",
    "7z a -p>>hunter<< a.7z b",
    "<password encoding=\"plain\">>>hunter<<</password>",
    "<add key=\"DbPassword\" value=\">>x y<<\"/>",
    "sshpass -p >>hunter<< ssh ada@host",
    "docker login -u ada -p '>>hunter<<' registry.example.com",
    "redis-cli -h host -a >>hunter<< ping",
    "sqlcmd -S host -U ada -P >>hunter<< -Q go",
    "jdbc:oracle:thin:ada/>>hunter<<@//host:1521/shop",
    "sqlplus -s ada/>>hunter<<@shop",
    "tool --password >>hunter<< --force",
    "tool --api-key=>>k1<<",
    "export DB_PASSWORD=>>hunter<<\n",
    "connect(user=\"ada\", password=\">>x y<<\")",
    "log: {'passphrase': '>>correct horse<<', 'a': 1}",
    "{user=ada, password=>>hunter<<, a=1}",
    "passphrase: >>correct horse battery staple<<\n",
    "Mnemonic: >>legal winner thank year wave sausage worth useful legal winner thank yellow<<\n",
    "pin: >>1234<<\n",
    "?pin=>>0042<<&a=1",
    "login failed, password: >>hunter2<< is wrong",
    "<settings><password>>>hunter<<</password></settings>",
    "curl -u ada:>>hunter<< https://a",
    "https://a/login?user=ada&pass=>>hunter<<&x=1",
    "PASS=>>hunter2<< tool",
    "smtp:\n  user: ada\n  pass: >>hunter<<\n",
    "connect({user: \"ada\", pass: \">>x y<<\"})",
    "tool --pass >>hunter<< --force",
    "export SMTP_PASS=>>hunter<<\n",
    "NOTION=>>secret_{k43}<<",
    "running ['tool', '--password', '>>x y<<', '--force']",
    // With the colours of a terminal.
    "\x1b[33mpassword\x1b[0m=\x1b[32m>>hunter2<<\x1b[0m\n",
    "\x1b[1mX-Api-Key\x1b[0m: \x1b[38;5;36m>>abc<<\x1b[0m\r\n",
    "\x1b[2mtoken\x1b[m=\x1b[35m>>{k20}<<\x1b[m done",
    "\x1b(B\x1b[mpassword\x1b(B: \x1b[32m'>>it is<<'\x1b[39m",
    "key \x1b[31m>>ghp_{k36}<<\x1b[0m",
    "a \x1b[31mAuthorization:\x1b[0m Bearer \x1b[1m>>abc<<\x1b[0m",
};

constexpr const char* kInMembers[] = {
    R"({"password":">>a<<"})",
    R"({"old":{"userPassword":">>two words<<"}})",
    R"({"passwd":">>hunter<<","Passwords":["ada"]})",
    R"({"PWD":">>hunter<<"})",
    R"({"pass-phrase":">>correct horse<<"})",
    R"({"pin":">>1234<<"})",
    R"({"cardPin":>>123456<<})",
    R"({"mnemonic":">>legal winner thank<<"})",
    R"({"clientSecret":">>x1<<"})",
    R"({"session_id":">>7<<"})",
    R"({"Mcp-Session-Id":">>0e9b0a3c-8a1f-4c52-9c5e-1f2a3b4c5d6e<<"})",
    R"({"API_KEYS":[">>k1<<"]})",
    R"({"Cookie":">>a=b; c=d<<"})",
    R"({"set-cookie":[">>sid=abc; Path=/<<"]})",
    R"({"env":[{"name":"DB_PASSWORD","value":">>abc<<"}]})",
    R"({"env":[{"value":">>abc<<","name":"DB_PASSWORD"}]})",
    R"({"headers":[{"value" : ">>a b<<", "on":[true], "name" : "X-Api-Key"}]})",
    R"({"Value":">>abc<<","Key":"DB_PASSWORD"})",
    R"({"headers":[{"header":"X-Api-Key","value":[">>abc<<"]}]})",
    R"([{"value":"en","name":"LANG"},{"value":">>abc<<","name":"DB_PASSWORD"}])",
    R"({"text":"[{\"value\":\">>abc<<\",\"name\":\"DB_PASSWORD\"}]"})",
    R"({"authorization":"Bearer >>abc<<"})",
    R"({"headers":[["accept","*/*"],["x-api-key",">>abc<<"]]})",
    R"({"headers":[[ "X-Auth-Token" , ">>a b<<" ],["accept","*/*"]]})",
    R"({"cookies":1,"header":["x-api-key",">>{k20}<<"]})",
    R"({"command":"tool","args":["--password",">>hunter<<","--force"]})",
    R"({"args":["-v","--token",">>{k20}<<"]})",
    R"({"text":"{\"args\":[\"--api-key\",\">>k1<<\"]}"})",
    R"({"auth":{"user":"ada","pass":">>hunter2<<"}})",
    R"({"env":[{"name":"PASS","value":">>hunter<<"}]})",
    R"({"text":"{\"user\":\"ada\",\"pass\":\">>hunter2<<\"}"})",
    R"({"text":"\u001b[33mpassword\u001b[0m=\u001b[32m>>hunter2<<\u001b[0m"})",
    R"({"text":"{\"n\":{\"password\":\">>a<<\"}}"})",
    R"({"password":{"value":">>hunter<<"}})",
    R"({"token":">>{k20}<<"})",
    R"({"credentials":">>{h32}<<"})",
    R"({"apiKey":">>string<<"})",
    R"({ "password" : ">>text<<" })",
    R"({"cookies":[{"name":"sid","value":">>abc<<"}]})",
    R"({"cookies" : [{"name":"a","value":"true"}, {"value" : ">>x y<<","name":"b","path":"/"}]})",
};

constexpr const char* kLookAlikes[] = {
    // Schemas and declarations.
    R"({"properties":{"password":{"type":"string","description":"Yours, please","default":"a"}}})",
    R"({"properties":{"apiKey":{"type":"string","pattern":"^sk-"},"pin":{"type":"integer"}}})",
    R"({"required":["password","apiKey"],"secret":{"type":["string","null"],"title":"Secret"}})",
    R"({"headers":{"Authorization":{"schema":{"type":"string"}}},"in":"header","name":"Cookie"})",
    R"({"arguments":[{"name":"password","description":"of the user","required":true}]})",
    R"({"type":"password","format":"password","name":"password","autocomplete":"new-password"})",
    R"({"text":"{\"properties\":{\"secret\":{\"type\":\"string\"}}}"})",
    // States, counts, settings.
    R"({"password":true,"has_password":false,"secret":null})",
    R"({"password":"","passwd":" ","secret":"none"})",
    R"({"token_count":5,"max_tokens":4096,"tokens":1500,"total_tokens":123456})",
    R"({"passwordPolicy":"strong","passwordHint":"my dog","password_min_length":"12"})",
    R"({"pin":13,"mode":"output"})",  // of a circuit board
    R"({"pin":"13","pinout":"1234","spin":"1234"})",
    R"({"PWD":"/home/ada/src","OLDPWD":"/tmp"})",  // the working folder
    R"({"session_id":7,"sessionId":42})",          // a counter: as a number below 1000
    R"({"credentials":"same-origin","cookie":"chocolate"})",
    R"({"accessKey":"s","token":"identifier","tokenType":"Bearer"})",
    R"({"privateKey":"/home/ada/.ssh/id_rsa","secret":"https://vault.example.com/a"})",
    R"({"secrets":["DB_PASSWORD","API_KEY"]})",       // names, not values
    R"({"password":"Password","apiKey":"API key"})",  // labels
    R"({"pass":true,"passed":12,"total":13})",        // results of tests
    R"({"pass":"mem2reg","next":{"pass":"gvn"}})",    // steps of a compiler
    R"({"pass":12,"fail":1,"results":[{"pass":"12"},{"pass":"98.5%"},{"pass":"12 of 13"}]})",
    R"({"compass":"north","passenger":"ada","bypass":"no-cache","passes":"dce","renderPass":"a1"})",
    R"({"pass":{"type":"string"},"passage":"x1","pass":"passed"})",
    R"({"required":["password","email"],"enum":["secret","public"],"x":["token","id"]})",
    R"({"columns":[["password","string"],["id","int"]],"keys":[["password"],["secret","a","b"]]})",
    R"({"args":["--password","--force","--pass","-v","--secret"],"b":["--token","identifier"]})",
    R"({"args":["--password-file","/run/a"],"a":[["--password"],"x"],"more":["password","x","y"]})",
    // What stands for a secret.
    R"({"password":"${PASSWORD}","apiKey":"$API_KEY","secret":"%SECRET%"})",
    R"({"password":"<password>","apiKey":"{{ apiKey }}","secret":"[REDACTED]"})",
    R"({"password":"***","apiKey":"xxxxxxxx","secret":"sk-...abcd","passwd":"....."})",
    R"({"apiKey":"your-api-key","secret":"YOUR_SECRET","password":"process.env.PASSWORD"})",
    R"({"env":[{"name":"API_KEY","value":"${API_KEY}"},{"name":"PATH","value":"/bin"}]})",
    R"({"env":[{"value":"${API_KEY}","name":"API_KEY"},{"value":"/bin","name":"PATH"}]})",
    R"({"env":[{"value":"a"},{"name":"API_KEY"}],"value":"b","sub":{"name":"API_KEY"}})",
    R"({"value":"a","name":"password hint"})",
    // Identifiers of other things.
    R"({"id":"0e9b0a3c-8a1f-4c52-9c5e-1f2a3b4c5d6e","requestId":"req_{k24}"})",
    R"({"commit":"{h40}","sha256":"{h64}","etag":"\"{h32}\""})",
    R"({"progressToken":"{k20}","workDoneToken":"{k20}","nextPageToken":"{k32}","cursor":"{k32}"})",
    R"({"data":"iVBORw0KGgo{k180}","mimeType":"image/png"})",
    R"({"integrity":"sha512-{k86}=="})",
    "https://example.com/a?sig=abc&signature=none",
    "commit {h40}\nAuthor: Ada <ada@example.com>",
    "heroku release v12 0e9b0a3c-8a1f-4c52-9c5e-1f2a3b4c5d6e",
    "M{k10}.{k6}.{k10}",
    // Sentences.
    "the password is required",
    "Password must have 8 characters",
    "password: must be at least eight characters",
    "Password: required",
    "Enter password:",
    "Enter the PIN: then press OK",
    "the token expires after 3600 seconds",
    "the bearer of this letter, basic functionality",
    "Cookie: accepted",
    "this site uses a cookie: click OK",
    "login with your password to continue",
    "Authorization: required",
    "use --password to sign in, or --password-file FILE",
    "--password PASSWORD   the password of the user",
    "--api-key <key>, --secret=ID",
    // Results of tests.
    "PASS: test_login1\nPASS: a.sh 2\n--- PASS: TestA1 (0.00s)\n",
    "# pass 12\n# fail 0\npass: 12\npass: 98%\npass=12 fail=1\npass=true\n",
    "first pass: x1, second pass: y2",
    "opt --pass mem2reg --pass=licm, pass: \"sroa\"",
    "compass=n1 passenger=\"ada1\" bypass: \"x1\"",
    // Programs.
    "password: string;",
    "function login(user: string, password: string): void",
    "def login(user, password=None, secret: str = \"\"):",
    "connect(user=user, password=password)",
    "this.password = config.password;",
    "const secret = crypto.randomBytes(32)",
    "apiKey: process.env.API_KEY,",
    "password = os.environ[\"PASSWORD\"]",
    "api_key = getpass()",
    "password=${PASSWORD} api-key=${{ secrets.API_KEY }}",
    "<input type=\"password\" name=\"password\" placeholder=\"Password\">",
    "<password></password> <secret>",
    "PWD=/home/ada\nOLDPWD=/tmp\n",
    "pwd: /home/ada",
    "mysql -p -u root shop; mysql --protocol=tcp",
    "cp -p a b",
    "mongo -port 27017; unzip -p a.zip b",
    "signing key: RS256, private_key=ed25519, encryption_key: aes-256-gcm",
    "-----BEGIN PRIVATE KEY----- should never be in a repository because everybody can read it",
    "-----BEGIN PRIVATE KEY-----\n{{ the_private_key_of_this_machine }}\n-----END PRIVATE KEY-----",
    "sshpass -p; docker run -p 80:80 a; docker login -u ada --password-stdin",
    "jdbc:oracle:thin:@//host:1521/shop, jdbc:oracle:thin:/@shop",
    "redis://u:${PASS}@host https://u:****@host http://host:8080/a@b",
    "https://ada@host/ /usr/share/doc/password",
    "token=my-secret-name-version-2024",
    "\x1b[33mpassword\x1b[0m: \x1b[32mrequired\x1b[0m",
    "\x1b[33mpassword\x1b[0m=\x1b[32m${PASSWORD}\x1b[0m \x1b[1mx\x1b[m",
    "Enter \x1b[1mpassword\x1b[0m: \x1b[K",
};

// What a recorder must not replace either, which knows less of where it is.
constexpr const char* kStayInStreams[] = {
    R"({"id":1,"method":"a","params":{"_meta":{"progressToken":"{k20}"}}})",
    R"({"workDoneToken":"{k20}","partialResultToken":"{k20}","nextPageToken" : "{k32}"})",
    R"({"text":"{\"progressToken\":\"{k24}\"}"})",
    R"({"cookies":[{"name":"a","value":"none"}],"value":"abc","more":[{"value":"abc"}]})",
    R"({"env":[{"value":"abc","name":"LANG"},{"name":"API_KEY"}],"value":"b","c":{"name":"API_KEY"}})",
    R"({"apiKey":{"type":"string"},"required":["apiKey","string"],"a":"\"apiKey\":\"string\""})",
};

std::string Expanded(std::string_view row) {
  std::string text;
  for (size_t at = 0; at < row.size(); ++at) {
    const size_t end = row.find('}', at);
    const std::string_view digits = row.substr(std::min(at + 2, row.size()), end - at - 2);
    const bool key = row[at] == '{' && end != row.npos && end < at + 6 && end > at + 2 &&
                     std::string_view("khul").find(row[at + 1]) != std::string_view::npos &&
                     digits.find_first_not_of("0123456789") == digits.npos;
    if (!key) {
      text += row[at];
      continue;
    }
    const size_t size = std::stoul(std::string(digits));
    text += row[at + 1] == 'k'   ? Key(size)
            : row[at + 1] == 'h' ? Hex(size)
            : row[at + 1] == 'u' ? Upper(size)
                                 : Letters(size);
    at = end;
  }
  return text;
}

// A row without its marks, and the secret between them.
struct Case {
  explicit Case(const char* row) : text(Expanded(row)) {
    const size_t from = text.find(">>");
    if (from == text.npos) return;
    // "<password>>>": the marks are the last two.
    const size_t begin = text.find_first_not_of('>', from), to = text.find("<<", begin);
    secret = text.substr(begin, to - begin);
    before = text.substr(0, begin - 2);
    text = before + secret + text.substr(to + 2);
  }
  std::string text, before, secret;
};

class ScoreTest : public testing::Test {
 protected:
  ScoreTest() { patterns_.AddShapes(); }

  std::vector<std::string> FoundIn(const std::string& text) const {
    std::vector<std::string> found;
    const auto visit = [&](std::string_view value, const Found& what) {
      if (what.sure) found.emplace_back(value);
      return std::string();
    };
    wire::IsLooseJson(text) ? finder_.InMessage(text, {}, visit) : finder_.InText(text, visit);
    return found;
  }
  // The same where it stands, however short it is.
  std::string Hidden(const std::string& text) const {
    const auto token = [](std::string_view value, const Found&) {
      return std::string(value.size(), '~');
    };
    std::string now = text;
    wire::IsLooseJson(text) ? finder_.InMessage(text, {}, token, now.data())
                            : finder_.InText(text, token, now.data());
    return now;
  }

  std::string Recorded(const std::string& text, size_t step) const {
    StreamShapes shapes(&patterns_, kKey);
    std::string taped;
    for (size_t at = 0; at < text.size(); at += step) {
      shapes.Feed(std::string_view(text).substr(at, step), &taped);
    }
    shapes.Finish(&taped);
    return taped;
  }

  Patterns patterns_;
  SecretPlaces places_{.places = {}, .names = {}, .telling = true};
  Finder finder_{&places_, &patterns_};
};

TEST_F(ScoreTest, SecretsInTexts) {
  for (const char* row : kInTexts) {
    const Case one(row);
    EXPECT_THAT(FoundIn(one.text), testing::ElementsAre(one.secret)) << one.text;
    std::string hidden = one.text;
    hidden.replace(one.before.size(), one.secret.size(), one.secret.size(), '~');
    EXPECT_EQ(Hidden(one.text), hidden);
  }
}

TEST_F(ScoreTest, SecretsInMembers) {
  for (const char* row : kInMembers) {
    const Case one(row);
    EXPECT_THAT(FoundIn(one.text), testing::Contains(one.secret)) << one.text;
    EXPECT_EQ(Hidden(one.text).substr(one.before.size(), one.secret.size()),
              std::string(one.secret.size(), '~'))
        << one.text;
  }
}

// The sequence within it stays, and what ends without the last byte of one.
TEST_F(ScoreTest, StylesWithinASecret) {
  EXPECT_EQ(Hidden("password=hun\x1b[1mter2\x1b[0m"), "password=~~~\x1b[1m~~~~\x1b[0m");
  EXPECT_EQ(Hidden("password=hun\x1b[1mter2\x1b[0"), "password=~~~\x1b[1m~~~~\x1b[0");
  EXPECT_EQ(Hidden(R"({"text":"password=hun\u001b[1mter2"})"),
            R"({"text":"password=~~~\u001b[1m~~~~"})");
}

// As a recorder does. A secret with blanks is replaced in parts.
TEST_F(ScoreTest, WhileTextsStream) {
  for (const char* row : kInTexts) {
    const Case one(row);
    for (const size_t step : {size_t{1}, size_t{5}, one.text.size()}) {
      const std::string taped = Recorded(one.text, step);
      EXPECT_EQ(taped.size(), one.text.size());
      const std::string left = taped.substr(one.before.size(), one.secret.size());
      for (size_t at = 0; at + 3 < left.size(); ++at) {
        EXPECT_NE(left.substr(at, 4), one.secret.substr(at, 4)) << step << ": " << taped;
      }
      EXPECT_NE(left, one.secret) << step << ": " << taped;
      EXPECT_EQ(taped.substr(0, one.before.size()), one.before) << step;
    }
  }
}

TEST_F(ScoreTest, WhileMembersStream) {
  for (const char* row : kInMembers) {
    const Case one(row);
    for (const size_t step : {size_t{1}, one.text.size()}) {
      const std::string taped = Recorded(one.text, step);
      EXPECT_NE(taped.substr(one.before.size(), one.secret.size()), one.secret) << taped;
      EXPECT_EQ(taped.substr(0, one.before.size()), one.before);
      EXPECT_TRUE(wire::IsLooseJson(taped)) << taped;
    }
  }
}

TEST_F(ScoreTest, WhileLookAlikesStream) {
  for (const char* row : kStayInStreams) {
    const std::string text = Expanded(row);
    for (const size_t step : {size_t{1}, size_t{5}, text.size()}) {
      EXPECT_EQ(Recorded(text, step), text) << step;
    }
  }
}

TEST_F(ScoreTest, LookAlikesStay) {
  for (const char* row : kLookAlikes) {
    const Case one(row);
    EXPECT_THAT(FoundIn(one.text), testing::IsEmpty()) << one.text;
    EXPECT_EQ(Hidden(one.text), one.text);
  }
}

}  // namespace
}  // namespace midwire::trace::redact
