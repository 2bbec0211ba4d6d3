// The page: one selection, one filter, and the views that show them.

const VIEWS = ["messages", "sequence", "statistics", "findings", "compare"];

class App {
  constructor() {
    this.store = null;
    this.rows = [];       // of the session, those that the filter leaves
    this.session = 0;
    this.selected = -1;
    this.view = "messages";
    this.filter = "";
    this.found = {text: "", rows: []};
    this.line = null;
    this.list = new List(this);
    this.views = {messages: this.list, sequence: new Sequence(this), statistics: new Stats(this),
      findings: new Findings(this), compare: new Compare(this)};
    this.timeline = new Timeline(this, byId("timeline"));
    this.detail = new Detail(this, byId("detail"));
    this.makeTools();
    window.addEventListener("hashchange", () => this.goToAddress());
  }

  // Words in place of the page.
  say(text, more = "") {
    byId("app").hidden = this.live === undefined;
    byId("state").replaceChildren(el("p", {}, text), more ? el("p", {class: "dim"}, more) : "");
    byId("state").hidden = false;
  }
  fail(error) {
    byId("state").classList.add("bad");
    this.say("This session cannot be shown: " + visible(String(error.message || error)),
      "midwire show TRACE prints it in a terminal.");
  }

  open(store) {
    this.store = store;
    this.line = new RowLine(store);
    byId("state").hidden = true;
    byId("app").hidden = false;
    document.title = (store.sessions[0] ? visible(store.sessions[0].title || store.sessions[0].trace) + " \u00b7 " : "") + "midwire";
    this.selected = -1;
    this.goToAddress(true);
  }

  // The blob has arrived: what needed it is drawn again.
  ready() {
    if (this.matcher && this.matcher.needsText) this.applyFilter();
    else if (this.rows.some((row) => this.store.kind[row] === STDERR || this.store.kind[row] === JUNK)) this.current().show();
  }

  current() { return this.views[this.view]; }
  ofSession() {
    const {first} = this.store.sessions[this.session];
    return [first, this.store.lastRow(this.session)];
  }

  // ---- address ----

  address() {
    const given = new URLSearchParams(location.hash.slice(1));
    return Object.fromEntries(given);
  }

  goToAddress(anew = false) {
    if (!this.store || location.hash === this.written && !anew) return;
    const given = this.address();
    const session = Math.max(0, Math.min(this.store.sessions.length - 1, (Number(given.s) || 1) - 1));
    const view = VIEWS.includes(given.v) ? given.v : "messages";
    const changed = anew || session !== this.session;
    this.session = session;
    const turned = anew || view !== this.view || changed;
    if (turned) this.showView(view, true);
    if (changed || (given.f || "") !== this.filter) {
      byId("filter").value = given.f || "";
      this.setSession(session, given.f || "");
    } else if (turned) {
      this.current().show();
      if (this.rows.length === 0) this.sayNothing();
    }
    const row = given.r !== undefined ? Number(given.r) : given.m !== undefined ? this.store.rowOf(session, Number(given.m)) : -1;
    if (row >= 0 && row < this.store.count) this.select(row, {write: false, open: anew});
    this.write(true);
  }

  write(replace) {
    const {store} = this;
    const parts = [];
    if (this.live && this.live.trace) parts.push(["t", this.live.trace]);
    if (this.session > 0) parts.push(["s", this.session + 1]);
    if (this.view !== "messages") parts.push(["v", this.view]);
    if (this.filter) parts.push(["f", this.filter]);
    const row = this.selected;
    if (row >= 0) {
      parts.push(store.number[row] > 0 && !store.isElement(row) ? ["m", store.number[row]] : ["r", row]);
    }
    const hash = "#" + new URLSearchParams(parts);
    this.written = hash;
    if (hash === (location.hash || "#")) return;
    if (replace) location.replace(hash); else location.hash = hash;
  }

  // ---- session, filter, view ----

  setSession(session, filter = this.filter) {
    this.session = session;
    const [first, last] = this.ofSession();
    this.timeline.setRows(this.store, first, last);
    this.filter = filter;
    this.applyFilter(true);
    this.refreshBar();
  }

  setFilter(text, view = this.view) {
    byId("filter").value = text;
    this.filter = text;
    if (view !== this.view) this.showView(view, true);
    this.applyFilter();
    this.write(false);
  }

