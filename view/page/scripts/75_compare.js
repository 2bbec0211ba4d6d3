// Two traces side by side, aligned as `midwire diff` aligns them.

class Compare {
  constructor(app) {
    this.app = app;
    this.onlyChanged = false;
    this.body = el("div", {class: "pairs", role: "list", "aria-label": "Messages of both traces"});
    this.box = el("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": "Comparison"}, this.body);
    this.head = el("div", {class: "parties compare"});
    this.root = el("div", {class: "column"}, this.head, this.box);
    this.rows = new Rows({box: this.box, body: this.body, height: ROW, make: (index) => this.make(index),
      spacer: () => el("div", {"aria-hidden": "true"})});
    this.body.addEventListener("click", (event) => {
      const side = event.target.closest("[data-row]");
      if (side) app.select(Number(side.dataset.row), {jump: true, open: true, stay: true});
    });
  }

  show() {
    const {compare, sessions} = this.app.store.index;
    if (!compare) {
      this.root.replaceChildren(empty("There is nothing to compare with.",
        el("p", {class: "dim"}, "midwire report A --compare B puts a second trace beside the first.")));
      return;
    }
    this.root.replaceChildren(this.head, this.box);
    const {changesOf} = this.app.store;
    const changed = ([a, b]) => a < 0 || b < 0 || changesOf.has(a) || changesOf.has(b);
    const count = compare.pairs.filter(changed).length;
    this.pairs = this.onlyChanged ? compare.pairs.filter(changed) : compare.pairs;
    const names = [sessions.find((s) => !s.other), sessions.find((s) => s.other)].map((s) => (s ? s.trace : "?"));
    this.head.replaceChildren(el("b", {}, visible(names[0])), el("b", {}, visible(names[1])),
      el("span", {class: "actions"}, el("span", {class: count > 0 ? "bad" : "dim"}, count === 0 ? "same" : counted(count, "change") + (compare.more ? ` and ${compare.more} more` : "")),
        button(this.onlyChanged ? "show all" : "only changes", "All messages, or only those that changed", () => {
          this.onlyChanged = !this.onlyChanged;
          this.show();
        })));
    this.rows.show(this.pairs.length);
    if (this.pairs.length === 0) this.body.replaceChildren(empty("The traces are the same."));
  }

  make(index) {
    const [a, b] = this.pairs[index];
    const {changesOf} = this.app.store;
    const changes = [...new Set([...(changesOf.get(a) || []), ...(changesOf.get(b) || [])])];
    const sign = a < 0 ? "+" : b < 0 ? "\u2212" : changes.length > 0 ? "\u2260" : "";
    const what = (place) => changes.map((change) => changeText(change, place)).join("; ");
    return el("div", {class: "pair" + (sign ? " changed" : ""), role: "listitem"},
      this.side(a), el("span", {class: "sign"}, sign), this.side(b),
      el("span", {class: "what", title: visible(cut(what(), 2000))}, visible(cut(what(placeEnd), 300))));
  }

  side(row) {
    const {store, selected} = this.app;
    if (row < 0) return el("span", {class: "side none"});
    return el("span", {class: "side" + (row === selected ? " selected" : ""), "data-row": row, id: "side-" + row},
      el("span", {class: "no"}, String(store.number[row] || "")), " " + ARROWS[store.dir[row]] + " ",
      el("bdi", {}, visible(store.text("method", row)) || KINDS[store.kind[row]]), " ",
      store.label[row] ? el("bdi", {class: "label"}, visible(store.text("label", row))) : null);
  }

  mark(before, row) {
    for (const [which, on] of [[before, false], [row, true]]) {
      const side = byId("side-" + which);
      if (side) side.classList.toggle("selected", on);
    }
  }
  reveal(row) {
    const index = (this.pairs || []).findIndex(([a, b]) => a === row || b === row);
    if (index >= 0) this.rows.reveal(index);
  }
  grow() {}
  refresh() {}
}
