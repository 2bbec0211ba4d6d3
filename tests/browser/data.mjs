// Data of a page, written by hand: what view/page/DATA.md describes.
const TEXTS = ["method", "label", "id", "failure", "error", "remarks"];
const COLUMNS = ["kind", "number", "at", "dir", ...TEXTS.slice(0, 3), "pair", "parent", "failure", "code", "error", "size",
  "header", "body", "remarks", "flags"];

export class Data {
  constructor(session = {}) {
    this.strings = [""];
    this.rows = {count: 0};
    for (const name of COLUMNS) this.rows[name] = [];
    this.blob = [];
    this.before = 0;
    this.numbered = 0;
    this.session = {trace: "by-hand.pcapng", title: "by-hand", command: "by-hand --flag", dialect: "mcp",
      start: "1763722147123456789", ended: true, exit: "exit 0", ...session};
    this.extra = {};
  }

  text(value) {
    const at = this.strings.indexOf(value);
    return at >= 0 ? at : this.strings.push(value) - 1;
  }

  // Returns the number of the row. `body`: text or bytes; the rest are columns.
  add(row) {
    const body = row.body === undefined ? Buffer.alloc(0) : Buffer.from(row.body);
    const message = row.kind < 6 && !((row.flags || 0) & 2);
    const bytes = message ? Buffer.concat([body, Buffer.from("\n")]) : body;
    const at = row.at === undefined ? this.before + 1000000 : row.at;
    const full = {dir: 2, number: message ? ++this.numbered : 0, code: null, ...row, size: bytes.length, body: body.length, at: at - this.before};
    this.before = at;
    for (const name of COLUMNS) this.rows[name].push(TEXTS.includes(name) ? this.text(full[name] || "") : full[name] ?? 0);
    this.blob.push(bytes);
    return this.rows.count++;
  }
  request(method, params = {}, more = {}) {
    const id = String(this.rows.count);
    return this.add({kind: 0, dir: 0, method, id, body: JSON.stringify({jsonrpc: "2.0", id: Number(id), method, params}), ...more});
  }
  answer(request, result = {}, more = {}) {
    const method = this.strings[this.rows.method[request]];
    const id = this.strings[this.rows.id[request]];
    return this.add({kind: 1, dir: 1 - this.rows.dir[request], method, id, label: this.strings[this.rows.label[request]],
      pair: this.rows.count - request, body: JSON.stringify({jsonrpc: "2.0", id: Number(id), result}), ...more});
  }

  index() {
    return {format: 1, midwire: "0.2.0", strings: this.strings, rows: this.rows, ...this.extra,
      sessions: [{...this.session, first: 0, count: this.rows.count, duration: this.before}, ...(this.extra.sessions || [])]};
  }
  bytes() { return Buffer.concat(this.blob); }
}

// A session with a nested call, a failure, a call without an answer, stderr, a handle and a finding.
export function small() {
  const data = new Data();
  data.add({kind: 7, at: 0, label: "spawn by-hand --flag (pid 12)"});                              // row 0
  const start = data.request("initialize", {}, {at: 1000000});                                     // #1, row 1
  data.answer(start, {ok: true}, {at: 3000000});                                                   // #2, row 2
  data.request("tools/call", {name: "slow"}, {label: "slow", at: 4000000});           // #3, row 3
  const back = data.request("roots/list", {}, {dir: 1, parent: 1, at: 5000000});                   // #4, row 4
  data.answer(back, {roots: []}, {at: 6000000});                                                   // #5, row 5
  data.add({kind: 8, at: 6500000, body: "a line of stderr"});                                      // row 6
  data.add({kind: 2, dir: 1, method: "tools/call", label: "slow", id: "3", pair: 4, at: 9000000,   // #6, row 7
    failure: "-32000 it broke", code: -32000, error: "it broke", flags: 1,
    body: '{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"it broke"}}'});
  data.request("thread/read", {threadId: "t-1"}, {at: 12000000});                                  // #7, row 8
  data.extra.handles = [{name: "thread", value: "t-1", rows: [2, 8], kinds: [0, 1]}];
  data.extra.findings = [{source: "check", severity: "must", row: 7, rule: "answer.shape", clause: "5.1",
    text: "the answer lacks a result", pointer: "/result", expected: "an object"}];
  data.session.checked = {dialect: "mcp", rules: 41};
  return data;
}
