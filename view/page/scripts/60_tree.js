// JSON, folded: what is short is open, of the rest objects and lists to depth 2, the first members of large ones, and
// long strings by their start.

const SHORT_LINES = 100;  // about two screens
const OPEN_DEPTH = 3, FIRST_MEMBERS = 200, FIRST_TEXT = 2000, MORE_TEXT = 200000;
// Unfolding all of it stops at this depth and after so many lines: the browser lays out every one of them.
const ALL_DEPTH = 64, ALL_LINES = 5000;
const SLICE = 300;  // lines made in one go, so that keys and clicks are answered in between

class Tree {
  // handleOf: text of a value -> handle, whose value becomes a link; onHandle(handle). marked: JSON pointers of what is
  // marked as changed.
  constructor(text, {handleOf = new Map(), onHandle = () => {}, marked = []} = {}) {
    this.json = new JsonLines(text);
    this.handleOf = handleOf;
    this.onHandle = onHandle;
    this.marked = this.linesOf(marked);
    this.made = 0;
    this.root = el("div", {class: "json"});
    if (this.json.error < 0 && this.json.length > 0) {
      this.root.append(this.node(0, this.json.length <= SHORT_LINES ? ALL_DEPTH : OPEN_DEPTH));
    }
  }

  get valid() { return this.json.error < 0 && this.json.length > 0; }

  // The lines of values by their JSON pointers (RFC 6901), with the lines that hold them.
  linesOf(pointers) {
    const lines = {marked: new Set(), around: new Set()};
    if (!this.valid) return lines;
    for (const pointer of pointers) {
      const way = [];
      let line = 0;
      for (const token of pointer.split("/").slice(1)) {
        way.push(line);
        line = this.member(line, token.replace(/~1/g, "/").replace(/~0/g, "~"));
        if (line < 0) break;
      }
      if (line < 0) continue;
      lines.marked.add(line);
      for (const outer of way) lines.around.add(outer);
    }
    return lines;
  }

  // The line of a member of the container at `line`; -1: it has none of that name.
  member(line, name) {
    const {json} = this;
    if (!json.isOpen(line)) return -1;
    const list = json.value(line) === "[";
    let index = 0;
    for (let at = line + 1; at < json.close[line]; at = json.close[at] + 1, ++index) {
      if (list ? String(index) === name : unescapeString(json.key(at)) === name) return at;
    }
    return -1;
  }

  unfoldAll() {
    this.made = 0;
    this.root.replaceChildren(this.node(0, ALL_DEPTH, ALL_LINES));
  }
  foldAll() { this.root.replaceChildren(this.node(0, 1)); }

  keyOf(line) {
    const key = this.json.key(line);
    return key === "" ? [] : [el("span", {class: "key"}, visible(cut(key, 400))), ": "];
  }

  // `line` with what it holds. Containers above depth `open` are unfolded.
  node(line, open, most = Infinity) {
    ++this.made;
    const {json} = this;
    const mark = this.marked.marked.has(line) ? " changed" : "";
    if (!json.isOpen(line)) return el("div", {class: "jl" + mark}, ...this.keyOf(line), this.scalar(line));
    const close = json.close[line];
    const opener = json.value(line), closer = json.value(close);
    const members = json.members[line];
    const inner = el("div", {class: "in"});
    const toggle = el("button", {type: "button", class: "fold", "aria-expanded": "false",
      "aria-label": json.key(line) || (opener === "{" ? "object" : "list")});
    const rest = el("span", {class: "dim"});
    const end = el("div", {class: "jl"}, closer);
    const node = el("div", {class: "jn"},
      el("div", {class: "jl" + mark}, toggle, ...this.keyOf(line), opener, rest), inner, end);
    const set = (unfolded, depth, limit) => {
      toggle.setAttribute("aria-expanded", unfolded ? "true" : "false");
      inner.hidden = end.hidden = !unfolded;
      rest.textContent = unfolded ? "" : ` ${counted(members, opener === "{" ? "member" : "item")} ${closer}`;
      if (unfolded && !inner.firstChild) this.fill(inner, line + 1, close, depth, limit);
    };
    set((json.depth[line] < open || this.marked.around.has(line)) && this.made < most, open, most);
    const flip = () => set(toggle.getAttribute("aria-expanded") === "false", json.depth[line] + 2, Infinity);
    toggle.addEventListener("click", flip);
    rest.addEventListener("click", flip);
    return node;
  }

  // The members that begin at `line`, up to `close`.
  fill(inner, line, close, open, most) {
    const {json} = this;
    const step = (count) => {
      const made = [];
      while (line < close && made.length < count) {
        made.push(this.node(line, open, most));
        line = json.close[line] + 1;
      }
      inner.append(...made);
    };
    const finish = () => {
      if (line >= close) return;
      let left = 0;
      for (let at = line; at < close; at = json.close[at] + 1) ++left;
      const more = button(`${grouped(Math.min(left, FIRST_MEMBERS * 5))} more of ${grouped(left)}`,
        "Show more members", () => {
          more.remove();
          slices(FIRST_MEMBERS * 5);
        }, {class: "more"});
      inner.append(more);
    };
    const slices = (count) => {
      step(Math.min(count, SLICE));
      if (count > SLICE && line < close) requestAnimationFrame(() => slices(count - SLICE)); else finish();
    };
    slices(FIRST_MEMBERS);
  }

  scalar(line) {
    const token = this.json.value(line);
    if (token[0] !== '"') {
      return this.linked(token, el("span", {}, cut(token, 4000)));
    }
    const text = el("span", {class: "string"}, visible(token.slice(0, FIRST_TEXT)));
    const inner = token.slice(1, -1);
    if (this.handleOf.has(inner)) return this.linked(inner, text);
    const more = token.length > FIRST_TEXT;
    const lines = token.length < MORE_TEXT && token.includes("\\n");
    if (!more && !lines) return text;
    const both = el("span", {}, text);
    if (lines) both.append(" ", this.asText(token, both));
    if (more) {
      let shown = FIRST_TEXT;
      const label = () => `${grouped(token.length - shown)} more characters`;
      const next = button(label(), "Show more of this string", () => {
        text.textContent = visible(token.slice(0, shown += MORE_TEXT));
        next.textContent = label();
        next.hidden = shown >= token.length;
      }, {class: "more"});
      both.append("\u2026 ", next);
    }
    return both;
  }

  // A string with line ends, as a person would read it.
  asText(token, both) {
    const flip = button("text", "Show this string with its line ends", () => {
      const old = both.querySelector("pre");
      if (old) old.remove();
      else both.append(el("pre", {class: "text"}, visibleLines(unescapeString(token))));
    }, {class: "more"});
    return flip;
  }

  linked(value, text) {
    const handle = this.handleOf.get(value);
    if (!handle) return text;
    return el("button", {type: "button", class: "handle", title: `Where ${handle.name} is made and used`,
      on: {click: () => this.onHandle(handle)}}, text);
  }
}
