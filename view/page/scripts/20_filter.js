// The language of `midwire show --where` (trace/filter.cc, trace/filter_term.cc). tests/golden/filter-cases.json is
// run by both. Texts are compared as UTF-8 bytes, as there: a string here holds one byte in each character.

const MOST_DEPTH = 64, MOST_TERMS = 1024;
const FILTER_KINDS = KINDS.slice(0, 9);
const OPERATORS = ["!=", "<=", ">=", "=", "<", ">", "~"];
const OPERATORS_OF = {
  choice: "= !=", pattern: "= != ~", id: "= != ~", bytes: "~", count: "= != < <= > >=", size: "= != < <= > >=",
  time: "= != < <= > >=", integer: "= != < <= > >=",
};
const A_TIME = "a time with its unit, such as 50ms or 1.5s";
// Words that are terms by themselves.
const WORDS = {failed: "failed", unanswered: "unanswered", pending: "unanswered"};
const FIELDS = {
  number: ["count", "a number"],
  at: ["time", A_TIME],
  dir: ["choice", "h2p (or ->) or p2h (or <-)"],
  kind: ["choice", "request, response, error, notification, batch, invalid, junk, event or stderr"],
  method: ["pattern", "a method, which may hold * and ?"],
  label: ["pattern", "a label, which may hold * and ?"],
  id: ["id", "an id: 7 is the number, \"7\" the string"],
  size: ["size", "a size with its unit, such as 200B, 64k or 1MB"],
  latency: ["time", A_TIME],
  code: ["integer", "an error code such as -32601"],
  error: ["pattern", "a text, which may hold * and ?"],
  text: ["bytes", "a text, in quotes when it has blanks"],
};
const CHOICES = {dir: ["h2p", "p2h"], kind: FILTER_KINDS};
const DIRECTION_ARROWS = {"->": "h2p", "<-": "p2h"};
// Those of wire/quantity.cc.
const UNITS = {
  time: {ns: 1, us: 1e3, "\u00c2\u00b5s": 1e3, ms: 1e6, s: 1e9, m: 60e9, min: 60e9, h: 3600e9, d: 86400e9},
  size: {B: 1, k: 2 ** 10, K: 2 ** 10, KiB: 2 ** 10, kB: 1e3, M: 2 ** 20, MiB: 2 ** 20, MB: 1e6, G: 2 ** 30,
    GiB: 2 ** 30, GB: 1e9},
};

// UTF-8 with one byte in each character, and back.
function bytesOf(text) {
  // eslint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(text)) return text;
  const parts = [];
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return parts.join("");
}
const textOf = (bytes) => decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));

function listed(words) {
  return words.slice(0, -1).join(", ") + " or " + words[words.length - 1];
}

// As wire/near_names.cc: insertions, deletions, replacements and swaps of neighbours.
function distance(a, b) {
  let before = [], last = Array.from({length: b.length + 1}, (_, j) => j);
  for (let i = 1; i <= a.length; ++i) {
    const row = [i];
    for (let j = 1; j <= b.length; ++j) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}

// `did you mean "label"? `, or nothing.
function meant(word, known) {
  const near = [];
  for (const name of known) {
    const far = distance(word, name), shorter = Math.min(word.length, name.length);
    const begins = word.length >= 3 && name.startsWith(word);
    if (begins || (far < shorter && far <= Math.max(1, Math.floor(shorter / 3)))) near.push([far, name]);
  }
  near.sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1));
  const names = near.slice(0, 3).map(([, name]) => `"${name}"`);
  if (names.length === 0) return "";
  return `did you mean ${names.length === 1 ? names[0] : listed(names)}? `;
}

// On a mismatch only the latest * is tried again, one character further: at most pattern times text.
function globMatches(glob, text) {
  let g = 0, t = 0, star = -1, again = 0;
  while (t < text.length) {
    if (g < glob.length && glob[g] === "*") {
      star = g++;
      again = t;
    } else if (g < glob.length && (glob[g] === "?" || glob[g] === text[t])) {
      ++g;
      ++t;
    } else if (star >= 0) {
      g = star + 1;
      t = ++again;
    } else {
      return false;
    }
  }
  while (g < glob.length && glob[g] === "*") ++g;
  return g === glob.length;
}

class FilterError extends Error {}

