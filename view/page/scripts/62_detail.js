// One message: what it is, its JSON, its bytes, and where its handles are made and used.

class Detail {
  constructor(app, root) {
    this.app = app;
    this.root = root;
    this.tab = "message";
    this.asText = false;
    this.show();
  }

  // Bodies arrive later; what was asked for an earlier selection is dropped.
  async show() {
    const {app} = this;
    const {store, selected: row} = app;
    const turn = this.turn = (this.turn || 0) + 1;
    if (!store || row < 0 || row >= store.count) {
      this.root.replaceChildren(empty("No message is selected.",
        el("p", {class: "dim"}, "Select one in the list, or press j.")));
      return;
    }
    const other = store.isMessage(row) ? store.other(row) : -1;
    const uses = store.handlesOf.get(row) || [];
    const tabs = [["message", this.nameOf(row)]];
    if (other >= 0) tabs.push(["other", this.nameOf(other)], ["both", "side by side"]);
    tabs.push(["raw", "raw"]);
    if (uses.length > 0) tabs.push(["uses", `handles ${uses.length}`]);
    if (!tabs.some(([name]) => name === this.tab)) this.tab = "message";
    if (other >= 0 && store.isAnswer(row)) tabs.splice(0, 2, tabs[1], tabs[0]);
    this.body = el("div", {class: "body scroll", role: "tabpanel", id: "panel", tabindex: "0", "aria-label": "Message"});
    this.root.replaceChildren(this.head(row, other),
      el("div", {class: "tabs", role: "tablist", "aria-label": "Parts of the message"}, ...tabs.map(([name, text]) =>
        el("button", {type: "button", role: "tab", "aria-selected": name === this.tab ? "true" : "false",
          "aria-controls": "panel", on: {click: () => this.open(name)}}, text))), this.body);
    const parts = await this.content(row, other, uses);
    if (turn === this.turn) this.body.replaceChildren(...parts);
  }

  open(tab) {
    this.tab = tab;
    this.show();
    const chosen = this.root.querySelector("[role=tab][aria-selected=true]");
    if (chosen) chosen.focus();
  }

  nameOf(row) {
    const kind = this.app.store.kind[row];
    return kind === RESPONSE ? "answer" : KINDS[kind];
  }

  head(row, other) {
    const {store} = this.app;
    const message = store.isMessage(row);
    const facts = [];
    if (store.hasTimes(row)) facts.push(fact("time", seconds(store.at[row]) + " s"));
    const answer = store.isAnswer(row) ? row : other;
    const latency = answer >= 0 ? store.latency(answer) : -1;
    if (latency >= 0) facts.push(fact("took", duration(latency)));
    if (store.isOpen(row)) facts.push(fact("open", (!this.app.isOfLog(row) && this.app.age(row)) || this.app.fate(row)));
    if (store.id[row]) facts.push(fact("id", visible(cut(store.text("id", row), 60))));
    if (store.size[row] > 0) {
      const parts = message && store.header[row] > 0 ? ` (header ${grouped(store.header[row])}, body ${grouped(store.body[row])})` : "";
      facts.push(fact("bytes", grouped(store.size[row]) + parts));
    }
    // The longest one last: where there is no room, it has a line of its own.
    const unix = store.sessions[store.session[row]].start;
    if (store.hasTimes(row) && unix) facts.push(fact("date", utc(String(BigInt(unix) + BigInt(Math.round(store.at[row]))))));
    if (store.remarks[row]) facts.push(fact("remarks", visible(store.text("remarks", row))));
    const parent = store.parentOf(row);
    const links = [];
    if (other >= 0) links.push(this.link(other, store.isAnswer(row) ? "request" : "answer"));
    if (parent >= 0) links.push(this.link(parent, "belongs to"));
    const children = store.children[row] || [];
    for (const child of children.slice(0, 8)) links.push(this.link(child, store.kind[child] === REQUEST ? "calls back" : "sends"));
    if (children.length > 8) links.push(el("span", {class: "dim"}, `and ${children.length - 8} more`));
    const why = store.failure[row] ? store.text("failure", row) :
      other >= 0 && store.failure[other] ? store.text("failure", other) : "";
    const titleText = message ? store.text("method", row) : store.text("label", row);
    return el("div", {class: "head"},
      el("div", {class: "title"},
        el("span", {class: "no"}, store.number[row] ? "#" + store.number[row] : ""),
        el("span", {class: "d"}, ARROWS[store.dir[row]]),
        el("h2", {}, el("bdi", {}, visible(titleText) || KINDS[store.kind[row]]), " ",
          message && store.label[row] ? el("bdi", {class: "label"}, visible(store.text("label", row))) : null),
        el("span", {class: "actions"}, el("span", {class: "copies", role: "group", "aria-label": "Copy"},
          el("span", {class: "dim"}, "copy"), ...this.actions(row)),
          button("\u2715", "Close (Esc)", () => this.app.closeSheet(), {class: "close", "aria-label": "Close"}))),
      why ? el("p", {class: "why"}, visible(why)) : null,
      store.isUnread(row) ? el("p", {class: "slow"},
        `never read: the ${store.dir[row] === 0 ? "plugin" : "host"} closed the stream before it had read this`) : null,
      ...(store.findingsOf.get(row) || []).slice(0, 5).map((finding) => el("div", {class: "finding"},
        el("b", {}, visible(cut(finding.rule, 100))), " " + visible(finding.text || ""), evidenceOf(finding))),
      ...(store.changesOf.get(row) || []).slice(0, 20).map((change) => el("div", {class: "change"},
        change.items ? itemLines(change.items) : visible(cut(changeText(change), 2000)))),
      el("dl", {}, ...facts),
      links.length > 0 ? el("p", {class: "links"}, ...links) : null);
  }

