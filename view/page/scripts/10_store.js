// The rows of a trace: the columns that C++ wrote (DATA.md), with differences summed up and pairs looked at from
// both sides. Nothing is decoded or paired here.

const KINDS = ["request", "response", "error", "notification", "batch", "invalid", "junk", "event", "stderr",
  "damage"];
const REQUEST = 0, RESPONSE = 1, ERROR = 2, NOTIFICATION = 3, BATCH = 4, JUNK = 6, EVENT = 7, STDERR = 8,
  DAMAGE = 9;
const FAILED = 1, ELEMENT = 2, CANCELLED = 4, VOLATILE = 8, ORPHAN = 16, UNREAD = 32;
const DIRECTIONS = ["h2p", "p2h", ""];
const ARROWS = ["\u2192", "\u2190", "\u00b7"];

// Columns and what a missing one holds. undefined: it must be there.
const COLUMNS = {
  kind: undefined, number: 0, at: 0, dir: 2, method: 0, label: 0, id: 0, pair: 0, parent: 0, failure: 0,
  code: null, error: 0, size: 0, header: 0, body: 0, remarks: 0, flags: 0,
};
const TEXTS = ["method", "label", "id", "failure", "error", "remarks"];

class Store {
  constructor(index) {
    if (index.format !== 1) throw new Error(`the data has format ${index.format}; this page reads format 1`);
    this.index = index;
    this.strings = [""];
    this.interned = new Map([["", 0]]);
    this.count = 0;
    this.base = index.from || 0;  // rows of the trace before the first one that is here
    for (const name of [...Object.keys(COLUMNS), "kept", "offset", "answer", "children", "session"]) {
      this[name] = [];
    }
    this.more = new Map();
    this.sessions = index.sessions.map((session) => ({...session}));
    this.end = 0;  // of the previous row in the blob
    this.blob = null;
    this.append(index.rows, index.strings);
    for (const [row, pieces] of Object.entries(index.rows.more || {})) this.more.set(Number(row), pieces);
    this.handlesOf = new Map();  // row -> handles
    this.handleOf = new Map();   // value -> handle
    for (const handle of index.handles || []) {
      this.handleOf.set(handle.value, handle);
      for (const row of handle.rows) {
        if (!this.handlesOf.has(row)) this.handlesOf.set(row, []);
        if (!this.handlesOf.get(row).includes(handle)) this.handlesOf.get(row).push(handle);
      }
    }
    this.findingsOf = new Map();
    this.findingsIn = this.sessions.map(() => []);
    for (const finding of index.findings || []) {
      if (!this.findingsOf.has(finding.row)) this.findingsOf.set(finding.row, []);
      this.findingsOf.get(finding.row).push(finding);
      const session = finding.row >= 0 && finding.row < this.count ? this.session[finding.row] : finding.session || 0;
      this.findingsIn[Math.min(session, this.sessions.length - 1)].push(finding);
    }
    this.changesOf = new Map();  // row -> what a comparison says about it
    for (const change of index.compare ? index.compare.changes : []) {
      for (const row of new Set([change.a, change.b])) {
        if (row < 0) continue;
        if (!this.changesOf.has(row)) this.changesOf.set(row, []);
        this.changesOf.get(row).push(change);
      }
    }
  }

  // Rows with text indices into `strings`.
  append(rows, strings) {
    const first = this.count;
    const map = strings.map((text) => this.intern(text));
    for (const [name, otherwise] of Object.entries(COLUMNS)) {
      const from = rows[name];
      if (!from && otherwise === undefined && rows.count > 0) throw new Error(`the data lacks column ${name}`);
      const to = this[name];
      const text = TEXTS.includes(name);
      for (let i = 0; i < rows.count; ++i) {
        const value = from ? from[i] : otherwise;
        to.push(text ? map[value] : value);
      }
    }
    this.count = first + rows.count;
    for (let row = first; row < this.count; ++row) {
      const session = this.sessionAt(row);
      this.session.push(session);
      if (row > 0 && this.session[row - 1] === session) this.at[row] += this.at[row - 1];
      const kept = rows.kept ? rows.kept[row - first] : this.size[row];
      const start = this.end + (rows.offset ? rows.offset[row - first] : 0);
      this.kept.push(kept);
      this.offset.push(start);
      this.end = start + kept;
      this.answer.push(-1);
      this.children.push(null);
      const request = row - this.pair[row];
      if (this.pair[row] > 0 && request >= 0) this.answer[request] = row;
      const parent = row - this.parent[row];
      if (this.parent[row] > 0 && parent >= 0) (this.children[parent] = this.children[parent] || []).push(row);
    }
  }

