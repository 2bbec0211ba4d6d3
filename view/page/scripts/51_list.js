// The list of messages: the columns of `midwire show`.

const ROW = 22;

class List {
  constructor(app) {
    this.app = app;
    const head = el("tr", {},
      ...[["n", "#", "Number of the message"], ["n t", "time", "Seconds since the start"], ["d", "", "Direction"],
        ["k", "kind", ""], ["m", "method", "Method, and what the call is about"], ["n l", "took", "Time from request to answer"],
        ["n b", "bytes", "Bytes on the wire"]].map(([c, text, title]) =>
        el("th", {class: c, scope: "col", title}, text || el("span", {class: "offscreen"}, "direction"))));
    this.body = el("tbody");
    this.table = el("table", {class: "list", role: "grid", "aria-label": "Messages", tabindex: "0"},
      el("thead", {}, head), this.body);
    this.box = el("div", {class: "scroll"}, this.table);
    this.rows = new Rows({
      box: this.box, body: this.body, height: ROW, make: (index) => this.make(index),
      // Of one column: a narrow page has fewer than seven, and would share its width with those that are hidden.
      spacer: () => el("tr", {class: "spacer", "aria-hidden": "true"}, el("td")),
    });
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("tr[data-row]");
      if (row) app.select(Number(row.dataset.row), {jump: true, open: true});
    });
  }

  get root() { return this.box; }
  // Words in place of rows, as wide as the columns that are shown.
  say(words) {
    const shown = [...this.table.querySelectorAll("th")].filter((head) => head.offsetWidth > 0).length;
    this.body.replaceChildren(el("tr", {}, el("td", {colspan: Math.max(1, shown)}, words)));
  }

  show() {
    this.rows.show(this.app.rows.length);
    this.table.setAttribute("aria-rowcount", this.app.rows.length + 1);
  }
  grow() { this.rows.grow(this.app.rows.length); }

  make(index) {
    const {store, selected} = this.app;
    const row = this.app.rows[index];
    const kind = store.kind[row];
    const failed = store.isFailed(row), pending = store.isPending(row);
    const message = store.isMessage(row);
    const latency = store.latency(row);
    const classes = ["k" + kind, failed ? "failed" : "", pending ? "pending" : store.isUnread(row) ? "unread" : "", row === selected ? "selected" : row === this.app.otherEnd() ? "other" : ""];
    const label = message ? store.text("label", row) : "";
    const about = el("td", {class: "m"});
    if (message) about.append(el("bdi", {}, visible(store.text("method", row)) || "\u2013"));
    if (label) about.append(" ", el("bdi", {class: "label"}, visible(label)));
    const why = this.why(row);
    if (why) about.append(" ", el("bdi", {class: failed ? "why" : "note"}, why));
    const line = el("tr", {class: classes.filter(Boolean).join(" "), id: "row-" + row, "data-row": row,
      "aria-rowindex": index + 2, "aria-selected": row === selected ? "true" : "false"},
    number(store.isElement(row) ? "+" : store.number[row] || "", {class: "n"}),
    number(store.hasTimes(row) ? seconds(store.at[row]) : "", {class: "n t"}),
    el("td", {class: "d"}, ARROWS[store.dir[row]]),
    el("td", {class: "k"}, KINDS[kind]),
    about,
    number(store.isOpen(row) ? this.app.age(row) : latency < 0 ? "" : duration(latency), {class: "n l"}),
    number(store.size[row] > 0 ? grouped(store.size[row]) : "", {class: "n b"}));
    return line;
  }

  // What stands behind method and label: the error, the text of the line.
  why(row) {
    const {store} = this.app;
    const kind = store.kind[row];
    const parts = [];
    if (store.failure[row]) parts.push(store.text("failure", row));
    if (kind === STDERR || kind === JUNK) parts.push(this.preview(row));
    if (!store.isMessage(row) && kind !== STDERR && store.label[row] && !(this.app.live && kind === JUNK)) parts.unshift(store.text("label", row));
    if ((store.flags[row] & ORPHAN) !== 0) parts.push(this.app.isOfLog(row) ? "no request in the log" : "answers no request");
    parts.push(this.app.fate(row));
    if (store.remarks[row]) parts.push("[" + store.text("remarks", row) + "]");
    return visible(cut(parts.filter(Boolean).join(" "), 400));
  }

  preview(row) {
    const {store} = this.app;
    if (!store.blob) return this.app.live ? store.text("label", row) : "";
    return decode(store.slice(row).subarray(0, 300));
  }

  // The row `row` of the store has been selected, `before` no longer.
  mark(before, row) {
    this.app.markRows("row-", before, row);
    const line = byId("row-" + before);
    if (line) line.setAttribute("aria-selected", "false");
    if (row < 0) return;
    if (byId("row-" + row)) byId("row-" + row).setAttribute("aria-selected", "true");
    this.table.setAttribute("aria-activedescendant", "row-" + row);
  }

  reveal(row) {
    const index = this.app.indexOf(row);
    if (index >= 0) this.rows.reveal(index);
  }

  // Rows that show something else now, such as the age of a call.
  refresh(row) {
    const index = this.app.indexOf(row);
    const line = index < 0 ? null : this.rows.element(index);
    if (!line) return;
    const made = this.make(index);
    line.replaceWith(made);
    this.rows.made[index - this.rows.from] = made;
  }
}
