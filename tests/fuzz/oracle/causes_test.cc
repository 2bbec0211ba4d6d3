// What real runtimes write when a program fails, and the key and the title of the finding. The
// texts were written by CPython 3.11, node 20, OpenJDK 17, rustc 1.8x, Go 1.22, glibc and
// libstdc++; paths are shortened.
#include <gtest/gtest.h>

#include "fuzz/oracle/panic.h"

namespace midwire::fuzz {
namespace {

struct CauseCase {
  const char* name;
  const char* key;
  const char* title;
  const char* text;
};

constexpr CauseCase kCauses[] = {
    {"PythonInAJsonLibrary", "json.decoder.JSONDecodeError in handle < main",
     "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
     R"(Traceback (most recent call last):
  File "/srv/p.py", line 6, in <module>
    main()
  File "/srv/p.py", line 5, in main
    for l in sys.stdin: handle(l)
                        ^^^^^^^^^
  File "/srv/p.py", line 3, in handle
    return json.loads(line)
           ^^^^^^^^^^^^^^^^
  File "/usr/lib/python3.11/json/__init__.py", line 346, in loads
    return _default_decoder.decode(s)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode
    raise JSONDecodeError("Expecting value", s, err.value) from None
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
)"},
    {"PythonOfAnInstalledPlugin", "ValueError in read_message",
     "ValueError: not a JSON-RPC message",
     R"(Traceback (most recent call last):
  File "/usr/bin/some-server", line 8, in <module>
    sys.exit(main())
  File "/usr/lib/python3.11/site-packages/some_server/io.py", line 6, in read_message
    return parse(line)
  File "/usr/lib/python3.11/site-packages/pydantic/main.py", line 597, in model_validate
    return cls.__pydantic_validator__.validate_python(
ValueError: not a JSON-RPC message
)"},
    {"PythonsGroup", "ValueError in handle", "ValueError: bad 5",
     R"(  + Exception Group Traceback (most recent call last):
  |   File "/srv/g.py", line 5, in <module>
  |     asyncio.run(main())
  |   File "/usr/lib/python3.11/asyncio/taskgroups.py", line 145, in __aexit__
  |     raise me from None
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/srv/g.py", line 2, in handle
    |     async def handle(): raise ValueError("bad 5")
    |                         ^^^^^^^^^^^^^^^^^^^^^^^^^
    | ValueError: bad 5
    +------------------------------------
)"},
    {"NodeInAJsonLibrary", "SyntaxError in handle < n.js:2",
     R"(SyntaxError: Unexpected token 'x', "x)",
     R"(<anonymous_script>:1
x
^

SyntaxError: Unexpected token 'x', "x
" is not valid JSON
    at JSON.parse (<anonymous>)
    at handle (/srv/n.js:1:33)
    at Socket.<anonymous> (/srv/n.js:2:31)
    at Socket.emit (node:events:524:28)
    at Pipe.onStreamRead (node:internal/stream_base_commons:191:23)

Node.js v20.20.2
)"},
    {"NodeModule", "TypeError in handle < n2.mjs:2",
     "TypeError: Cannot read properties of undefined (reading 'path')",
     R"(file:///srv/n2.mjs:1
async function handle(l){ const m = JSON.parse(l); return m.params.path }
                                                                   ^

TypeError: Cannot read properties of undefined (reading 'path')
    at handle (file:///srv/n2.mjs:1:68)
    at async file:///srv/n2.mjs:2:43
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)

Node.js v20.20.2
)"},
    {"NodeOfAnInstalledPlugin", "ZodError in Server.onmessage", "ZodError: [",
     R"(ZodError: [
  {
    "code": "invalid_type",
    "path": [ "params" ]
  }
]
    at get error [as error] (file:///srv/node_modules/zod/v3/types.js:39:31)
    at Server.onmessage (file:///srv/node_modules/some-server/dist/index.js:92:10)
)"},
    {"Go", "panic: runtime error: index out of range in main.(*server).handle < main.main",
     "panic: runtime error: index out of range [5] with length 3",
     "panic: runtime error: index out of range [5] with length 3\n\n"
     "goroutine 1 [running]:\n"
     "main.(*server).handle(0xc00001c0a8, {0xc000014070, 0x3, 0x8})\n"
     "\t/srv/main.go:31 +0x1d\n"
     "main.main()\n"
     "\t/srv/main.go:50 +0x85\n"
     "exit status 2\n"},
    {"GoInAJsonLibrary", "panic in main.handle", "panic: json: unknown field \"a7\"",
     "panic: json: unknown field \"a7\"\n\n"
     "goroutine 6 [running]:\n"
     "encoding/json.(*decodeState).object(0xc0001, {0x4, 0x5})\n"
     "\t/usr/local/go/src/encoding/json/decode.go:755 +0xd6d\n"
     "main.handle({0xc000014070, 0x3})\n"
     "\t/srv/main.go:12 +0x1d\n"
     "created by main.main in goroutine 1\n"
     "\t/srv/main.go:50 +0x85\n"},
    {"Rust", "panicked at src/main.rs:1:29",
     "panicked at src/main.rs:1:29: index out of bounds: the len is 2 but the index is 5",
     R"(
thread 'main' (23982) panicked at src/main.rs:1:29:
index out of bounds: the len is 2 but the index is 5
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
)"},
    {"RustBefore173", "panicked at src/main.rs:1:29", "panicked at src/main.rs:1:29: no path",
     "thread 'tokio-runtime-worker' panicked at 'no path', src/main.rs:1:29\n"},
    {"RustInALibrary", "panicked in plugin::handle < plugin::main",
     "panicked at /root/.cargo/registry/src/some-1.0/src/lib.rs:80:14: no",
     R"(thread 'main' (7) panicked at /root/.cargo/registry/src/some-1.0/src/lib.rs:80:14:
no
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/59807616e1fa/library/std/src/panicking.rs:689:5
   1: core::panicking::panic_fmt
             at /rustc/59807616e1fa/library/core/src/panicking.rs:80:14
   2: plugin::handle
   3: plugin::main
   4: core::ops::function::FnOnce::call_once
)"},
    {"CAssert", "Assertion `s.size() < 3 && \"short\"' failed (c.cc)",
     "c: c.cc:5: void handle(std::string): Assertion `s.size() < 3 && \"short\"' failed.",
     "c: c.cc:5: void handle(std::string): Assertion `s.size() < 3 && \"short\"' failed.\n"},
    {"CppTerminate", "terminate std::out_of_range: map::at",
     "terminate called after throwing an instance of 'std::out_of_range': map::at",
     "terminate called after throwing an instance of 'std::out_of_range'\n  what():  map::at\n"},
    {"CppTerminateWithAValue",
     "terminate nlohmann::json::type_error: [json.exception.type_error.#] "
     "type must be string, but is null",
     "terminate called after throwing an instance of 'nlohmann::json::type_error': "
     "[json.exception.type_error.302] type must be string, but is null",
     "terminate called after throwing an instance of 'nlohmann::json::type_error'\n"
     "  what():  [json.exception.type_error.302] type must be string, but is null\n"},
    {"Java", "java.lang.NumberFormatException in J.handle < J.main",
     "java.lang.NumberFormatException: For input string: \"x\"",
     R"(Exception in thread "main" java.lang.IllegalStateException: bad line
	at J.handle(J.java:1)
	at J.main(J.java:1)
Caused by: java.lang.NumberFormatException: For input string: "x"
	at java.base/java.lang.NumberFormatException.forInputString(NumberFormatException.java:67)
	at java.base/java.lang.Integer.parseInt(Integer.java:668)
	at J.handle(J.java:1)
	at J.main(J.java:1)
	at java.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)
)"},
    {"JavaWithoutACause", "java.lang.NullPointerException in org.some.Server.open",
     "java.lang.NullPointerException: Cannot invoke \"String.length()\"",
     "Exception in thread \"worker-3\" java.lang.NullPointerException: Cannot invoke "
     "\"String.length()\"\n\tat org.some.Server.open(Server.java:88)\n"},
    {"DotNet", "System.NullReferenceException in Some.Server.Open",
     "System.NullReferenceException: Object reference not set to an instance of an object.",
     "Unhandled exception. System.NullReferenceException: Object reference not set to an instance "
     "of an object.\n   at Some.Server.Open(String path) in /srv/Server.cs:line 5\n"
     "   at System.Threading.Thread.Start()\n"},
};

class CauseTest : public testing::TestWithParam<CauseCase> {};

TEST_P(CauseTest, HasItsKeyAndItsTitle) {
  const Panic panic = FindPanic(GetParam().text);
  EXPECT_EQ(panic.key, GetParam().key);
  EXPECT_EQ(panic.line, GetParam().title);
  EXPECT_FALSE(panic.gone_on);
}

TEST_P(CauseTest, IsFoundBehindALog) {
  const std::string log = "listening at 0x7f31\nrequest 7 by pid 4711\n";
  EXPECT_EQ(FindPanic(log + GetParam().text).key, GetParam().key);
}

INSTANTIATE_TEST_SUITE_P(All, CauseTest, testing::ValuesIn(kCauses),
                         [](const auto& info) { return std::string(info.param.name); });

// Two texts of the same fault.
struct SameCause {
  const char *one, *other;
};
TEST(CauseTest, ValuesAddressesPidsAndLinesOfInputsDoNotSplitAKey) {
  for (const SameCause& same : {
           SameCause{"panic: open /tmp/a1: no such file\n\ngoroutine 1 [running]:\n"
                     "main.open({0xc1, 0x1})\n\t/srv/main.go:3 +0x1d\n",
                     "panic: open /tmp/b: denied\n\ngoroutine 72 [running]:\n"
                     "main.open({0xff, 0x99})\n\t/srv/main.go:3 +0x1d\n"},
           SameCause{"thread 'main' (77) panicked at src/a.rs:1:2:\nbad id 7\n",
                     "thread 'w-2' (9) panicked at src/a.rs:1:2:\nbad id \"x\"\n"},
           SameCause{
               "SyntaxError: Unexpected token } in JSON at position 5\n    at f (/a.js:1:2)\n",
               "SyntaxError: Unexpected end of JSON input\n    at f (/a.js:1:2)\n"},
           SameCause{"/opt/1/plugin: a.c:7: f: Assertion `x' failed.\n",
                     "plugin: a.c:9: f: Assertion `x' failed.\n"},
       }) {
    EXPECT_EQ(FindPanic(same.one).key, FindPanic(same.other).key) << same.one;
  }
}

TEST(CauseTest, AssertionsOfOneFileAreTwo) {
  EXPECT_NE(FindPanic("p: a.c:7: f: Assertion `n < 3' failed.\n").key,
            FindPanic("p: a.c:7: f: Assertion `n < 4' failed.\n").key);
}

}  // namespace
}  // namespace midwire::fuzz
