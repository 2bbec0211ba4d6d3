// Stream mutators: how messages are framed. Only these make wrong lengths, unusual headers and line
// ends, and bytes between messages.
#include <algorithm>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/header_forms.h"
#include "fuzz/mutate/mutate.h"
#include "fuzz/mutate/tree_spans.h"
#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

using wire::Framing;

constexpr size_t kMostBlankLines = 1000;

constexpr auto Header = ReplaceHeader;

bool Length(Mutation* m, std::initializer_list<std::string_view> values) {
  const std::string form = "Content-Length: " + std::string(OneOf(m->random, values)) + "\r\n\r\n";
  return Header(m, {form});
}

// Inserts one of these texts before the target, or after it.
bool Before(Mutation* m, std::initializer_list<std::string_view> texts) {
  return ReplaceTarget(m, std::string(OneOf(m->random, texts)) + m->target().bytes);
}
bool Behind(Mutation* m, std::initializer_list<std::string_view> texts) {
  return ReplaceTarget(m, m->target().bytes + std::string(OneOf(m->random, texts)));
}

// Replaces the end of the line.
bool LineEnd(Mutation* m, std::initializer_list<std::string_view> ends) {
  if (m->target().framing != Framing::kLine) return false;
  return ReplaceTarget(m, std::string(m->target().body()) + std::string(OneOf(m->random, ends)));
}

// The length counts characters, and the body has characters of more than one byte.
bool CountedCharacters(Mutation* m) {
  Part& part = m->target();
  if (part.framing != Framing::kContentLength) return false;
  std::string body(part.body());
  if (Characters(body) == body.size()) {
    const auto node = PickNode(body, Of(wire::JsonType::kString), kAnyPlace, m->random);
    if (!node || node->size < 2) return false;
    body.insert(node->at + 1, OneOf(m->random, {"\u00e9", "\u20ac\u20ac", "\U0001F600"}));
  }
  std::string bytes = FilledHeader("Content-Length: %c\r\n\r\n", body);
  return ReplaceTarget(m, bytes += body);
}

// Changes the case of letters in the header.
bool OtherHeaderCase(Mutation* m) {
  const Part& part = m->target();
  if (part.framing != Framing::kContentLength) return false;
  std::string bytes = part.bytes;
  const size_t kind = m->random->Below(3);
  for (size_t i = 0; i < part.head; ++i) {
    const bool lower = bytes[i] >= 'a' && bytes[i] <= 'z',
               upper = bytes[i] >= 'A' && bytes[i] <= 'Z';
    if ((kind == 0 && upper) || (kind == 1 && lower) ||
        (kind == 2 && (lower || upper) && m->random->OneIn(2))) {
      bytes[i] ^= 0x20;
    }
  }
  return ReplaceTarget(m, std::move(bytes));
}

bool LongHeader(Mutation* m) {
  const size_t room = m->room();
  const size_t size = SomeOf(m->random, std::min(kLongest, room > 64 ? room - 64 : 0));
  return Header(m, {"X-Long: " + std::string(size, 'x') + "\r\nContent-Length: %n\r\n\r\n"});
}

bool ManyHeaders(Mutation* m) {
  constexpr std::string_view kOne = "X-A: b\r\n";
  const size_t times = SomeOf(m->random, std::min<size_t>(2000, m->room() / kOne.size()));
  return Header(m, {Repeated(kOne, times) + "Content-Length: %n\r\n\r\n"});
}

bool OtherFraming(Mutation* m) {
  const Part& part = m->target();
  if (part.junk()) return false;
  const bool line = part.framing == Framing::kLine;
  return ReplaceTarget(m,
                       Framed(part.body(), line ? Framing::kContentLength : Framing::kLine).bytes);
}

// Removes the end of a line, so that the next message is on the same line.
bool TwoOnALine(Mutation* m) {
  const Part& part = m->target();
  if (part.framing != Framing::kLine) return false;
  std::string bytes(part.body());
  switch (m->random->Below(3)) {
    case 0:
      bytes += OneOf(m->random, {" ", "", ","});
      break;
    case 1:  // its own copy
      bytes += part.bytes;
      break;
    default:
      bytes = std::string(part.body()) + " " + part.bytes;
  }
  return ReplaceTarget(m, std::move(bytes));
}