  // A wrong filter leaves the rows as they are; `anew`: there are none yet, so all are shown.
  applyFilter(anew = false) {
    const box = byId("filter");
    let matcher = null;
    try {
      matcher = compileFilter(this.filter);
      box.setAttribute("aria-invalid", "false");
      box.parentElement.classList.remove("wrong");
      byId("wrong").hidden = true;
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      box.setAttribute("aria-invalid", "true");
      box.parentElement.classList.add("wrong");
      byId("wrong").textContent = visible(error.message.replace("cannot read the filter: ", ""));
      byId("wrong").hidden = false;
      if (!anew) return;
      matcher = compileFilter("");
    }
    this.matcher = matcher;
    if (matcher.needsText && !this.store.blob) {
      this.withBlob(() => this.applyFilter());
      if (this.live) return;
    }
    const [first, last] = this.ofSession();
    this.rows = [];
    this.collect(first, last);
    this.shown();
    this.current().show();
    if (this.selected >= 0) this.current().reveal(this.selected);
    if (this.rows.length === 0) this.sayNothing();
  }

  collect(first, last) {
    const {store, line} = this;
    const quiet = remembered.get("log") === "off";
    for (let row = first; row < last; ++row) {
      if (quiet && store.kind[row] === STDERR) continue;
      line.row = row;
      if (this.matcher.matches(line)) this.rows.push(row);
    }
  }

  sayNothing() {
    const [first, last] = this.ofSession();
    if (!["messages", "sequence"].includes(this.view)) return;
    const words = first === last ? empty("The session has no messages.")
      : empty("No message matches.", button("clear the filter", "Clear the filter", () => this.setFilter("")));
    if (this.view === "messages") this.list.say(words); else this.current().rows.body.replaceChildren(words);
  }

  shown() {
    const [first, last] = this.ofSession();
    const all = last - first;
    byId("count").textContent = this.rows.length === all ? counted(all, "row") : `${grouped(this.rows.length)} of ${grouped(all)}`;
  }

  // The blob, or all bytes of the rows in the live view; then `f`.
  async withBlob(f) {
    try {
      if (this.live) await this.live.all(this.store); else await this.store.ready;
      if (this.store.blob) f();
    } catch (error) {
      byId("wrong").textContent = visible(String(error.message));
      byId("wrong").hidden = false;
    }
  }

  showView(view, quiet = false) {
    this.view = view;
    for (const tab of document.querySelectorAll("#tools [role=tab]")) {
      tab.setAttribute("aria-selected", tab.dataset.view === view ? "true" : "false");
    }
    byId("view").replaceChildren(this.current().root);
    document.body.dataset.view = view;
    if (quiet || !this.store) return;
    this.current().show();
    if (this.rows.length === 0) this.sayNothing();
    if (this.selected >= 0) this.current().reveal(this.selected);
    this.write(false);
  }

  // ---- selection ----

  indexOf(row) {
    const at = lowerBound(this.rows, row);
    return this.rows[at] === row ? at : -1;
  }

  // jump: a new entry for Back. open: show the sheet of a narrow page.
  select(row, {jump = false, open = false, write = true} = {}) {
    if (row < 0 || row >= this.store.count) return;
    const before = this.selected;
    this.selected = row;
    const session = this.store.session[row];
    if (session !== this.session && this.view !== "compare") this.setSession(session);
    if (this.indexOf(row) < 0 && this.filter && this.view !== "compare" && write) {
      // What was asked for is shown, even if the filter hides it.
      byId("filter").value = this.filter = "";
      this.applyFilter();
    }
    if (open) document.body.classList.add("sheet");  // before the row is made visible above it
    this.current().mark(before, row);
    this.current().reveal(row);
    this.timeline.reveal(row);
    this.detail.show();
    if (write) this.write(!jump);
    byId("spoken").textContent = this.describe(row);
  }
  // The other end of the selected call; -1: none.
  otherEnd(row = this.selected) {
    return this.store && row >= 0 && this.store.isMessage(row) ? this.store.other(row) : -1;
  }
  // Marks the selected row and the other end of its call, and those before no longer.
  markRows(prefix, before, row) {
    for (const [which, name, on] of [[before, "selected", false], [this.otherEnd(before), "other", false],
      [row, "selected", true], [this.otherEnd(row), "other", true]]) {
      const line = which >= 0 ? byId(prefix + which) : null;
      if (line) line.classList.toggle(name, on);
    }
  }
  closeSheet() { document.body.classList.remove("sheet"); }

  move(by) {
    if (this.rows.length === 0) return;
    const at = this.indexOf(this.selected);
    const next = this.selected < 0 ? (by > 0 ? 0 : this.rows.length - 1)
      : at < 0 ? lowerBound(this.rows, this.selected) : at + by;
    this.select(this.rows[Math.max(0, Math.min(this.rows.length - 1, next))]);
  }

