// Arrows between host and plugin, of the rows that the filter leaves. Exported as Mermaid.

const ARROW_ROW = 30;
const MOST_MERMAID = 500;  // arrows: what renders it refuses larger texts
const MOST_OPEN = 20;      // calls without an answer that have a note each

class Sequence {
  constructor(app) {
    this.app = app;
    this.body = el("div", {class: "arrows", role: "list", "aria-label": "Messages as arrows"});
    this.box = el("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": "Sequence"}, this.body);
    this.head = el("div", {class: "parties"}, el("b", {}, "host"), el("span"), el("b", {}, "plugin"),
      el("span", {class: "actions"},
        button("copy Mermaid", "Copy these arrows as a Mermaid diagram", (event) =>
          copy(this.mermaid(), event.target)),
        button("save", "Save these arrows as a Mermaid diagram", () =>
          save("sequence.mmd", this.mermaid(), "text/plain"))));
    this.root = el("div", {class: "column"}, this.head, this.box);
    this.rows = new Rows({box: this.box, body: this.body, height: ARROW_ROW, make: (index) => this.make(index),
      spacer: () => el("div", {"aria-hidden": "true"})});
    this.body.addEventListener("click", (event) => {
      const arrow = event.target.closest("[data-row]");
      if (arrow) app.select(Number(arrow.dataset.row), {jump: true, open: true});
    });
  }

  show() { this.rows.show(this.app.rows.length); }
  grow() { this.rows.grow(this.app.rows.length); }

  text(row) {
    const {store} = this.app;
    return [store.text("method", row) || KINDS[store.kind[row]], store.text("label", row)].filter(Boolean).join(" ");
  }

  make(index) {
    const {store, selected} = this.app;
    const row = this.app.rows[index];
    const kind = store.kind[row];
    const direction = store.dir[row] === 0 ? "there" : store.dir[row] === 1 ? "back" : "neither";
    const classes = ["arrow", direction, "k" + kind, store.isFailed(row) ? "failed" : "",
      store.isPending(row) || store.isUnread(row) ? "pending" : "", row === selected ? "selected" : row === this.app.otherEnd() ? "other" : ""];
    const failure = store.failure[row] ? store.text("failure", row) : "";
    const side = kind === STDERR || kind === JUNK ? this.app.list.preview(row) : "";
    const latency = store.latency(row);
    return el("div", {class: classes.filter(Boolean).join(" "), role: "listitem", "data-row": row, id: "arrow-" + row},
      el("span", {class: "no"}, store.number[row] ? String(store.number[row]) : ""),
      el("span", {class: "what"}, el("bdi", {}, visible(cut(this.text(row) + (side ? ": " + side : ""), 200))),
        failure ? el("bdi", {class: "why"}, " " + visible(failure)) : null,
        this.app.fate(row) ? el("span", {class: "fate"}, " " + this.app.fate(row)) : null),
      el("span", {class: "line"}),
      el("span", {class: "took"}, latency < 0 ? "" : duration(latency)));
  }

  mark(before, row) { this.app.markRows("arrow-", before, row); }
  reveal(row) {
    const index = this.app.indexOf(row);
    if (index >= 0) this.rows.reveal(index);
  }
  refresh() {}

  // Mermaid reads ; # and : as syntax, so they are written as entities.
  mermaid() {
    const {store, rows} = this.app;
    const lines = ["sequenceDiagram", "  participant host", "  participant plugin"];
    const safe = (text) => cut(visible(text), 120).replace(/[^\w \/.,()\-$]/g, (c) => `#${c.codePointAt(0)};`);
    let drawn = 0;
    for (const row of rows) {
      if (!store.isMessage(row)) continue;
      if (++drawn > MOST_MERMAID) {
        lines.push(`  Note over host,plugin: ${grouped(rows.length)} rows, of which the first ${MOST_MERMAID} are drawn`);
        return lines.join("\n") + "\n";
      }
      const [from, to] = store.dir[row] === 0 ? ["host", "plugin"] : ["plugin", "host"];
      const arrow = store.isAnswer(row) ? (store.isFailed(row) ? "--x" : "-->>") :
        store.kind[row] === NOTIFICATION ? "-)" : "->>";
      const failure = store.failure[row] ? ": " + store.text("failure", row) : "";
      lines.push(`  ${from}${arrow}${to}: ${safe(`${store.number[row]} ${this.text(row)}${failure}`)}`);
    }
    const open = rows.filter((row) => store.isPending(row));
    for (const row of open.slice(0, MOST_OPEN)) {
      lines.push(`  Note over host,plugin: no answer to ${safe(`${store.number[row]} ${this.text(row)}`)}`);
    }
    const more = open.length - MOST_OPEN;
    if (more > 0) lines.push(`  Note over host,plugin: no answer to ${counted(more, "more call")}`);
    const {exit} = store.sessions[this.app.session];
    if (exit) lines.push(`  Note over plugin: ${safe(exit)}`);
    return lines.join("\n") + "\n";
  }
}