// Cuts the target off, in its header or body; the next part follows at once.
bool Truncated(Mutation* m) {
  const Part& part = m->target();
  return part.bytes.size() > 1 &&
         ReplaceTarget(m, part.bytes.substr(0, 1 + m->random->Below(part.bytes.size() - 1)));
}

// Removes the start of the target, so that a reader finds its body in the wrong place.
bool Headless(Mutation* m) {
  const Part& part = m->target();
  return part.bytes.size() > 1 &&
         ReplaceTarget(m, part.bytes.substr(1 + m->random->Below(part.bytes.size() - 1)));
}

bool LongLine(Mutation* m) {
  const size_t size = SomeOf(m->random, std::min(kLongest, m->room()));
  if (size == 0) return false;
  std::string text(size, OneOf(m->random, {"x", "{", "[", " ", "\"", "\r"}).front());
  // Half of them end the line; otherwise the next message is part of it.
  if (m->random->OneIn(2)) text.back() = '\n';
  return ReplaceTarget(m, text += m->target().bytes);
}

bool ManyBlankLines(Mutation* m) {
  const std::string_view end = OneOf(m->random, {"\n", "\r\n", " \n"});
  const size_t times = SomeOf(m->random, std::min(kMostBlankLines, m->room() / end.size()));
  return times != 0 && ReplaceTarget(m, Repeated(end, times) + m->target().bytes);
}

// Puts the body before the header.
bool BodyBeforeHeader(Mutation* m) {
  const Part& part = m->target();
  if (part.framing != Framing::kContentLength) return false;
  return ReplaceTarget(m, std::string(part.body()) + part.bytes.substr(0, part.head));
}

