// Texts in the bytes of all rows.

// One row as the filter sees it.
class RowLine {
  constructor(store) {
    this.store = store;
    this.row = 0;
  }
  get kind() { return KINDS[this.store.kind[this.row]]; }
  get dir() { return DIRECTIONS[this.store.dir[this.row]] || undefined; }
  get number() {
    return this.store.isMessage(this.row) && !this.store.isElement(this.row) ? this.store.number[this.row]
      : undefined;
  }
  get method() {
    const text = this.store.text("method", this.row);
    return text === "" ? undefined : text;
  }
  get label() {
    const text = this.store.isMessage(this.row) ? this.store.text("label", this.row) : "";
    return text === "" ? undefined : text;
  }
  get failed() { return this.store.isFailed(this.row); }
  get id() { return this.store.id[this.row] === 0 ? undefined : this.store.text("id", this.row); }
  get size() {
    const kind = this.store.kind[this.row];
    return kind === EVENT || kind === DAMAGE || kind === STDERR || this.store.isElement(this.row) ? undefined
      : this.store.size[this.row];
  }
  get latency() {
    const latency = this.store.latency(this.store.kind[this.row] === REQUEST ? this.store.answer[this.row] : this.row);
    return latency < 0 ? undefined : latency;
  }
  get unanswered() { return this.store.isPending(this.row); }
  get open() {
    if (!this.store.isOpen(this.row) || !this.store.hasTimes(this.row)) return undefined;
    const session = this.store.sessions[this.store.session[this.row]];
    return Math.max(0, session.duration - this.store.at[this.row]);
  }
  get at() { return this.store.hasTimes(this.row) ? this.store.at[this.row] : undefined; }
  get code() {
    const code = this.store.code[this.row];
    return code === null ? undefined : code;
  }
  get error() {
    return this.store.kind[this.row] === ERROR ? this.store.text("error", this.row) : undefined;
  }
  holds(bytes) { return this.store.blob !== null && this.searched().find(bytes, this.row) >= 0; }
  searched() { return this.store.searcher || (this.store.searcher = new Searcher(this.store)); }
}

// The blob as one string with a character for each byte, so that a search runs at the speed of indexOf.
class Searcher {
  constructor(store) {
    this.store = store;
    this.decoder = new TextDecoder("windows-1252");
    this.text = this.decoder.decode(store.blob);
  }

  needle(bytes) { return this.decoder.decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0))); }

  // Where in the row's body `bytes` are; -1: nowhere.
  find(bytes, row) {
    const {store} = this;
    const needle = this.needle(bytes);
    if (store.more.has(row)) {
      const body = store.bodyOf(row, store.slice(row));
      return this.decoder.decode(body).indexOf(needle);
    }
    const from = store.offset[row] + store.header[row];
    const length = store.isMessage(row) ? Math.min(store.body[row], store.kept[row] - store.header[row])
      : store.kept[row];
    // slice() of a flat string copies nothing; indexOf without it would search to the end of the blob.
    return this.text.slice(from, from + Math.max(0, length)).indexOf(needle);
  }
}
