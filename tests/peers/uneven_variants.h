// The variants of the peer `uneven`: the messages of its session, and how each variant departs from
// it. The first ones, up to `linger`, are what a correct plugin may do.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace uneven {

// An edit of what the plugin sends: a verb, the label of a message (see kMessages), an argument.
//   drop L           L is never sent
//   slow L MS        the plugin sleeps before L; compute L MS: it computes
//   late L MS        L is sent later, and the rest goes on
//   fork L           L is sent by a child process, at any time within 3 ms
//   swap L M         L waits until M was sent
//   times L MAX      L is sent 0 to MAX times
//   double L         L is sent twice
//   change L A=>B    the first A in L becomes B
//   before L TEXT    TEXT is a line before L
//   raw L TEXT       TEXT comes before L, without a line end
//   bytes L MS       L is sent byte by byte, MS milliseconds for all of it
//   flood L COUNT    COUNT messages of a new method before L; flood-calls: COUNT calls
//   die L SIGNAL, exit L CODE, mute L, hang L, close L: instead of L, and for good
//   beat L MS        instead of L and all that follows, a volatile message every MS milliseconds
//   early L          the answer L (run, items) does not wait for the host's answer
//   ending CODE      exit status; linger MS: exits that long after the end of stdin; stay: never
//   orphan-says MS, orphan-holds MS: a child outlives the plugin so long, with a last message or
//   without
// In texts, %p is the pid, %t the time in ns, %r 12 hex digits, %u a UUID: new in every run.
struct Edit {
  std::string verb, label, argument;
};
struct Variant {
  const char* name;
  std::vector<Edit> edits;
};

inline const char kNote[] = R"({"jsonrpc":"2.0","method":"changed","params":{"item":"z","n":3}})";
inline const char kNews[] = R"({"jsonrpc":"2.0","method":"news","params":{"text":"new"}})";
inline const char kCall[] =
    R"({"jsonrpc":"2.0","id":"x-%p","method":"host/other","params":{"pid":1}})";
inline const char kPidNote[] = R"({"jsonrpc":"2.0","method":"news","params":{"pid":%p}})";
inline const char kStray[] = R"({"jsonrpc":"2.0","id":77,"result":"stray"})";