  link(row, word) {
    const {store} = this.app;
    const text = `${word} ${store.number[row] ? "#" + store.number[row] : ""} ${store.text("method", row)}`;
    return button(visible(cut(text, 80)), "Select it", () => this.app.select(row, {jump: true}), {class: "link"});
  }

  actions(row) {
    const {app} = this;
    const actions = [];  // what is copied; the word stands before them
    if (app.store.isMessage(row)) {
      actions.push(button("JSON", "Copy the JSON, indented", async (event) => {
        const text = decode(app.store.bodyOf(row, await app.store.bytes(row)));
        const json = new JsonLines(text);
        copy(json.error < 0 && json.length > 0 ? json.pretty() : text, event.target);
      }));
      actions.push(button("show", "Copy the command that prints this message: midwire show", (event) =>
        copy(app.showCommand(row), event.target)));
    }
    actions.push(button("replay", "Copy the command that replays this session: midwire replay", (event) =>
      copy(app.replayCommand(row), event.target)));
    return actions;
  }

  async content(row, other, uses) {
    if (this.tab === "uses") return this.uses(uses);
    if (this.tab === "raw") return this.raw(row);
    if (this.tab === "other") return [await this.message(other)];
    if (this.tab === "both") {
      const [request, answer] = this.app.store.isAnswer(row) ? [other, row] : [row, other];
      return [el("div", {class: "both"},
        el("div", {}, el("h3", {}, "request"), await this.message(request)),
        el("div", {}, el("h3", {}, "answer"), await this.message(answer)))];
    }
    return [await this.message(row)];
  }

  async bytes(row) {
    try {
      return await this.app.store.bytes(row);
    } catch (error) {
      return empty(`The bytes of this row could not be read: ${error.message}`);
    }
  }

  async message(row) {
    const {store} = this.app;
    if (store.kind[row] === EVENT || store.kind[row] === DAMAGE) {
      return el("p", {class: "line"}, visible(store.text("label", row)));
    }
    if (store.isElement(row)) {
      return empty("This message is an element of a batch. The batch has its text.",
        button("show the batch", "Select the batch", () =>
          this.app.select(store.rowOf(store.session[row], store.number[row]), {jump: true})));
    }
    const bytes = await this.bytes(row);
    if (!(bytes instanceof Uint8Array)) return bytes;
    const body = store.bodyOf(row, bytes);
    const cutOff = store.kept[row] < store.size[row]
      ? el("p", {class: "note"}, `Only the first ${grouped(store.kept[row])} of ${grouped(store.size[row])} bytes are here. All of them: ${this.app.showCommand(row)} --raw`)
      : null;
    if (!store.isMessage(row)) return el("div", {}, cutOff, textView(bytes));
    const marked = [...(store.changesOf.get(row) || []).flatMap((change) => changedPlaces(change, row === change.a)),
      ...(store.findingsOf.get(row) || []).flatMap((finding) => changedPlaces(finding, true))];
    const tree = new Tree(decode(body), {handleOf: store.handleOf, onHandle: () => this.open("uses"), marked});
    if (!tree.valid) {
      return el("div", {}, cutOff, el("p", {class: "note"}, cutOff ? "" : `Not JSON from character ${grouped(tree.json.error + 1)} on.`),
        textView(body));
    }
    return el("div", {}, cutOff, el("div", {class: "folds"},
      button("unfold all", "Unfold all objects and lists", () => tree.unfoldAll(), {class: "more"}),
      button("fold", "Fold all objects and lists", () => tree.foldAll(), {class: "more"})), tree.root);
  }

  async raw(row) {
    const {store} = this.app;
    const bytes = await this.bytes(row);
    if (!(bytes instanceof Uint8Array)) return [bytes];
    if (bytes.length === 0) return [empty("This row has no bytes of its own.")];
    const flip = button(this.asText ? "as hex" : "as text", "Hex or text", () => {
      this.asText = !this.asText;
      this.show();
    }, {class: "more"});
    const message = store.isMessage(row);
    return [el("div", {class: "folds bar"}, flip),
      this.asText ? textView(bytes) : hexView(bytes, message ? store.header[row] : 0, message ? store.body[row] : bytes.length, this.room())];
  }

  // How many characters fit into a line of the body.
  room() {
    const probe = el("code", {}, "0".repeat(100));
    const line = el("pre", {}, probe);
    this.body.replaceChildren(line);
    return Math.floor(line.clientWidth / (probe.getBoundingClientRect().width / 100));
  }

  uses(handles) {
    return handles.map((handle) => el("div", {class: "uses"},
      el("h3", {}, handle.name, " ", el("code", {}, visible(handle.value))),
      ...handle.rows.slice(0, 200).map((row, i) => el("p", {},
        el("span", {class: "dim"}, ["made", "used", "released"][handle.kinds[i]] + " "), this.link(row, ""))),
      handle.rows.length > 200 ? el("p", {class: "dim"}, `and ${grouped(handle.rows.length - 200)} more`) : null));
  }
}
