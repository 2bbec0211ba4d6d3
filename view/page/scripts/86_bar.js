// The title bar, the tools below it, and the help.

const HELP = [
  ["j k, arrows", "next, previous message"], ["g G", "first, last message"], ["n N", "next, previous failure"],
  ["u", "next call without an answer"], ["p", "to the answer, to the request"], ["/", "filter"],
  ["f", "search in all texts; Enter: next, Shift+Enter: previous"], ["1 to 5", "messages, sequence, statistics, findings, compare"],
  ["[ ]", "previous, next tab of the message"], ["+ \u2212 0", "zoom the timeline in, out, all of it"],
  ["w s a d", "zoom in, out, left, right"], ["z", "zoom to the selected call"], ["o", "timeline by time or by order"],
  ["l", "show or hide stderr"], ["t", "light or dark"], ["Esc", "close, leave a field"], ["?", "this help"],
];
const EXAMPLES = [
  "method=tools/* kind=error", "latency>50ms", "unanswered", "dir=p2h kind=request", "size>10k", "text~\"needle\"",
  "at>1s at<2s", "kind=stderr or kind=junk",
];

// How a session ended, in few words; bad: by a crash or with a status that says so.
function endingOf({exit = "", crashed, log, ended, command}) {
  if (crashed && exit.startsWith("exit by ")) return {text: "crashed: " + exit.slice("exit by ".length), bad: true};
  if (exit) return {text: exit, bad: Boolean(crashed) || /^exit [1-9]/.test(exit)};
  // Only a recording has an end that can be missing.
  return {text: log ? "from a log" : ended === false && command ? "cut off" : "", bad: false};
}

// The bar must leave room for the views.
const MOST_NOTES = 4;