inline const std::vector<Variant> kVariants = {
    // What a correct plugin may do: the report is green.
    {"same", {}},
    {"volatile-count", {{"times", "log", "5"}}},
    {"volatile-lost", {{"drop", "log", ""}}},
    {"volatile-late", {{"late", "log", "40"}}},
    {"volatile-forked", {{"fork", "log", ""}}},
    {"volatile-pid", {{"change", "log", "line=>line %p"}}},
    {"volatile-flood", {{"times", "log", "400"}}},
    {"answers-swapped", {{"swap", "a", "b"}}},
    {"answers-forked", {{"fork", "a", ""}, {"fork", "b", ""}}},
    {"notes-forked", {{"fork", "ready", ""}, {"fork", "poked", ""}}},
    {"slow-start", {{"slow", "init", "120"}}},
    {"slow-middle", {{"slow", "open", "120"}, {"slow", "p2", "120"}}},
    {"bytewise", {{"bytes", "items", "60"}, {"bytes", "ask", "60"}}},
    {"note-late-50", {{"late", "poked", "50"}}},
    {"note-late-240", {{"late", "ready", "240"}}},
    {"note-late-300", {{"late", "changed2", "300"}}},
    {"note-late-950", {{"late", "ready", "950"}}},
    {"progress-slow", {{"slow", "p1", "80"}, {"slow", "p3", "80"}}},
    {"calls-in-sequence", {{"swap", "lookup", "p3"}}},
    {"call-forked", {{"fork", "ask", ""}}},
    {"orphan-holds", {{"orphan-holds", "", "150"}}},
    {"stderr", {{"stderr", "stat", "pid %p at %t, %u"}}},
    {"linger", {{"linger", "", "80"}}},
    // Lost messages.
    {"note-lost", {{"drop", "ready", ""}}},
    {"note-lost-last", {{"drop", "poked", ""}}},
    {"notes-lost", {{"drop", "changed1", ""}, {"drop", "changed2", ""}, {"drop", "p2", ""}}},
    {"note-late-1050", {{"late", "ready", "1050"}}},
    {"note-after-all", {{"late", "changed1", "1500"}}},
    {"notes-late-apart", {{"late", "ready", "700"}, {"late", "changed2", "490"}}},
    {"call-lost", {{"drop", "ask", ""}, {"early", "run", ""}}},
    {"inner-answer-lost", {{"drop", "lookup", ""}}},
    {"inner-answer-late-240", {{"late", "lookup", "240"}}},
    {"inner-answer-late-260", {{"late", "lookup", "260"}}},
    {"call-late", {{"late", "ask", "260"}, {"early", "run", ""}}},
    {"answer-lost", {{"drop", "b", ""}}},
    {"answer-lost-first", {{"drop", "init", ""}}},
    {"answer-lost-one-log", {{"drop", "items", ""}, {"times", "log", "3"}}},
    // More than recorded.
    {"note-doubled", {{"double", "changed1", ""}}},
    {"note-extra", {{"before", "changed1", kNote}}},
    {"note-extra-late", {{"late", "changed1", "30"}, {"before", "changed2", kNote}}},
    {"note-extra-and-late",
     {{"late", "changed1", "30"}, {"before", "changed2", kNote}, {"slow", "poked", "60"}}},
    {"note-new", {{"before", "items", kNews}}},
    {"note-new-pid", {{"before", "items", kPidNote}}},
    {"call-extra", {{"before", "items", kCall}}},
    {"call-doubled", {{"double", "ask", ""}}},
    {"answer-doubled", {{"double", "open", ""}}},
    {"answer-stray", {{"before", "items", kStray}}},
    {"extra-at-the-end", {{"before", "bye", kNews}, {"before", "bye", kNote}}},
    {"extra-flood", {{"flood", "items", "3000"}}},
    {"extra-calls", {{"flood-calls", "items", "300"}}},
    {"extra-after-exit", {{"orphan-says", "", "40"}}},
    // Another order.
    {"answer-early", {{"early", "run", ""}}},
    {"answer-early-racing", {{"early", "items", ""}}},
    {"answer-early-a-little", {{"early", "items", ""}, {"slow", "items", "3"}}},
    {"answer-early-computed", {{"early", "items", ""}, {"compute", "items", "20"}}},
    {"notes-swapped", {{"swap", "changed1", "changed2"}}},
    {"progress-swapped", {{"swap", "p1", "p2"}}},
    {"note-before-answer", {{"swap", "run", "p3"}, {"swap", "items", "changed2"}}},
    {"progress-late", {{"late", "p1", "30"}}},
    {"answer-slow-swapped", {{"swap", "a", "b"}, {"slow", "b", "300"}}},
    // Other content.
    {"value", {{"change", "items", "\"x\"=>\"q\""}}},
    {"value-types", {{"change", "run", "3=>\"3\""}, {"change", "items", "\"y\"=>null"}}},
    {"value-both-notes",
     {{"change", "changed1", "\"x\"=>\"v\""}, {"change", "changed2", "\"y\"=>\"w\""}}},
    {"value-both-late",
     {{"change", "changed1", "\"x\"=>\"v\""},
      {"change", "changed2", "\"y\"=>\"w\""},
      {"late", "changed1", "30"}}},
    {"value-pid", {{"change", "init", "\"1\"=>%p"}}},
    {"value-time", {{"change", "items", "\"x\"=>\"at %t\""}}},
    {"value-random", {{"change", "run", "3=>\"%r\""}}},
    {"ignored-type", {{"change", "stat", "%t=>null"}}},
    {"handle-changes", {{"change", "a", "%h=>%r"}}},
    {"handle-in-error",
     {{"change", "a", R"("result":{=>"error":{"code":1,"message":"no %r","data":{)"},
      {"change", "a", "}}=>}}}"}}},
    {"error-for-result",
     {{"change", "items",
       "\"result\":[\"x\",\"y\",\"z\"]=>\"error\":{\"code\":5,\"message\":\"no\"}"}}},
    {"other-method", {{"change", "changed1", "changed=>altered"}}},
    {"other-method-call", {{"change", "ask", "host/ask=>host/beg"}}},
    {"id-type", {{"change", "open", "\"id\":2=>\"id\":\"2\""}}},
    {"call-id-number", {{"change", "ask", "\"q-%p-1\"=>%p"}}},
    // What is not a message.
    {"junk", {{"before", "items", "Segmentation fault, or not"}}},
    {"junk-pid", {{"before", "items", "server[%p]: started at %t"}}},
    {"junk-unfinished", {{"raw", "bye", "a line without an end"}}},
    {"junk-forked", {{"before", "a", "junk"}, {"fork", "b", ""}}},
    {"content-length", {{"before", "items", "Content-Length: 30\r\n\r"}}},
    // Silence and ends.
    {"silent", {{"mute", "init", ""}}},
    {"silent-in-call", {{"mute", "p2", ""}}},
    {"silent-with-logs", {{"times", "log", "4"}, {"mute", "stat", ""}}},
    {"silent-with-heartbeats", {{"beat", "stat", "50"}}},
    {"hangs", {{"hang", "items", ""}}},
    {"hangs-at-end", {{"stay", "", ""}}},
    {"crash", {{"die", "items", "11"}}},
    {"crash-at-start", {{"die", "init", "6"}}},
    {"crash-in-flight", {{"die", "b", "11"}}},
    {"crash-forked", {{"fork", "a", ""}, {"die", "b", "9"}}},
    {"crash-after-logs", {{"times", "log", "5"}, {"die", "stat", "6"}}},
    {"exit-early", {{"exit", "items", "0"}}},
    {"exit-early-code", {{"exit", "p3", "3"}}},
    {"exit-before-host", {{"exit", "changed2", "0"}}},
    {"closes-stdout", {{"close", "items", ""}}},
    {"exit-code", {{"ending", "", "4"}}},
    {"late-then-crash", {{"late", "ready", "100"}, {"die", "items", "11"}}},
};