class FilterParser {
  constructor(text) {
    this.text = bytesOf(text);
    this.at = 0;
    this.terms = 0;
    this.needsText = false;
  }

  parse() {
    this.blanks();
    if (this.at === this.text.length) return () => true;
    const root = this.any(0);
    if (this.at < this.text.length) this.fail('a term, "and", "or" or the end');
    return root;
  }

  fail(expected, at = this.at, near = "") {
    const rest = this.text.slice(at, at + 20);
    const where = `column ${at + 1}, ${rest ? "at " + textOf(rest) : "at the end"}`;
    throw new FilterError(`cannot read the filter: ${where} (${near}expected ${expected})`);
  }

  blanks() { while (/[ \t\r\n]/.test(this.text[this.at] || "")) ++this.at; }
  word() { return /^[^ \t\r\n()"=<>!~]*/.exec(this.text.slice(this.at, this.at + 64))[0]; }
  skipWord(word) {
    if (this.word() !== word) return false;
    this.at += word.length;
    this.blanks();
    return true;
  }
  skip(c) {
    if (this.text[this.at] !== c) return false;
    ++this.at;
    this.blanks();
    return true;
  }

  any(depth) {
    const parts = [];
    do parts.push(this.all(depth)); while (this.skipWord("or"));
    return parts.length === 1 ? parts[0] : (line) => parts.some((part) => part(line));
  }

  all(depth) {
    const parts = [];
    let more = true;
    while (more) {
      parts.push(this.one(depth));
      more = this.skipWord("and") ||
        (this.at < this.text.length && this.text[this.at] !== ")" && this.word() !== "or");
    }
    return parts.length === 1 ? parts[0] : (line) => parts.every((part) => part(line));
  }

  one(depth) {
    if (depth === MOST_DEPTH) this.fail(`at most ${MOST_DEPTH} levels of ( and not`);
    if (this.skipWord("not")) {
      const inner = this.one(depth + 1);
      return (line) => !inner(line);
    }
    if (this.skip("(")) {
      const inner = this.any(depth + 1);
      if (!this.skip(")")) this.fail('a term, "and", "or" or )');
      return inner;
    }
    return this.term();
  }

  term() {
    if (++this.terms > MOST_TERMS) this.fail(`at most ${MOST_TERMS} terms`);
    const field = this.word();
    if (Object.hasOwn(WORDS, field)) {
      this.at += field.length;
      this.blanks();
      if (/[=<>!~]/.test(this.text[this.at] || "")) this.fail(`no comparison after ${field}: it is a word alone`);
      return (line) => line[WORDS[field]] === true;
    }
    if (!Object.hasOwn(FIELDS, field)) {
      this.fail("a field: " + listed(Object.keys(FIELDS)) + "; or a word: " +
        listed(Object.keys(WORDS)) +
        (this.needsText && this.terms > 1 ? '; quote a text with blanks: text~"two words"' : ""),
      this.at, meant(field, [...Object.keys(FIELDS), ...Object.keys(WORDS)]));
    }
    this.at += field.length;
    this.blanks();
    const operatorAt = this.at;
    const operator = OPERATORS.find((op) => this.text.startsWith(op, this.at));
    if (!operator) this.fail("one of = != < <= > >= ~ after " + field);
    this.at += operator.length;
    this.blanks();
    const valueAt = this.at;
    const [value, quoted] = this.value();
    const [type, expected] = FIELDS[field];
    if (!OPERATORS_OF[type].split(" ").includes(operator)) {
      this.fail(`${field} with one of  ${OPERATORS_OF[type]}`, operatorAt);
    }
    const term = makeTerm(field, operator, value, quoted);
    if (!term) this.fail(expected, valueAt);
    if (field === "text") this.needsText = true;
    this.blanks();
    return term;
  }

  // "..." with \" and \\ (any other backslash is literal), or all up to a blank or bracket.
  value() {
    const start = this.at;
    let value = "";
    if (this.text[this.at] === '"') {
      for (++this.at; this.at < this.text.length; ++this.at) {
        if (this.text[this.at] === '"') {
          ++this.at;
          return [value, true];
        }
        if (this.text[this.at] === "\\" && /["\\]/.test(this.text[this.at + 1] || "")) ++this.at;
        value += this.text[this.at];
      }
      this.fail("a closing quote", start);
    }
    // An arrow of the column of directions is no operator: dir=<-.
    if (!/[=<>!~]/.test(this.text[this.at] || "") || this.text.startsWith("<-", this.at)) {
      while (this.at < this.text.length && !/[ \t\r\n()]/.test(this.text[this.at])) ++this.at;
    }
    value = this.text.slice(start, this.at);
    return value ? [value, false] : this.fail("a value");
  }
}

const COMPARE = {
  "=": (a, b) => a === b, "!=": (a, b) => a !== b, "<": (a, b) => a < b, "<=": (a, b) => a <= b,
  ">": (a, b) => a > b, ">=": (a, b) => a >= b,
};

// A number and a unit, such as 1.5ms. No sign, no exponent. 0 needs no unit.
function quantity(text, units) {
  const match = /^(\d+\.?\d*|\.\d+)(?![\d.])(.*)$/s.exec(text);
  if (match && match[2] === "" && Number(match[1]) === 0) return 0;
  if (!match || !Object.hasOwn(units, match[2])) return null;
  const value = Math.round(Number(match[1]) * units[match[2]]);
  return value < 9.2e18 ? value : null;
}

const isNumberToken = (text) =>
  /^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) && /^[-\d]/.test(text);

// A function of a line; null: the value does not fit.
function makeTerm(field, operator, value, quoted) {
  const type = FIELDS[field][0];
  const glob = !quoted && /[*?]/.test(value);
  const sameText = (text) => {
    if (operator === "~") return text.includes(value);
    return (glob ? globMatches(value, text) : text === value) === (operator === "=");
  };
  if (type === "choice") {
    const choice = field === "dir" && Object.hasOwn(DIRECTION_ARROWS, value) ? DIRECTION_ARROWS[value] : value;
    if (!CHOICES[field].includes(choice)) return null;
    return (line) => line[field] !== undefined && COMPARE[operator](line[field], choice);
  }
  if (type === "pattern") return (line) => line[field] !== undefined && sameText(bytesOf(line[field]));
  if (type === "bytes") {
    const spellings = [value, ...escapedSpellings(value)];
    return (line) => spellings.some((spelling) => line.holds(spelling));
  }
  if (type === "id") {
    const isToken = !quoted && (isNumberToken(value) || value === "null");
    return (line) => {
      if (line.id === undefined) return false;
      const token = bytesOf(line.id);
      if (operator === "~") return token.includes(value);
      if (isToken || token[0] !== '"') return (isToken && token === value) === (operator === "=");
      return sameText(token.includes("\\") ? bytesOf(unescapeString(line.id)) : token.slice(1, -1));
    };
  }
  let bound = null;
  if (type === "integer" || type === "count") {
    if ((type === "integer" ? /^-?\d+$/ : /^\d+$/).test(value)) bound = Number(value);
  } else {
    bound = quantity(value, UNITS[type]);
  }
  if (bound === null) return null;
  // A call without an answer took longer than so far, and that is above a bound but never below.
  const open = field === "latency" && (operator === ">" || operator === ">=");
  return (line) => {
    if (line[field] !== undefined) return COMPARE[operator](line[field], bound);
    return open && line.open !== undefined && COMPARE[operator](line.open, bound);
  };
}

// As EscapedSpellings in trace/filter_term.cc: what is not ASCII as \u escapes.
function escapedSpellings(bytes) {
  const text = textOf(bytes);
  // eslint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(bytes) || bytesOf(text) !== bytes) return [];
  const hex = (c) => c.charCodeAt(0).toString(16).padStart(4, "0");
  // eslint-disable-next-line no-control-regex
  const spelled = (digits) => text.replace(/[^\0-\x7f]/g, (c) => `\\u${digits(hex(c))}`);
  return [spelled((h) => h), spelled((h) => h.toUpperCase())];
}

function unescapeString(token) {
  try {
    return JSON.parse(token);
  } catch {
    return token.slice(1, -1);
  }
}

// {matches(line), needsText}; throws FilterError. A line has the fields above, undefined where it lacks one, and
// holds(bytes): whether its raw body has them.
function compileFilter(expression) {
  const parser = new FilterParser(expression);
  return {matches: parser.parse(), needsText: parser.needsText};
}