Object.assign(App.prototype, {
  makeTools() {
    const filter = el("input", {id: "filter", type: "text", placeholder: "filter: method=tools/* latency>50ms", spellcheck: "false",
      autocomplete: "off", autocapitalize: "off", "aria-label": "Filter, as in midwire show", "aria-describedby": "wrong", maxlength: "20000"});
    let waiting = 0;
    const apply = () => {
      clearTimeout(waiting);
      if (!this.store || filter.value.trim() === this.filter) return;
      this.filter = filter.value.trim();
      this.applyFilter();
      this.write(true);
    };
    filter.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(apply, this.store && this.store.count > 20000 ? 250 : 60);
    });
    filter.addEventListener("keydown", (event) => {
      if (event.key === "Enter") apply();
      if (event.key === "Escape" || event.key === "Enter") this.list.table.focus();
    });
    const find = el("input", {id: "find", type: "text", placeholder: "search texts", spellcheck: "false", autocomplete: "off",
      autocapitalize: "off", "aria-label": "Search in all texts", maxlength: "2000"});
    find.addEventListener("input", () => {
      clearTimeout(this.finding);
      this.finding = setTimeout(() => this.find(find.value, 0), 200);
    });
    find.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        clearTimeout(this.finding);
        this.find(find.value, event.shiftKey ? -1 : 1);
      }
      if (event.key === "Escape") this.list.table.focus();
    });
    byId("tools").replaceChildren(
      el("div", {class: "tabs", role: "tablist", "aria-label": "Views"}, ...VIEWS.map((view, i) => el("button",
        {type: "button", role: "tab", "data-view": view, "aria-controls": "view", title: `${view} (${i + 1})`,
          "aria-selected": view === this.view ? "true" : "false", on: {click: () => this.showView(view)}}, view))),
      // Counts stand in the box of their field: what is beside it stays where it is when they change.
      el("div", {class: "fields"},
        el("div", {class: "field"}, filter, el("span", {id: "count", class: "dim", role: "status"})),
        el("div", {class: "field"}, find, el("span", {id: "hits", class: "dim", role: "status"}))),
      el("p", {id: "wrong", class: "bad", role: "alert", hidden: true}),
      el("p", {id: "spoken", class: "offscreen", "aria-live": "polite"}));
    byId("keys").replaceChildren(...[["j k", "move"], ["/", "filter"], ["f", "search"], ["n", "next failure"], ["p", "pair"],
      ["z", "zoom"], ["?", "help"]].map(([key, word]) => el("span", {}, el("kbd", {}, key), " " + word)));
  },

  refreshBar() {
    const {store} = this;
    const session = store.sessions[this.session];
    const [first, last] = this.ofSession();
    let messages = 0, failed = 0, pending = 0;
    for (let row = first; row < last; ++row) {
      if (store.isMessage(row) && !store.isElement(row)) ++messages;
      if (store.isFailed(row)) ++failed;
      if (store.isPending(row)) ++pending;
    }
    const ending = endingOf(session);
    const parts = [
      session.dialect ? el("span", {title: session.sureness ? "detected from the first messages; --dialect names another" : ""},
        visible([session.dialect, session.revision].filter(Boolean).join(" ")),
        session.sureness ? el("span", {class: "dim sure"}, ` (${visible(session.sureness)})`) : null) : null,
      session.times !== false ? el("span", {title: session.start ? "started " + utc(session.start) : ""}, span(session.duration)) : null,
      el("span", {}, counted(messages, "message")),
      failed > 0 ? button(`${grouped(failed)} failed`, "Next failure (n)", () => this.nextFailure(1), {class: "bad"}) : null,
      pending > 0 ? button(`${grouped(pending)} pending`, "Next call without an answer (u)", () => this.nextPending(), {class: "slow"}) : null,
      this.live && this.live.live ? el("span", {class: "live"}, "live") : el("span", {class: ending.bad ? "bad" : "dim"}, visible(ending.text)),
    ];
    const menu = store.sessions.length > 1 ? el("select", {"aria-label": "Session", on: {change: (event) => {
      this.selected = -1;
      this.setSession(Number(event.target.value));
      this.detail.show();
      this.write(false);
    }}}, ...store.sessions.map((other, i) => el("option", {value: i}, `${i + 1}: ${visible(cut(other.trace, 40))}${other.start ? " " + utc(other.start).slice(11, 19) : ""}`))) : null;
    if (menu) menu.value = this.session;
    const saved = store.index.save;
    byId("bar").replaceChildren(
      el("h1", {title: visible(session.command || "")}, el("bdi", {}, visible(session.title || session.trace))),
      el("p", {class: "facts"}, ...parts.filter(Boolean)),
      menu || "",
      el("span", {class: "actions"},
        saved ? button("save tape", "Save the recording that is in this page; it replays", async () => {
          await store.ready;
          save(saved.name.replace(/[^\w. -]/g, "_"), store.blob.subarray(saved.from, saved.from + saved.length), "application/octet-stream");
        }) : null,
        button("\u25d0", "Light or dark (t)", () => this.theme(), {"aria-label": "Light or dark"}),
        button("?", "Help (?)", () => this.help(), {"aria-label": "Help"})),
      session.log ? el("p", {class: "notice dim"}, visible(cut(session.log, 300))) : "",
      ...(store.index.notes || []).slice(0, MOST_NOTES).map((note) => el("p", {class: "notice"}, visible(cut(note, 300)))),
      this.live && store.base > 0 ? el("p", {class: "notice"}, `${grouped(store.base)} earlier rows are not loaded. `,
        button("load the earlier ones", "Load up to 100,000 rows before these", () =>
          this.live.open(this.live.trace, Math.max(0, store.base - 100000)), {class: "link"})) : "");
    const found = (store.findingsIn[this.session] || []).length;
    for (const tab of document.querySelectorAll("#tools [role=tab]")) {
      const {view} = tab.dataset;
      tab.textContent = view === "findings" && found > 0 ? `findings ${grouped(found)}` : view;
      tab.hidden = view === "compare" && !store.index.compare;
    }
  },

  theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    remembered.set("theme", root.dataset.theme);
    this.timeline.draw();
  },

  help() {
    if (byId("help")) {
      byId("help").close();
      return;
    }
    const dialog = el("dialog", {id: "help", "aria-label": "Help"},
      el("div", {class: "title"}, el("h2", {}, "Keys"), el("span", {class: "actions"}, button("\u2715", "Close (Esc)", () => dialog.close(), {"aria-label": "Close"}))),
      el("dl", {class: "keys"}, ...HELP.flatMap(([keys, words]) => [el("dt", {}, ...keys.split(" ").map((key) =>
        (/^(to|arrows)$/.test(key) ? key + " " : el("kbd", {}, key.replace(",", ""))))), el("dd", {}, words)])),
      el("p", {}, "On the timeline the wheel zooms, Shift and the wheel move, dragging moves, a double click zooms to a call."),
      el("h2", {}, "Filter"),
      el("p", {}, "As midwire show takes it: terms are joined by and, or and not, with brackets. Fields: ",
        el("code", {}, Object.keys(FIELDS).join(", ")), "."),
      el("p", {class: "examples"}, ...EXAMPLES.map((text) => button(text, "Use this filter", () => {
        dialog.close();
        this.setFilter(text);
      }, {class: "more"}))),
      el("h2", {}, "Colours"),
      el("p", {class: "legend"}, ...[["there", "host calls"], ["back", "plugin calls"], ["red", "failed"], ["amber", "no answer, never read"],
        ["accent", "selected"], ["grey", "other end of the selected call"]].map(([name, words]) => el("span", {}, el("i", {class: name}), words))));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  },
});
