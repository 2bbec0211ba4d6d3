#include "replay/shape/time_formats.h"

namespace midwire::replay {
namespace {

// Years of %C are 1900 to 2099, so that few numbers look like one. Those of %Y are any, because
// `timestamp` always accepted them. The narrow blank is what JavaScript prints before AM.
constexpr TimeFormat kTimeFormats[] = {
    {"ISO 8601", "2026-11-26T11:54:03.123+02:00", "%Y-%m-%d[{<Tt _>|, }%t]"},
    {"ISO 8601, basic clock", "2026-11-26T115403Z", "%Y-%m-%d<Tt _.->%H%M%S[<.,>%f][[ ]%z]"},
    {"ISO 8601, basic", "20261126T115403Z",
     "%Y%m%d{<Tt >{%H%M%S|%H:%M[:%S]}[<.,>%f]|<Tt>%H%M}[[ ]%z]"},
    {"ISO 8601, week", "2026-W48-4T11:54:03Z", "%C-W%V[-%u[T%t]]"},
    {"ISO 8601, day of the year", "2026-330T11:54:03Z", "%C-%jT%t"},
    {"Go's log, nginx's errors", "2026/11/26 11:54:03.123456", "%C/%m/%d[{<T _->|, }%t]"},
    {"dots, year first", "2026.11.26 11:54:03", "%C.%m.%d<T _->%t"},
    {"dots, day first", "26.11.2026, 11:54:03", "%d.%m.%C[{ |, | - }%t]"},
    {"dots, day first, short", "6.1.2026 9:54:03", "%e.%n.%C{ |, | - }%t"},
    {"month first", "11/26/2026, 11:54:03 AM", "%n/%e/%C[{ |, | at | - }%t]"},
    {"day first", "26/11/2026 11:54", "%e/%n/%C[{ |, | at | - }%t]"},
    {"slashes, year of two digits", "11/26/26 11:54:03", "{%n/%e|%e/%n}/%y{ |, }%t"},
    {"dashes, day first", "26-11-2026 11:54:03", "%d-%m-%C[{<T _>|, }%t]"},
    {"dashes, month first", "11-26-2026 11:54:03", "%m-%d-%C[{<T _>|, }%t]"},
    {"half of the day first", "2026/11/26 AM 11:54:03", "%C</->%m</->%d[,] %p[ ]%I:%M[:%S]"},
    {"RFC 2822, HTTP", "Thu, 26 Nov 2026 11:54:03 +0000 (UTC)",
     "[%a[,] ][ ]%e %b[,] %Y[{ |, | at }%t]"},
    {"RFC 850, cookies", "Thursday, 26-Nov-26 11:54:03 GMT",
     "[%a, ]%e-%b-{%C[{<T :>|, }%t]|%y {%t|%H.%M.%S[<.,>%f][ %p]}}"},
    {"ctime, date", "Thu Nov 26 11:54:03 UTC 2026", "%a %b [ ]%e %t %Y[ %z]"},
    {"month in words", "November 26, 2026 at 11:54 AM", "[%a[,] ]%b [ ]%e, %C[{ |, | at }%t]"},
    {"JavaScript's Date", "Thu Nov 26 2026 11:54:03 GMT+0000 (Coordinated Universal Time)",
     "[%a ]%b [ ]%e %C[ %t]"},
    {"Apache and nginx, access", "26/Nov/2026:11:54:03 +0000", "%d/%b/%C[<: >%t]"},
    {"syslog", "Nov 26 11:54:03", "[%a ]%b [ ]%e %H:%M[:%S[<.,>%f]]"},
    {"day first, without a year", "26 Nov 11:54:03.123", "[%a[,] ]%e %b %T"},
    {"logcat", "11-26 11:54:03.123", "%m-%d %T"},
    {"MySQL's errors", "261126 11:54:03", "%y%m%d [ ]%k:%M:%S"},
    {"klog", "1126 11:54:03.123456", "%m%d %T", TimeUse::kAfterLetter},
    {"clock", "11:54:03.123", "%H:%M:%S[<.,>%f|:%L][[ ]%z]"},
    {"clock of 12 hours", "9:54:03 PM", "%I:%M[:%S[<.,>%f]][{ |\u202f}]%p[ %z]"},
    {"clock without seconds", "11:54", "%H:%M", TimeUse::kAmbiguous},
    {"file name, dashes", "2026-11-26_11-54-03-123Z", "%C-%m-%d<T_ ->%H-%M-%S[<._->%f][%z]"},
    {"file name, dots", "2026-11-26 at 11.54.03", "%C-%m-%d{<T_ ->| at }%H.%M[.%S][ %p]"},
    {"file name, underscores", "2026_11_26_11_54_03", "%C_%m_%d[<T_ ->{%H_%M[_%S]|%t}]"},
    {"file name, digits", "20261126_115403", "%C%m%d[<_.->]%H%M%S[<._->%f|%L][%z]"},
    {"file name, minutes", "20261126-1154", "%C%m%d<_->%H%M"},
    {"date of digits", "20261126", "%C%m%d", TimeUse::kNumber},
    {"epoch", "1763882386.123", "%s[.%f]", TimeUse::kEpoch},
};

}  // namespace

std::span<const TimeFormat> TimeFormats() { return kTimeFormats; }

std::string_view ClockGrammar(char name) {
  switch (name) {
    case 'T':
      return "%H:%M:%S[<.,>%f]";
    case 't':
      return "{{%H|%k}:%M[:%S][<.,>%f]|%I:%M[:%S[<.,>%f]][{ |\u202f}]%p}[[ ]%z[ %Z]]";
    default:
      return "";
  }
}

}  // namespace midwire::replay
