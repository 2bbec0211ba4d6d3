// JSON text as lines to show: spans of the text, not values, so that numbers, escapes and doubled members stay as
// they were sent. A loop and not a recursion: a trace may nest without end.

const JSON_LIMIT = 4e6;  // lines; a tree of more is not looked at as a tree

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

class JsonLines {
  // Line: key [keyFrom, keyTo) or none (-1), value [from, to), depth, close (index of the line that closes it; the
  // line's own for scalars), members (of an object or list). `error`: where the text is no JSON, else -1.
  constructor(text) {
    this.text = text;
    this.keyFrom = [];
    this.keyTo = [];
    this.from = [];
    this.to = [];
    this.depth = [];
    this.close = [];
    this.members = [];
    this.error = this.scan();
  }

  get length() { return this.from.length; }

  line(key, from, to, depth) {
    this.keyFrom.push(key ? key[0] : -1);
    this.keyTo.push(key ? key[1] : -1);
    this.from.push(from);
    this.to.push(to);
    this.depth.push(depth);
    this.members.push(0);
    return this.close.push(this.length - 1) - 1;
  }

  blanks(at) {
    const {text} = this;
    for (;; ++at) {
      const c = text.charCodeAt(at);
      if (c !== 32 && c !== 10 && c !== 13 && c !== 9) return at;
    }
  }

  // The end of the string that starts at `at`; -1: it has none.
  stringEnd(at) {
    const {text} = this;
    for (let end = at + 1;;) {
      const quote = text.indexOf('"', end);
      if (quote < 0) return -1;
      let back = quote;
      while (text[back - 1] === "\\") --back;
      if ((quote - back) % 2 === 0) return quote + 1;
      end = quote + 1;
    }
  }

  scan() {
    const {text} = this;
    const open = [];  // lines
    let at = this.blanks(0);
    for (;;) {
      // A value, with its key in an object.
      let key = null;
      const inside = open.length > 0 ? text[this.from[open[open.length - 1]]] : "";
      if (inside === "{") {
        if (text[at] !== '"') return at;
        const end = this.stringEnd(at);
        if (end < 0) return at;
        key = [at, end];
        at = this.blanks(end);
        if (text[at] !== ":") return at;
        at = this.blanks(at + 1);
      }
      if (this.length > JSON_LIMIT) return at;
      if (open.length > 0) ++this.members[open[open.length - 1]];
      const c = text[at];
      if (c === "{" || c === "[") {
        const inner = this.blanks(at + 1);
        const end = c === "{" ? "}" : "]";
        if (text[inner] !== end) {
          open.push(this.line(key, at, at + 1, open.length));
          at = inner;
          continue;
        }
        this.line(key, at, inner + 1, open.length);
        at = inner + 1;
      } else {
        const end = this.scalarEnd(at);
        if (end < 0) return at;
        this.line(key, at, end, open.length);
        at = end;
      }
      // What follows a value.
      for (;;) {
        at = this.blanks(at);
        if (open.length === 0) return at >= text.length ? -1 : at;
        if (text[at] === ",") {
          at = this.blanks(at + 1);
          break;
        }
        const opened = open[open.length - 1];
        if (text[at] !== (text[this.from[opened]] === "{" ? "}" : "]")) return at;
        open.pop();
        this.close[opened] = this.line(null, at, at + 1, open.length);
        ++at;
      }
    }
  }

  scalarEnd(at) {
    if (this.text[at] === '"') return this.stringEnd(at);
    for (const pattern of [NUMBER, WORD]) {
      pattern.lastIndex = at;
      if (pattern.test(this.text)) return pattern.lastIndex;
    }
    return -1;
  }

  key(line) { return this.keyFrom[line] < 0 ? "" : this.text.slice(this.keyFrom[line], this.keyTo[line]); }
  value(line) { return this.text.slice(this.from[line], this.to[line]); }
  isOpen(line) { return this.close[line] !== line; }

  // Indented text, for copying.
  pretty() {
    const parts = [];
    for (let line = 0; line < this.length; ++line) {
      const key = this.key(line);
      parts.push("  ".repeat(Math.min(this.depth[line], 200)), key, key ? ": " : "", this.value(line));
      const next = line + 1;
      const last = next >= this.length || this.depth[next] < this.depth[line] || this.isOpen(line);
      parts.push(last ? "\n" : ",\n");
    }
    return parts.join("");
  }
}