  // The next row in `direction` for which test(row) holds, around the end.
  next(test, direction) {
    const {rows} = this;
    if (rows.length === 0) return;
    let at = lowerBound(rows, this.selected);
    if (this.selected < 0) at = direction > 0 ? -1 : 0;
    else if (rows[at] !== this.selected && direction > 0) --at;
    for (let i = 0; i < rows.length; ++i) {
      at = (at + direction + rows.length) % rows.length;
      if (test(rows[at])) {
        this.select(rows[at], {jump: true, open: true});
        return;
      }
    }
  }
  nextFailure(direction) { this.next((row) => this.store.isFailed(row), direction); }
  nextPending() { this.next((row) => this.store.isPending(row) || this.store.isUnread(row), 1); }
  pair() {
    if (this.selected >= 0) this.select(this.store.other(this.selected), {jump: true});
  }

  // ---- full-text search ----

  find(text, direction) {
    if (text === "") {
      byId("hits").textContent = "";
      this.found = {text: "", rows: []};
      return;
    }
    if (!this.store.blob) {
      this.withBlob(() => this.find(text, direction));
      return;
    }
    if (this.found.text !== text || this.found.of !== this.rows) {
      const needle = bytesOf(text);
      const searcher = this.line.searched();
      this.found = {text, of: this.rows, rows: this.rows.filter((row) => searcher.find(needle, row) >= 0)};
    }
    const {rows} = this.found;
    if (rows.length > 0) {
      let at = lowerBound(rows, this.selected, direction > 0);
      if (direction < 0) --at;
      at = (at + rows.length) % rows.length;
      if (direction === 0) at = Math.max(0, rows.indexOf(this.selected));
      this.select(rows[at], {jump: true});
      byId("hits").textContent = `${grouped(at + 1)} of ${grouped(rows.length)}`;
    } else {
      byId("hits").textContent = "none";
    }
  }

  // ---- words ----

  describe(row) {
    const {store} = this;
    const parts = [store.number[row] ? "#" + store.number[row] : "", KINDS[store.kind[row]]];
    for (const column of ["method", "label", "failure"]) if (store[column][row]) parts.push(cut(store.text(column, row), 100));
    const latency = store.latency(store.isAnswer(row) ? row : store.answer[row]);
    if (latency >= 0) parts.push(duration(latency));
    parts.push(this.fate(row));
    if (store.kind[row] === STDERR || store.kind[row] === JUNK) parts.push(cut(this.list.preview(row), 120));
    return visible(parts.filter(Boolean).join("  "));
  }

  // Why nothing came of it: it was never read, or has no answer.
  fate(row) {
    if (this.store.isUnread(row)) return "never read";
    if (this.store.isCancelled(row)) return "cancelled";
    if (!this.store.isPending(row)) return "";
    return this.isOfLog(row) ? "no answer in the log" : "no answer";
  }
  // What is missing there may be missing from the log alone.
  isOfLog(row) { return Boolean(this.store.sessions[this.store.session[row]].log); }

  // How long a call without an answer has been open.
  age(row) {
    if (!this.store.hasTimes(row)) return "";
    const session = this.store.sessions[this.store.session[row]];
    const now = this.live && this.live.live && !session.ended ? this.live.nowNs() : session.duration;
    return (session.ended || !this.live ? ">" : "") + span(Math.max(0, now - this.store.at[row]));
  }

  quoted(text) { return /^[\w@%+=:,.\/-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'"; }
  traceName(row) { return this.quoted(this.store.sessions[this.store.session[row]].trace); }
  showCommand(row) { return `midwire show ${this.traceName(row)} 'number=${this.store.number[row]}' --body`; }
  replayCommand(row) {
    return `midwire replay ${this.traceName(row)} -- ${this.store.sessions[this.store.session[row]].command || "PLUGIN"}`;
  }

  // ---- live ----

  // Rows from `first` on are new.
  grew(first) {
    const {store} = this;
    const last = store.sessions.length - 1;
    if (this.session === last - 1 && this.selected < 0) {
      this.setSession(last);
      return;
    }
    const [begin, end] = this.ofSession();
    this.timeline.setRows(store, begin, end);
    if (this.session === last && this.matcher && !this.matcher.needsText) {
      this.collect(Math.max(first, begin), end);
      this.shown();
      this.current().grow();
      for (let row = first; row < store.count; ++row) {
        const request = store.request(row);
        if (request >= 0) this.current().refresh(request);
      }
    }
    this.refreshBar();
  }

  // These rows show something else now.
  changed(rows) {
    for (const row of rows) this.current().refresh(row);
    const [begin, end] = this.ofSession();
    this.timeline.setRows(this.store, begin, end);
    if (rows.includes(this.selected)) this.detail.show();
    this.refreshBar();
  }

  // Once a second: the ages of open calls in sight.
  tick() {
    if (!this.store || !this.live.live) return;
    for (const line of document.querySelectorAll("#view tr.pending")) this.list.refresh(Number(line.dataset.row));
  }
}
