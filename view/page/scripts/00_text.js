// Numbers, times and texts as `midwire show` prints them.

// Controls, bidirectional and invisible characters, noncharacters: they could hide, reorder or move text. And
// hyphens that are not that of ASCII.
const HOSTILE = new RegExp(
  "[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f" +
  "\\u200b-\\u200f\\u2010\\u2011\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb" +
  "\\p{Noncharacter_Code_Point}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]", "gu");
const NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"};

function escapeCharacter(c) {
  const code = c.codePointAt(0);
  const hex = (digits) => code.toString(16).padStart(digits, "0");
  if (NAMED[c]) return NAMED[c];
  if (code < 0x80) return "\\x" + hex(2);
  return code < 0x10000 ? "\\u" + hex(4) : "\\U" + hex(8);
}

// Marks above and below a letter: no script has as many of them, and more cover the lines around.
const MOST_MARKS = 8;
const MARKS = new RegExp(`\\p{M}{${MOST_MARKS + 1},}`, "gu");
const escapeMarks = (text) =>
  text.replace(MARKS, (run) => Array.from(run, (c, i) => (i < MOST_MARKS ? c : escapeCharacter(c))).join(""));

// On one line.
const visible = (text) => escapeMarks(text.replace(HOSTILE, escapeCharacter));
// Line ends and tabs stay.
const visibleLines = (text) => escapeMarks(
  text.replace(/\r\n/g, "\n").replace(HOSTILE, (c) => (c === "\n" || c === "\t" ? c : escapeCharacter(c))));

const cut = (text, most) => (text.length > most ? text.slice(0, most - 1) + "\u2026" : text);
const grouped = (n) => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",");
const counted = (n, noun) => `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;

// 12.345678, cut off and not rounded.
function seconds(ns) {
  const micros = Math.floor(Math.abs(ns) / 1000);
  const whole = Math.floor(micros / 1e6);
  return (ns < 0 ? "-" : "") + whole + "." + String(micros % 1e6).padStart(6, "0");
}

// Three digits and a unit: 912ns, 12.3us, 4.56ms, 78.9s.
function duration(ns) {
  const value = Math.max(0, ns);
  for (const [size, unit] of [[1e9, "s"], [1e6, "ms"], [1e3, "us"]]) {
    if (value < size) continue;
    const whole = Math.floor(value / size);
    if (whole >= 100) return whole + unit;
    const digits = whole < 10 ? 2 : 1;
    const part = Math.floor((value % size) / (size / 10 ** digits));
    return whole + "." + String(part).padStart(digits, "0") + unit;
  }
  return Math.round(value) + "ns";
}

// How long a session or a wait was, for people: 45.1ms, 12.3s, 4m 05s, 2h 10m.
function span(ns) {
  const s = Math.floor(ns / 1e9);
  if (s < 100) return duration(ns);
  if (s < 6000) return `${Math.floor(s / 60)}m ${String(s % 60).padStart(2, "0")}s`;
  return `${Math.floor(s / 3600)}h ${String(Math.floor(s / 60) % 60).padStart(2, "0")}m`;
}

function size(bytes) {
  if (bytes < 10000) return grouped(bytes) + " B";
  if (bytes < 1e6) return (bytes / 1e3).toFixed(1) + " kB";
  return bytes < 1e9 ? (bytes / 1e6).toFixed(1) + " MB" : (bytes / 1e9).toFixed(2) + " GB";
}

// UTC, to the microsecond; `unix` is text in nanoseconds.
function utc(unix) {
  const ns = BigInt(unix);
  const ms = Number(ns / 1000000n);
  const time = new Date(ms);
  if (Number.isNaN(time.getTime())) return unix + " ns";
  const micros = String(Number(ns / 1000n % 1000000n)).padStart(6, "0");
  return time.toISOString().slice(0, 19).replace("T", " ") + "." + micros + " UTC";
}

const utf8 = new TextDecoder("utf-8", {fatal: true, ignoreBOM: true});
const encoder = new TextEncoder();

// How many bytes at `at` are one character of UTF-8; 0: they are none.
function characterLength(bytes, at) {
  const lead = bytes[at];
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + length > bytes.length) return 0;
  for (let i = 1; i < length; ++i) if ((bytes[at + i] & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1];
  const bad = (lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f) ||
    (lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f);
  return bad ? 0 : length;
}

// Text of bytes; those that are not UTF-8 as \xNN.
function decode(bytes) {
  try {
    return utf8.decode(bytes);
  } catch {
    const parts = [];
    let from = 0;
    for (let at = 0; at < bytes.length;) {
      const length = characterLength(bytes, at);
      if (length > 0) {
        at += length;
        continue;
      }
      if (at > from) parts.push(utf8.decode(bytes.subarray(from, at)));
      parts.push("\\x" + bytes[at].toString(16).padStart(2, "0"));
      from = ++at;
    }
    if (from < bytes.length) parts.push(utf8.decode(bytes.subarray(from)));
    return parts.join("");
  }
}