  intern(text) {
    let at = this.interned.get(text);
    if (at === undefined) {
      at = this.strings.push(text) - 1;
      this.interned.set(text, at);
    }
    return at;
  }

  sessionAt(row) {
    let at = this.sessions.length - 1;
    while (at > 0 && this.sessions[at].first > row) --at;
    return at;
  }

  text(column, row) { return this.strings[this[column][row]]; }
  isAnswer(row) { return this.kind[row] === RESPONSE || this.kind[row] === ERROR; }
  isMessage(row) { return this.kind[row] < JUNK; }
  isElement(row) { return (this.flags[row] & ELEMENT) !== 0; }
  request(row) { return this.pair[row] > 0 ? row - this.pair[row] : -1; }
  // The other end of a call; -1: none.
  other(row) { return this.isAnswer(row) ? this.request(row) : this.answer[row]; }
  parentOf(row) { return this.parent[row] > 0 ? row - this.parent[row] : -1; }
  isFailed(row) {
    return this.failure[row] !== 0 || (this.flags[row] & FAILED) !== 0 || this.kind[row] === ERROR;
  }
  isCancelled(row) { return (this.flags[row] & CANCELLED) !== 0; }
  // A call without an answer; one that was cancelled needs none, so it is not pending.
  isOpen(row) { return this.kind[row] === REQUEST && this.answer[row] < 0; }
  isPending(row) { return this.isOpen(row) && !this.isCancelled(row); }
  // Its reader closed the stream before it had read it.
  isUnread(row) { return (this.flags[row] & UNREAD) !== 0 && this.answer[row] < 0 && !this.isCancelled(row); }
  hasTimes(row) { return this.sessions[this.session[row]].times !== false; }
  // ns; -1: none.
  latency(row) {
    if (row < 0) return -1;
    const request = this.request(row);
    return request < 0 || !this.hasTimes(row) ? -1 : Math.max(0, this.at[row] - this.at[request]);
  }
  // The row of a message number in a session; -1: none.
  rowOf(session, wanted) {
    const {first} = this.sessions[session];
    for (let row = first; row < this.lastRow(session); ++row) {
      if (this.number[row] === wanted && !this.isElement(row)) return row;
    }
    return -1;
  }
  lastRow(session) {
    const next = this.sessions[session + 1];
    return Math.min(this.count, next ? next.first : this.count);
  }

  // What of the row is here: [from, to) in the blob.
  pieces(row) {
    const further = this.more.get(row) || [];
    const rest = further.reduce((sum, piece) => sum + piece[1], 0);
    return [[this.offset[row], this.kept[row] - rest], ...further];
  }

  slice(row) {
    const pieces = this.pieces(row);
    if (pieces.length === 1) return this.blob.subarray(pieces[0][0], pieces[0][0] + pieces[0][1]);
    const bytes = new Uint8Array(this.kept[row]);
    let at = 0;
    for (const [from, length] of pieces) {
      bytes.set(this.blob.subarray(from, from + length), at);
      at += length;
    }
    return bytes;
  }

  // The row's bytes, as a promise: in the live view the server has them.
  async bytes(row) {
    if (this.fetchBytes) return this.fetchBytes(row);
    await this.ready;
    return this.slice(row);
  }
  // The part of the row's bytes that is its body.
  bodyOf(row, bytes) {
    if (!this.isMessage(row)) return bytes;
    return bytes.subarray(this.header[row], this.header[row] + this.body[row]);
  }
}

async function inflate(base64) {
  const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(base64) : fromBase64(base64);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function fromBase64(base64) {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