constexpr MutatorSpec kStreamMutators[] = {
    {"stream.negative-length", Level::kStream,
     [](Mutation* m) {
       return Length(m, {"-1", "-%n", "-2147483648", "-9223372036854775808", "-0"});
     }},
    {"stream.huge-length", Level::kStream,
     [](Mutation* m) {
       return Length(m, {"2147483647", "4294967295", "1073741824", "1099511627776",
                         "9223372036854775807", "18446744073709551615"});
     }},
    {"stream.overflowing-length", Level::kStream,
     [](Mutation* m) {
       return Length(m, {"18446744073709551616", "99999999999999999999999999999999", "2147483648",
                         "9223372036854775808"});
     }},
    {"stream.length-above-2^32", Level::kStream, [](Mutation* m) { return Length(m, {"%t"}); }},
    {"stream.length-not-number", Level::kStream,
     [](Mutation* m) {
       return Length(m,
                     {"abc", "x%n", "%nx", "0x%x", "%n.0", "1e2", "\"%n\"", "NaN", "%n,%n", "%n;"});
     }},
    {"stream.length-empty", Level::kStream,
     [](Mutation* m) {
       return Header(
           m, {"Content-Length:\r\n\r\n", "Content-Length: \r\n\r\n", "Content-Length\r\n\r\n"});
     }},
    {"stream.length-leading-zero", Level::kStream,
     [](Mutation* m) {
       return Length(m, {"0%n", "00000000000000000000%n", "000%n"});
     }},
    {"stream.length-signed", Level::kStream,
     [](Mutation* m) {
       return Length(m, {"+%n", "+ %n"});
     }},
    {"stream.length-twice", Level::kStream,
     [](Mutation* m) {
       return Header(m, {"Content-Length: %n\r\nContent-Length: %n\r\n\r\n",
                         "Content-Length: %n\r\nContent-Length: 1\r\n\r\n",
                         "Content-Length: 1\r\nContent-Length: %n\r\n\r\n",
                         "Content-Length: %n\r\ncontent-length: %d\r\n\r\n"});
     }},
    {"stream.length-zero", Level::kStream,
     [](Mutation* m) {
       return Length(m, {"0", "00"});
     }},
    {"stream.length-off-by-one", Level::kStream,
     [](Mutation* m) {
       return Length(m, {"%+", "%-"});
     }},
    {"stream.length-short", Level::kStream,
     [](Mutation* m) {
       return Length(m, {"%h", "1", "2"});
     }},
    {"stream.length-long", Level::kStream,
     [](Mutation* m) {
       return Length(m, {"%d", "%n0", "1%n", "65536"});
     }},
    {"stream.length-in-characters", Level::kStream, CountedCharacters},
    {"stream.header-case", Level::kStream, OtherHeaderCase},
    {"stream.header-spacing", Level::kStream,
     [](Mutation* m) {
       return Header(m, {"Content-Length:%n\r\n\r\n", "Content-Length:  %n\r\n\r\n",
                         "Content-Length:\t%n\r\n\r\n", "Content-Length : %n\r\n\r\n",
                         "Content-Length: %n \r\n\r\n", " Content-Length: %n\r\n\r\n"});
     }},
    {"stream.header-lf-only", Level::kStream,
     [](Mutation* m) {
       return Header(m, {"Content-Length: %n\n\n", "Content-Length: %n\r\n\n",
                         "Content-Length: %n\n\r\n", "Content-Length: %n\r\r"});
     }},
    {"stream.header-split", Level::kStream,
     [](Mutation* m) {
       return Header(
           m, {"Content-Length:\r\n %n\r\n\r\n", "Content-\r\nLength: %n\r\n\r\n",
               "Content-Length: %n\r\n", "Content-Length: %n", "Content-Length: %n\r\n\r\n\r\n"});
     }},
    {"stream.content-type", Level::kStream,
     [](Mutation* m) {
       return Header(m, {"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
                         "Content-Length: %n\r\n\r\n",
                         "Content-Length: %n\r\nContent-Type: application/vscode-jsonrpc; "
                         "charset=utf8\r\n\r\n",
                         "Content-Type: text/plain; charset=utf-16\r\nContent-Length: %n\r\n\r\n"});
     }},
    {"stream.extra-header", Level::kStream,
     [](Mutation* m) {
       return Header(m, {"X-Extra: a: b\r\nContent-Length: %n\r\n\r\n",
                         "Content-Length: %n\r\nX-Empty:\r\n\r\n",
                         "X\r\nContent-Length: %n\r\n\r\n", ": x\r\nContent-Length: %n\r\n\r\n",
                         "Transfer-Encoding: chunked\r\nContent-Length: %n\r\n\r\n"});
     }},
    {"stream.x-content-length", Level::kStream,
     [](Mutation* m) {
       return Header(m, {"X-Content-Length: 1\r\nContent-Length: %n\r\n\r\n",
                         "X-Content-Length: %n\r\n\r\n", "Content-Length-X: %n\r\n\r\n",
                         "X: Content-Length: 1\r\nContent-Length: %n\r\n\r\n"});
     }},
    {"stream.length-missing", Level::kStream,
     [](Mutation* m) {
       return Header(
           m, {"\r\n", "", "Content-Type: application/json\r\n\r\n", "Content-Len: %n\r\n\r\n"});
     }},
    {"stream.long-header", Level::kStream, LongHeader},
    {"stream.many-headers", Level::kStream, ManyHeaders},
    {"stream.odd-header-bytes", Level::kStream,
     [](Mutation* m) {
       return Header(
           m, {"\xffX: \x80\r\nContent-Length: %n\r\n\r\n", "Content-Length: \u0661%n\r\n\r\n",
               "\ufeff"
               "Content-Length: %n\r\n\r\n",
               "Content\u2010Length: %n\r\n\r\n"});
     }},
    {"stream.body-before-header", Level::kStream, BodyBeforeHeader},
    {"stream.byte-order-mark", Level::kStream,
     [](Mutation* m) {
       return Before(m, {"\ufeff", "\xff\xfe", "\xfe\xff"});
     }},
    {"stream.crlf", Level::kStream,
     [](Mutation* m) {
       return LineEnd(m, {"\r\n", "\r\r\n"});
     }},
    {"stream.no-terminator", Level::kStream, [](Mutation* m) { return LineEnd(m, {""}); }},
    {"stream.other-terminator", Level::kStream,
     [](Mutation* m) {
       return LineEnd(m, {"\r", kNul, "\u2028", "\u0085", "\f", "\x1e", ";\n"});
     }},
    {"stream.two-on-a-line", Level::kStream, TwoOnALine},
    {"stream.truncated", Level::kStream, Truncated},
    {"stream.headless", Level::kStream, Headless},
    {"stream.junk-line", Level::kStream,
     [](Mutation* m) {
       return Before(m, {"x\n", "not json\n", "{\n", "}\n", "[\n", "{\"id\":\n", "null\n", "1\n",
                         "\"\n", "{]\n", "{'id':1}\n", "<html>\n", "GET / HTTP/1.1\r\n\r\n"});
     }},
    {"stream.pollution", Level::kStream,
     [](Mutation* m) {
       return Before(m, {"[INFO] started\n", "Debug: here\n", "Listening on stdio\r\n", "warning",
                         "\x1b[31merror\x1b[0m\n", "Traceback (most recent call last):\n",
                         "{\"level\":\"info\",\"msg\":\"log\"}\n", "node: deprecated\n"});
     }},
    {"stream.junk-behind", Level::kStream,
     [](Mutation* m) {
       return Behind(m, {"x\n", "}\n", "\r\n", "garbage", "{}\n", ",\n", "\\\n"});
     }},
    {"stream.blank-lines", Level::kStream, ManyBlankLines},
    {"stream.nul", Level::kStream,
     [](Mutation* m) {
       return m->random->OneIn(2) ? Before(m, {kNul, {"\0\0\0\0", 4}, {"\0\n", 2}})
                                  : Behind(m, {kNul});
     }},
    {"stream.invalid-utf8", Level::kStream,
     [](Mutation* m) {
       return Before(m, {"\xff\n", "\xc3\n", "\x80\x80\n", "\xed\xa0\x80\n", "\xff"});
     }},
    {"stream.line-separator", Level::kStream,
     [](Mutation* m) {
       return Before(m, {"\u2028", "\u2029\n", "\u0085"});
     }},
    {"stream.long-line", Level::kStream, LongLine},
    {"stream.other-framing", Level::kStream, OtherFraming},
    {"stream.raw-bytes", Level::kStream, MutateRawFrame},
    {"stream.length-above-2^31", Level::kStream, [](Mutation* m) { return Length(m, {"%k"}); }},
    {"stream.length-above-2^53", Level::kStream,
     [](Mutation* m) {
       return Length(m, {"%m", "9007199254740993"});
     }},
    {"stream.length-above-2^63", Level::kStream, [](Mutation* m) { return Length(m, {"%q"}); }},
    {"stream.length-unit", Level::kStream,
     [](Mutation* m) {
       return Length(m, {"%n bytes", "%nB", "%n k", "%nKiB", "%nL", "%nu", "bytes=%n"});
     }},
    {"stream.length-blanks", Level::kStream,
     [](Mutation* m) {
       return Length(m, {"1 %n", "%n %n", "\v%n", "%n\f", "\u00a0%n", "%n\t", "- %n"});
     }},
    {"stream.length-hexadecimal", Level::kStream,
     [](Mutation* m) {
       return Length(m, {"%x", "0X%x", "%xh", "#%x", "0o7", "0b1"});
     }},
    {"stream.lengths-differ", Level::kStream,
     [](Mutation* m) {
       return Header(m, {"Content-Length: %n\r\nContent-Length: %+\r\n\r\n",
                         "Content-Length: %-\r\nContent-Length: %n\r\n\r\n",
                         "Content-Length: 0\r\nContent-Length: %n\r\n\r\n",
                         "Content-Length: %n\r\nContent-Length: -1\r\n\r\n",
                         "Content-Length: %n\r\nContent-Length: \r\n\r\n"});
     }},
    {"stream.name-alike", Level::kStream,
     [](Mutation* m) {
       return Header(m, {"Content_Length: %n\r\n\r\n", "ContentLength: %n\r\n\r\n",
                         "Content Length: %n\r\n\r\n", "Content-Lenght: %n\r\n\r\n",
                         "XContent-Length: 1\r\nContent-Length: %n\r\n\r\n",
                         "Content-Lengths: 1\r\nContent-Length: %n\r\n\r\n",
                         "Content-Length-Unit: 1\r\nContent-Length: %n\r\n\r\n",
                         "Content-Length: %n\r\nX: Content-Length: 1\r\n\r\n",
                         "Content-Length: %n\r\nUncompressed-Content-Length: 1\r\n\r\n"});
     }},
    {"stream.header-folded", Level::kStream,
     [](Mutation* m) {
       return Header(
           m, {"Content-Length:\r\n\t%n\r\n\r\n", "Content-Length: %n\r\n 0\r\n\r\n",
               "Content-Length: %n\r\n \r\n\r\n", "X-A: b\r\n c\r\nContent-Length: %n\r\n\r\n",
               "X-A: b\r\n\tContent-Length: 1\r\nContent-Length: %n\r\n\r\n"});
     }},
    {"stream.header-block", Level::kStream, HeaderBlock},
};

}  // namespace

std::span<const MutatorSpec> StreamMutators() { return kStreamMutators; }

}  // namespace midwire::fuzz
