// The timeline: lanes on a canvas, what part of the session they show, and how wheel, drag and keys change that.
// What is drawn in a lane: 42_marks.js.

const MINIMAP = 22, AXIS = 18, GUTTER = 68;

class Timeline {
  constructor(app, root) {
    this.app = app;
    this.canvas = el("canvas", {tabindex: "0", role: "img", "aria-label": "Timeline of calls"});
    this.tip = el("div", {class: "tip", hidden: true});
    this.mode = button("", "Axis: by time or by order (o)", () => this.toggleAxis(), {class: "axis"});
    this.axes = ["time", "order"].map((name) => el("span", {}, name));
    this.mode.append(...this.axes);
    root.append(this.canvas, this.mode, this.tip);
    this.root = root;
    this.byOrder = false;
    this.frame = 0;
    new ResizeObserver(() => this.draw()).observe(root);
    this.listen();
  }

  setRows(store, first, last) {
    this.store = store;
    this.first = first;
    this.last = last;
    this.timed = first < last && store.hasTimes(first);
    this.mode.hidden = !this.timed;
    const session = store.sessions[store.session[first] || 0];
    const byTime = this.timed && !this.byOrder;
    this.position = byTime ? (row) => store.at[row] : (row) => row - first;
    let end = byTime ? Math.max(session ? session.duration : 0, 1) : Math.max(last - first, 1);
    for (let row = last - 1; row >= Math.max(first, last - 100); --row) end = Math.max(end, this.position(row));
    const followed = this.end !== undefined && this.to >= this.end;
    this.end = end;
    Object.assign(this, makeLanes(store, first, last, this.position, end));
    if (this.shown !== session || this.wasByTime !== byTime) {
      this.from = 0;
      this.to = end;
    } else if (followed) {
      // Live: the view follows while it is at the end.
      if (this.from > 0) this.from += end - this.to;
      this.to = end;
    }
    this.shown = session;
    this.wasByTime = byTime;
    this.axes.forEach((name, i) => name.classList.toggle("chosen", i === (this.byOrder ? 1 : 0)));
    this.mode.setAttribute("aria-label", `Axis: by ${this.byOrder ? "order" : "time"}`);
    this.draw();
  }

  toggleAxis() {
    if (!this.timed) return;
    this.byOrder = !this.byOrder;
    this.setRows(this.store, this.first, this.last);
  }

  draw() {
    if (this.frame || !this.lanes) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }

  colours() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue("--" + name).trim();
    return Object.fromEntries(["ground", "panel", "line", "text", "dim", "red", "amber", "accent", "there", "back",
      "there-mark", "back-mark", "amber-fill", "grey"].map((name) => [name, of(name)]));
  }

  // Geometry of the lanes, given the height.
  layout(height) {
    const top = MINIMAP + AXIS;
    const laneHeight = Math.max(2, Math.min(20, (height - top - 4) / Math.max(1, this.lanes.length)));
    return {top, laneHeight};
  }
  x(position) { return GUTTER + (position - this.from) / (this.to - this.from) * this.plot; }
  at(x) { return this.from + (x - GUTTER) / this.plot * (this.to - this.from); }

  paint() {
    const width = this.root.clientWidth, height = this.root.clientHeight;
    if (width < 20 || height < 10) return;
    const ratio = window.devicePixelRatio || 1;
    this.width = width;
    this.plot = Math.max(10, width - GUTTER - 10);
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const g = this.canvas.getContext("2d");
    const c = this.colours();
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.fillStyle = c.ground;
    g.fillRect(0, 0, width, height);
    g.font = "11px system-ui, sans-serif";
    g.textBaseline = "middle";
    this.paintMinimap(g, c);
    if (height < MINIMAP + AXIS + 10) return;
    this.paintAxis(g, c, height);
    const {top, laneHeight} = this.layout(height);
    this.lanes.forEach((lane, i) => {
      const y = top + i * laneHeight;
      if (lane.name && laneHeight > 9) {
        g.fillStyle = c.dim;
        g.fillText(lane.name, 8, y + laneHeight / 2);
      }
      if (i === this.calls) {
        g.fillStyle = c.line;
        g.fillRect(0, Math.round(y), width, 1);
      }
      const gap = laneHeight > 4 ? 1 : 0;
      this.paintLane(g, c, lane, y + gap, laneHeight - 2 * gap, i < this.calls);
    });
    this.paintSelected(g, c, top, laneHeight, height);
  }

  paintMinimap(g, c) {
    g.fillStyle = c.panel;
    g.fillRect(GUTTER, 0, this.plot, MINIMAP);
    const {positions} = this;
    const columns = Math.floor(this.plot / 2);
    const counts = [];
    let most = 1, before = 0;
    for (let i = 0; i < columns; ++i) {
      const to = lowerBound(positions, (i + 1) / columns * this.end, i === columns - 1, before);
      counts.push(to - before);
      most = Math.max(most, to - before);
      before = to;
    }
    g.fillStyle = c.grey;
    counts.forEach((count, i) => {
      if (count === 0) return;
      const high = Math.max(2, Math.sqrt(count / most) * (MINIMAP - 4));
      g.fillRect(GUTTER + i * 2, MINIMAP - high, 1.5, high);
    });
    g.fillStyle = c.red;
    for (const lane of this.lanes) {
      let last = -9;
      for (let i = 0; i < columns; ++i) {
        const a = lowerBound(lane.from, i / columns * this.end);
        const b = lowerBound(lane.from, (i + 1) / columns * this.end, i === columns - 1);
        if (lane.failed[b] > lane.failed[a] && i > last) g.fillRect(GUTTER + i * 2, 0, 2, 4);
        if (lane.failed[b] > lane.failed[a]) last = i;
      }
    }
    const from = GUTTER + this.from / this.end * this.plot, to = GUTTER + this.to / this.end * this.plot;
    g.fillStyle = c.accent;
    g.globalAlpha = 0.12;
    if (this.to - this.from < this.end * 0.999) g.fillRect(from, 0, Math.max(2, to - from), MINIMAP);
    g.globalAlpha = 1;
    if (this.to - this.from < this.end * 0.999) {
      g.strokeStyle = c.accent;
      g.strokeRect(from + 0.5, 0.5, Math.max(2, to - from) - 1, MINIMAP - 1);
    }
    g.fillStyle = c.line;
    g.fillRect(0, MINIMAP, this.width, 1);
  }

  paintAxis(g, c, height) {
    const byTime = this.wasByTime;
    const room = this.to - this.from;
    const raw = room / Math.max(2, this.plot / 110);
    const power = 10 ** Math.floor(Math.log10(raw));
    let step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw);
    if (!byTime) step = Math.max(1, Math.round(step));
    g.textAlign = "center";
    for (let tick = Math.ceil(this.from / step) * step; tick <= this.to; tick += step) {
      const x = this.x(tick);
      g.fillStyle = c.line;
      g.fillRect(Math.round(x), MINIMAP + AXIS - 4, 1, height);
      g.fillStyle = c.dim;
      const label = byTime ? this.tickLabel(tick, step) : this.orderLabel(tick);
      const wide = g.measureText(label).width / 2;
      if (x - wide > GUTTER - 20 && x + wide < this.width) g.fillText(label, x, MINIMAP + AXIS / 2);
    }
    g.textAlign = "left";
  }

  tickLabel(ns, step) {
    if (ns === 0) return "0";
    const [unit, one] = step >= 1e8 ? ["s", 1e9] : step >= 1e5 ? ["ms", 1e6] : step >= 100 ? ["us", 1e3] : ["ns", 1];
    const digits = Math.max(0, -Math.floor(Math.log10(step / one) + 1e-9));
    return (ns / one).toFixed(digits) + unit;
  }
  orderLabel(place) {
    const row = this.first + place;
    const number = row < this.last ? this.store.number[row] : 0;
    return number > 0 ? "#" + number : "";
  }

  // Where a row is drawn: the bar of its call, or its tick.
  placeOf(row) {
    if (row < this.first || row >= this.last) return null;
    const {store} = this;
    const call = store.isAnswer(row) ? store.request(row) : row;
    if (call >= 0 && this.laneOf.has(call)) {
      const answer = store.answer[call];
      return {lane: this.laneOf.get(call), from: this.position(call),
        to: answer < 0 ? this.end : this.position(answer), call};
    }
    for (let lane = this.calls; lane < this.lanes.length; ++lane) {
      const {from, rows} = this.lanes[lane];
      for (let i = lowerBound(from, this.position(row)); i < rows.length && from[i] === this.position(row); ++i) {
        if (rows[i] === row) return {lane, from: from[i], to: from[i], call: -1};
      }
    }
    return null;
  }

  paintSelected(g, c, top, laneHeight, height) {
    const place = this.placeOf(this.app.selected);
    if (!place) return;
    const right = GUTTER + this.plot;
    const x = Math.max(GUTTER - 1, this.x(place.from)), to = Math.min(right, this.x(place.to));
    if (x > right || to < GUTTER - 1) return;
    g.fillStyle = c.accent;
    g.fillRect(Math.round(this.x(this.position(this.app.selected))), MINIMAP, 1, height - MINIMAP);
    g.strokeStyle = c.accent;
    g.lineWidth = 2;
    g.strokeRect(x - 1, top + place.lane * laneHeight, Math.max(4, to - x + 1), laneHeight);
    g.lineWidth = 1;
  }

  zoom(factor, x = GUTTER + this.plot / 2) {
    const middle = this.at(x);
    const least = this.wasByTime ? 1000 : 4;
    const room = Math.max(least, Math.min(this.end, (this.to - this.from) * factor));
    const share = (middle - this.from) / (this.to - this.from);
    this.show(middle - share * room, middle + (1 - share) * room);
  }
  pan(share) {
    const by = (this.to - this.from) * share;
    this.show(this.from + by, this.to + by);
  }
  show(from, to) {
    const room = Math.min(this.end, to - from);
    this.from = Math.max(0, Math.min(this.end - room, from));
    this.to = this.from + room;
    this.draw();
  }
  all() { this.show(0, this.end); }
  zoomTo(row) {
    const place = this.placeOf(row);
    if (!place) return;
    const room = Math.max(place.to - place.from, this.end / 5000, this.wasByTime ? 1000 : 4) * 1.6;
    const middle = (place.from + Math.min(place.to, this.end)) / 2;
    this.show(middle - room / 2, middle + room / 2);
  }
  // Moves the view so that the row is in it.
  reveal(row) {
    const place = this.placeOf(row);
    if (place) {
      const at = this.position(row), room = this.to - this.from;
      if (at < this.from || at > this.to) this.show(at - room / 2, at + room / 2);
    }
    this.draw();
  }

  listen() {
    const {canvas} = this;
    let drag = null;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const by = Math.max(-300, Math.min(300, event.deltaX + event.deltaY));
      if (sideways) this.pan(by / 1000); else this.zoom(Math.exp(by / 400), Math.max(GUTTER, event.offsetX));
    }, {passive: false});
    canvas.addEventListener("pointerdown", (event) => {
      const onMap = event.offsetY < MINIMAP;
      drag = {x: event.offsetX, from: this.from, to: this.to, moved: false, onMap};
      canvas.setPointerCapture(event.pointerId);
      if (onMap) this.centreOn(event.offsetX);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!drag) {
        this.hover(event);
        return;
      }
      const by = event.offsetX - drag.x;
      if (Math.abs(by) > 3) drag.moved = true;
      if (drag.onMap) {
        this.centreOn(event.offsetX);
      } else if (drag.moved) {
        const shift = by / this.plot * (drag.to - drag.from);
        this.show(drag.from - shift, drag.to - shift);
      }
    });
    canvas.addEventListener("pointerup", (event) => {
      if (drag && !drag.moved && !drag.onMap) {
        const mark = this.hit(event.offsetX, event.offsetY);
        if (mark) this.app.select(mark.row, {jump: true});
      }
      drag = null;
    });
    canvas.addEventListener("dblclick", (event) => {
      const mark = this.hit(event.offsetX, event.offsetY);
      if (mark) this.zoomTo(mark.row); else this.all();
    });
    canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
  }

  centreOn(x) {
    const middle = (x - GUTTER) / this.plot * this.end, room = this.to - this.from;
    this.show(middle - room / 2, middle + room / 2);
  }
}
