// The marks of a lane: for each column of pixels at most one, found by binary search; sums over the rows before say
// whether a column holds a failure. So a frame costs pixels, not messages. What begins in one column shares a mark,
// which has no name: only a bar that is one call is named after it.

const NEAR = 5;        // pixels within which a mark is under the pointer
const NARROW = 2;      // width of a mark that is no bar
const LEAST_BAR = 5;   // narrower ones need a stronger tone to be seen
const LEAST_NAMED = 24;   // narrower ones have no room for a name
const LEAST_LETTERS = 3;  // of a name that is cut: less says nothing

// The first of the texts that fits into `room` pixels, else as much of the last one as does.
function fitted(g, texts, room) {
  for (const text of texts) if (g.measureText(text).width <= room) return text;
  const last = texts[texts.length - 1];
  for (let letters = Math.min(last.length - 1, Math.floor(room / 3)); letters >= LEAST_LETTERS; --letters) {
    const text = last.slice(0, letters) + "\u2026";
    if (g.measureText(text).width <= room) return text;
  }
  return "";
}

Object.assign(Timeline.prototype, {
  // f(i, next, x, to): the rows of the lane from index i up to `next` are one mark from x to `to`. From left to right.
  eachMark(lane, isCalls, f) {
    const right = GUTTER + this.plot;
    const endOf = (i) => (!isCalls ? 0 : this.store.isOpen(lane.rows[i]) ? right : Math.min(right, this.x(lane.to[i])));
    let edge = GUTTER;  // what is left of it is drawn
    let i = Math.max(0, lowerBound(lane.from, this.from) - 1);
    while (i < lane.rows.length && lane.from[i] <= this.to) {
      if (this.x(lane.to[i]) < GUTTER) {
        ++i;
        continue;
      }
      const x = Math.max(edge, this.x(lane.from[i]));
      const next = Math.max(i + 1, lowerBound(lane.from, this.at(x + 1), false, i));
      const last = next - 1;
      edge = x + 1;
      if (last > i && endOf(last) > x + NARROW + LEAST_BAR) {
        // The last one goes on where the others have ended: it has a bar of its own.
        f(i, last, x, x + NARROW);
        f(last, next, x + NARROW, endOf(last));
      } else {
        f(i, next, x, Math.max(x + NARROW, endOf(last)));
      }
      i = next;
    }
  },

  paintLane(g, c, lane, y, high, isCalls) {
    const middle = y + high / 2;
    this.eachMark(lane, isCalls, (i, next, x, to) => {
      const has = (sums) => sums[next] > sums[i];
      const wide = isCalls ? Math.max(NARROW, to - x - 0.5) : NARROW;
      const tone = wide < LEAST_BAR ? "-mark" : "";
      g.fillStyle = has(lane.failed) ? c.red : has(lane.pending) ? (tone ? c.amber : c["amber-fill"])
        : lane.quiet ? c.dim : c[(has(lane.back) ? "back" : "there") + tone];
      if (isCalls) {
        const row = next - i > 1 || lane.shared ? -1 : lane.rows[i];
        this.paintCall(g, c, row, x, y, wide, high, has(lane.failed));
      } else {
        g.fillRect(x - 1, high > 8 ? middle - 4 : y, wide, Math.max(2, Math.min(8, high)));
      }
    });
  },

  // row: of the one call that the bar is; -1: it is several.
  paintCall(g, c, row, x, y, wide, high, failed) {
    const {store} = this;
    g.fillRect(x, y, wide, high);
    if (row < 0) return;
    if (store.isOpen(row) && wide > 6) {
      // An open end: it fades into stripes at the right edge.
      g.fillStyle = c.ground;
      for (let at = x + wide - 2; at > x + wide - 14 && at > x + 4; at -= 4) g.fillRect(at, y, 2, high);
    }
    if (wide < LEAST_NAMED || high < 11) return;
    // Where both do not fit, the label says more: that it is a call of a tool is often true of all of them.
    const arrow = store.dir[row] === 1 ? "\u2190 " : "";
    const names = [store.text("method", row), store.text("label", row)].filter(Boolean).map((text) => cut(visible(text), 120));
    if (names.length === 0) return;
    g.fillStyle = failed ? c.ground : c.text;
    g.fillText(fitted(g, [arrow + names.join(" "), arrow + names[names.length - 1]], wide - (store.isOpen(row) ? 20 : 8)), x + 4, y + high / 2 + 0.5);
  },

  // The mark under a point: its row (of several: the first that failed, else the first), how many rows it is, how
  // many of them failed, and what they are. null: none.
  hit(x, y) {
    const {top, laneHeight} = this.layout(this.root.clientHeight);
    const index = Math.floor((y - top) / laneHeight);
    const lane = this.lanes[index];
    if (!lane || x < GUTTER - 4) return null;
    const isCalls = index < this.calls;
    if (lane.shared) {
      const open = this.openAt(lane, this.at(x));
      if (open.length > 0) return this.markOf(open, "call");
    }
    let near = NEAR, found = null;
    this.eachMark(lane, isCalls, (i, next, from, to) => {
      const away = Math.max(0, from - x, x - to);
      if (away > near) return;
      near = away;
      found = [i, next];
    });
    if (!found) return null;
    return this.markOf(lane.rows.slice(...found), isCalls ? "call" : "row");
  },

  markOf(rows, noun) {
    const {store} = this;
    const failed = rows.filter((row) => store.isFailed(row) || store.answer[row] >= 0 && store.isFailed(store.answer[row]));
    return {row: failed.length > 0 ? failed[0] : rows[0], count: rows.length, failed: failed.length, noun};
  },

  // The calls of a shared lane that are open at a position.
  openAt(lane, position) {
    const {answer} = this.store;
    const end = (row) => (answer[row] < 0 ? this.end : this.position(answer[row]));
    return lane.rows.filter((row, i) => lane.from[i] <= position && position <= end(row));
  },

  hover(event) {
    const mark = this.hit(event.offsetX, event.offsetY);
    this.canvas.style.cursor = mark ? "pointer" : "default";
    this.tip.hidden = !mark;
    if (!mark) return;
    this.tip.textContent = mark.count === 1 ? this.app.describe(mark.row)
      : counted(mark.count, mark.noun) + (mark.failed > 0 ? `, ${grouped(mark.failed)} failed` : "");
    const left = Math.min(event.offsetX + 12, this.width - this.tip.offsetWidth - 8);
    this.tip.style.left = Math.max(4, left) + "px";
    const below = event.offsetY + 18;
    const above = event.offsetY - this.tip.offsetHeight - 8;
    this.tip.style.top = (below + this.tip.offsetHeight > this.root.clientHeight && above > 0 ? above : below) + "px";
  },
});
