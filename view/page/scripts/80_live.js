// The live view: the same data, from the server that served the page (DATA.md, "Live").

const FETCH_ROWS = 5000, MOST_SEARCHED = 256e6;

async function getJson(address) {
  const answer = await fetch(address, {cache: "no-store"});
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
  return answer.json();
}

class Live {
  constructor(app) {
    this.app = app;
    this.stream = null;
    this.trace = null;
    this.cache = new Map();  // row -> bytes, of the latest rows that were looked at
    this.clock = 0;
    document.addEventListener("visibilitychange", () => {
      clearTimeout(this.hiding);
      // A server that ends with its last page must know that this one is still there.
      const stays = this.list && this.list.once;
      if (document.hidden && !stays) this.hiding = setTimeout(() => this.close(), 60000);
      else if (!document.hidden && !this.stream) this.follow();
    });
  }

  async start() {
    const list = await getJson("api/sessions");
    this.traces(list);
    const wanted = this.app.address().t;
    const first = list.traces.find((trace) => trace.id === wanted) || list.traces[0];
    if (!first) {
      this.app.say("No sessions are recorded yet.", "midwire record -- PLUGIN records one; it appears here.");
      this.waiting = true;
      this.follow();
      return;
    }
    await this.open(first.id);
  }

  // Opens a trace; `from`: its first row to load, counted from the end if negative.
  async open(id, from = -100000) {
    this.close();
    this.trace = id;
    const turn = this.turn = (this.turn || 0) + 1;
    this.app.say("Loading the session.");
    const index = await getJson(`api/index?trace=${encodeURIComponent(id)}&from=${from}&count=100000`);
    if (turn !== this.turn) return;
    const store = new Store(index);
    store.fetchBytes = (row) => this.bytes(row);
    store.trace = id;
    this.cache.clear();
    this.live = index.live === true;
    this.setClock(index.now);
    this.app.open(store);
    this.mark();
    this.follow();
  }

  // The server's clock: ns since the start of the session.
  setClock(now) {
    if (now === undefined) return;
    this.now = now;
    this.nowAt = performance.now();
  }
  nowNs() { return this.now === undefined ? -1 : this.now + (performance.now() - this.nowAt) * 1e6; }

  follow() {
    this.close();
    const {store} = this.app;
    const query = this.trace && store ? `?trace=${encodeURIComponent(this.trace)}&row=${store.base + store.count}&base=${store.base}` : "";
    this.stream = new EventSource("api/stream" + query);
    const on = (name, f) => this.stream.addEventListener(name, (event) => f(JSON.parse(event.data)));
    on("rows", (data) => this.rows(data));
    on("flags", (data) => this.flags(data));
    on("session", (session) => this.session(session));
    on("sessions", (list) => this.traces(list));
    on("end", () => {
      this.live = false;
      this.app.refreshBar();
    });
    on("reset", () => this.open(this.trace).catch((error) => this.app.fail(error)));
    clearInterval(this.clock);
    this.clock = setInterval(() => this.app.tick(), 1000);
  }
  close() {
    if (this.stream) this.stream.close();
    this.stream = null;
    clearInterval(this.clock);
  }

  rows(data) {
    const {store} = this.app;
    this.setClock(data.now);
    const first = store.count;
    store.append(data.rows, data.strings);
    store.blob = null;
    store.searcher = null;
    this.app.grew(first);
  }

  // What became known of rows that are here.
  flags({rows, flags}) {
    const {store} = this.app;
    const changed = rows.filter((row, i) => row < store.count && store.flags[row] !== flags[i]);
    rows.forEach((row, i) => { if (row < store.count) store.flags[row] = flags[i]; });
    if (changed.length > 0) this.app.changed(changed);
  }

  session(session) {
    const {store} = this.app;
    const at = store.sessions.findIndex((known) => known.first === session.first);
    if (at >= 0) Object.assign(store.sessions[at], session); else store.sessions.push(session);
    this.app.grew(store.count);
  }

  async bytes(row) {
    const {store} = this.app;
    if (this.cache.has(row)) return this.cache.get(row);
    const got = await this.fetchRows(store, row, 1);
    this.cache.set(row, got);
    if (this.cache.size > 50) this.cache.delete(this.cache.keys().next().value);
    return got;
  }

  async fetchRows(store, row, count) {
    const answer = await fetch(`api/bytes?trace=${encodeURIComponent(store.trace)}&row=${store.base + row}&rows=${count}`,
      {cache: "no-store"});
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  // All bytes of the rows that are here, for a search.
  async all(store) {
    const total = store.kept.reduce((sum, kept) => sum + kept, 0);
    if (total > MOST_SEARCHED) {
      throw new Error(`${size(total)} are too much to search here; use: midwire show TRACE 'text~"..."'`);
    }
    const count = store.count;
    const blob = new Uint8Array(total);
    let at = 0;
    for (let row = 0; row < count;) {
      let rows = 1, bytes = store.kept[row];
      while (row + rows < count && rows < FETCH_ROWS && bytes + store.kept[row + rows] < 16e6) bytes += store.kept[row + rows++];
      const got = await this.fetchRows(store, row, rows);
      blob.set(got.subarray(0, bytes), at);
      at += bytes;
      row += rows;
    }
    if (store.count === count) store.blob = blob;
  }

  // The list of traces on the left.
  traces(list) {
    this.list = list;
    const root = byId("traces");
    root.hidden = false;
    root.replaceChildren(el("h2", {}, "sessions", el("span", {class: "dim"}, " " + visible(list.folder || ""))),
      ...list.traces.map((trace) => el("button", {type: "button", class: "trace", "data-trace": trace.id,
        on: {click: () => this.open(trace.id).catch((error) => this.app.fail(error))}},
      el("span", {class: "name"}, el("bdi", {}, visible(trace.title || trace.name)), el("span", {class: "state"},
        endingOf(trace).bad ? el("span", {class: "bad"}, visible(endingOf(trace).text)) : null,
        trace.failed ? el("span", {class: "bad"}, `${trace.failed} failed`) : null,
        trace.open ? el("span", {class: "slow"}, `${trace.open} open`) : null,
        trace.live ? el("b", {class: "live"}, "live") : null)),
      // Where the title does not tell sessions apart.
      trace.title && !trace.name.startsWith(trace.title) ? el("span", {class: "dim"}, el("bdi", {}, visible(trace.name))) : null,
      el("span", {class: "dim"}, [trace.start ? utc(trace.start).slice(0, 16) : "",
        trace.messages !== undefined ? counted(trace.messages, "message") : size(trace.size || 0)].filter(Boolean).join(", ")))),
      list.more ? el("p", {class: "dim"}, `and ${grouped(list.more)} more`) : "",
      list.traces.length === 0 ? el("p", {class: "dim"}, "none yet") : "");
    this.mark();
    if (this.waiting && list.traces.length > 0) {
      this.waiting = false;
      this.open(list.traces[0].id).catch((error) => this.app.fail(error));
    }
  }
  mark() {
    for (const item of document.querySelectorAll("#traces .trace")) {
      item.setAttribute("aria-current", item.dataset.trace === this.trace ? "true" : "false");
    }
  }
}
