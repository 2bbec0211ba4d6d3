// Which calls are drawn in which lane of the timeline. A call of the host has a lane that is free for as long as it
// is open; calls of the plugin that belong to it lie in the lanes below it, as deep as they nest.

const MOST_LANES = 60;  // more are calls that never end: they share the last lane

class Lane {
  constructor(name) {
    this.name = name;
    this.quiet = false;   // of no direction
    this.shared = false;  // its calls overlap: `to` is the end of all up to there, and a bar is no single call
    this.from = [];   // ascending positions
    this.to = [];
    this.rows = [];   // the request, or the row of a tick
    this.failed = [0];   // how many of the first n failed; so for the others
    this.pending = [0];
    this.back = [0];  // calls and ticks of the plugin
  }
  push(from, to, row, failed, pending, back) {
    const n = this.from.length;
    this.from.push(from);
    this.to.push(to);
    this.rows.push(row);
    this.failed.push(this.failed[n] + (failed ? 1 : 0));
    this.pending.push(this.pending[n] + (pending ? 1 : 0));
    this.back.push(this.back[n] + (back ? 1 : 0));
  }
  isPendingLast() {
    const n = this.rows.length;
    return n > 0 && this.pending[n] > this.pending[n - 1];
  }
}

// The first index with list[index] >= value, or > value if `after`.
function lowerBound(list, value, after = false, from = 0, to = list.length) {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (list[middle] < value || (after && list[middle] === value)) from = middle + 1; else to = middle;
  }
  return from;
}

// position(row): where the row is on the axis: ns of the session, or its place in the order of rows.
function makeLanes(store, first, last, position, end) {
  const calls = [], notices = [new Lane("\u2192 notices"), new Lane("\u2190 notices")];
  const log = new Lane("log");
  log.quiet = true;
  const laneOf = new Map();
  const free = [];  // by lane: until when it is taken
  const take = (row, from, to, least) => {
    let lane = least;
    while (lane < MOST_LANES - 1 && free[lane] !== undefined && free[lane] > from) ++lane;
    while (calls.length <= lane) calls.push(new Lane(""));
    const overlaps = free[lane] > from;
    calls[lane].shared = calls[lane].shared || overlaps;
    free[lane] = Math.max(free[lane] || 0, to);
    const failed = store.answer[row] >= 0 && store.isFailed(store.answer[row]);
    const pending = store.isPending(row) || overlaps && calls[lane].isPendingLast();
    calls[lane].push(from, free[lane], row, failed, pending, store.dir[row] === 1);
    laneOf.set(row, lane);
  };
  const order = [];
  for (let row = first; row < last; ++row) order.push(row);
  // Lines of stderr and events may come with times before those of the rows above them.
  order.sort((a, b) => position(a) - position(b) || a - b);
  for (const row of order) {
    const kind = store.kind[row];
    const from = position(row);
    if (kind === REQUEST) {
      const answer = store.answer[row];
      const to = answer >= 0 ? Math.max(from, position(answer)) : end;
      const parent = store.parentOf(row);
      take(row, from, to, parent >= 0 && laneOf.has(parent) ? laneOf.get(parent) + 1 : 0);
    } else if (kind === NOTIFICATION || kind >= BATCH && kind <= JUNK) {
      const lane = notices[store.dir[row] === 1 ? 1 : 0];
      lane.push(from, from, row, kind === 5 || store.isFailed(row), kind === JUNK || store.isUnread(row), store.dir[row] === 1);
    } else if (kind >= EVENT) {
      log.push(from, from, row, kind === DAMAGE, false, false);
    } else if (store.request(row) < 0) {
      notices[store.dir[row] === 1 ? 1 : 0].push(from, from, row, true, false, store.dir[row] === 1);
    }
  }
  if (calls.length > 0) calls[0].name = "calls";
  const lanes = [...calls, ...notices.filter((lane) => lane.rows.length > 0)];
  if (log.rows.length > 0) lanes.push(log);
  return {lanes, laneOf, calls: calls.length, positions: order.map(position)};
}