// What is sent, by label. <id> is the id of the request.
inline const std::map<std::string, std::string> kMessages = {
    {"init", R"({"jsonrpc":"2.0","id":<id>,"result":{"name":"uneven","version":"1"}})"},
    {"ready", R"({"jsonrpc":"2.0","method":"ready","params":{"text":"ready"}})"},
    {"open", R"({"jsonrpc":"2.0","id":<id>,"result":{"handle":"%h","kind":"file"}})"},
    {"a", R"({"jsonrpc":"2.0","id":<id>,"result":{"handle":"%h","part":"a"}})"},
    {"b", R"({"jsonrpc":"2.0","id":<id>,"result":{"handle":"%h","part":"b"}})"},
    {"p1", R"({"jsonrpc":"2.0","method":"progress","params":{"done":1}})"},
    {"p2", R"({"jsonrpc":"2.0","method":"progress","params":{"done":2}})"},
    {"ask",
     R"({"jsonrpc":"2.0","id":"q-%p-1","method":"host/ask","params":{"question":"go on?"}})"},
    {"lookup", R"({"jsonrpc":"2.0","id":<id>,"result":{"found":"tea"}})"},
    {"p3", R"({"jsonrpc":"2.0","method":"progress","params":{"done":3}})"},
    {"run", R"({"jsonrpc":"2.0","id":<id>,"result":{"done":3}})"},
    {"log", R"({"jsonrpc":"2.0","method":"log/write","params":{"text":"line"}})"},
    {"stat", R"({"jsonrpc":"2.0","id":<id>,"result":{"uptime":%t,"ok":true}})"},
    {"pick", R"({"jsonrpc":"2.0","id":"q-%p-2","method":"host/pick","params":{"of":3}})"},
    {"items", R"({"jsonrpc":"2.0","id":<id>,"result":["x","y","z"]})"},
    {"changed1", R"({"jsonrpc":"2.0","method":"changed","params":{"item":"x","n":1}})"},
    {"changed2", R"({"jsonrpc":"2.0","method":"changed","params":{"item":"y","n":2}})"},
    {"poked", R"({"jsonrpc":"2.0","method":"poked","params":{}})"},
    {"bye", R"({"jsonrpc":"2.0","id":<id>,"result":null})"},
};

}  // namespace uneven
