// Ids of a request and of an answer, as JSON: for everything that pairs them, which has to agree.
#pragma once

namespace midwire::wire {

struct IdSpelling {
  const char *asked, *answered;
  bool same_id;  // one may be a spelling of the other
};

inline constexpr IdSpelling kIdSpellings[] = {
    {"1", "1.0", true},
    {"1", "\"1\"", true},
    {"\"1\"", "1", true},
    {"1.0", "1", true},
    {"1.0", "\"1\"", true},
    {"1", "1.00", true},
    {"1", "10e-1", true},
    {"100", "1e2", true},
    {"100", "1E+2", true},
    {"1e2", "\"100\"", true},
    {"0", "-0", true},
    {"0", "0.0", true},
    {"-5", "-5.0", true},
    {"-5", "\"-5\"", true},
    {"1.5", "15e-1", true},
    {"1.5", "\"1.5\"", true},
    {"9007199254740993", "9007199254740993.0", true},
    {"1e400", "10e399", true},
    {"\"7\"", R"("\u0037")", true},
    {"7", R"("\u0037")", true},
    {R"("a/b")", R"("a\/b")", true},
    {R"("\u00e9")", "\"\xc3\xa9\"", true},
    {R"("a\nb")", R"("a\u000ab")", true},
    {"1", "2", false},
    {"1", "-1", false},
    {"1", "10", false},
    {"\"a\"", "\"b\"", false},
    {"\"a\"", "\"A\"", false},
    {"9007199254740993", "9007199254740992", false},  // the same as doubles
    {"1e400", "1e401", false},
    {"7", "\"07\"", false},
    {"7", "\" 7\"", false},
    {"\"\"", "0", false},
    {"0", "\"null\"", false},
};

}  // namespace midwire::wire
