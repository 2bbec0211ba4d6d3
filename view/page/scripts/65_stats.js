// Counts and latencies per method and label of the rows that the filter leaves.

const BINS = 20;
const MOST_NAME = 200;  // of a method or a label: the numbers behind it must stay in sight

function percentile(sorted, percent) {
  return sorted.length === 0 ? -1 : sorted[Math.max(0, Math.ceil(sorted.length * percent / 100) - 1)];
}

// The most calls that were open at once.
function concurrency(store, rows) {
  const changes = [];
  for (const row of rows) {
    if (store.kind[row] !== REQUEST) continue;
    changes.push([row, 1]);
    if (store.answer[row] >= 0) changes.push([store.answer[row], -1]);
  }
  changes.sort((a, b) => a[0] - b[0]);
  let open = 0, most = 0;
  for (const [, by] of changes) most = Math.max(most, open += by);
  return most;
}

function tally(store, rows, byLabel) {
  const methods = new Map();
  for (const row of rows) {
    if (!store.isMessage(row) || store.kind[row] === BATCH || store.kind[row] === 5) continue;
    const request = store.isAnswer(row) ? store.request(row) : row;
    if (request < 0) continue;
    const label = byLabel ? store.label[row] : 0;
    const key = `${store.dir[request]} ${store.method[row]} ${label}`;
    if (!methods.has(key)) {
      methods.set(key, {dir: store.dir[request], method: store.text("method", row), label: byLabel ? store.text("label", row) : "",
        calls: 0, notices: 0, failed: 0, pending: 0, bytes: 0, latencies: [], first: row});
    }
    const entry = methods.get(key);
    entry.bytes += store.size[row];
    if (store.kind[row] === REQUEST) ++entry.calls;
    if (store.kind[row] === NOTIFICATION) ++entry.notices;
    if (store.isPending(row)) ++entry.pending;
    if (store.isAnswer(row)) {
      if (store.isFailed(row)) ++entry.failed;
      const latency = store.latency(row);
      if (latency >= 0) entry.latencies.push(latency);
    }
  }
  for (const entry of methods.values()) {
    entry.latencies.sort((a, b) => a - b);
    for (const percent of [50, 90, 99, 100]) entry["p" + percent] = percentile(entry.latencies, percent);
  }
  return [...methods.values()];
}

class Stats {
  constructor(app) {
    this.app = app;
    this.byLabel = true;
    this.order = "calls";
    this.root = el("div", {class: "scroll page", tabindex: "0", role: "group", "aria-label": "Statistics"});
  }

  show() {
    const {store, rows} = this.app;
    const entries = tally(store, rows, this.byLabel);
    if (entries.length === 0) {
      this.root.replaceChildren(empty("No calls and no notifications to count."));
      return;
    }
    const value = (entry) => (this.order === "calls" ? entry.calls + entry.notices : entry[this.order]);
    entries.sort((a, b) => (this.order === "method" ? a.method.localeCompare(b.method) : value(b) - value(a)));
    const highest = Math.max(1, ...entries.map((entry) => entry.p100));
    const lowest = Math.max(1, Math.min(...entries.filter((e) => e.latencies.length > 0).map((e) => e.latencies[0])));
    const heads = [["", "", ""], ["method", "method", ""], ["calls", "calls", "n"], ["failed", "failed", "n"],
      ["pending", "pending", "n"], ["p50", "p50", "n"], ["p90", "p90", "n p90"], ["p99", "p99", "n p99"], ["p100", "max", "n"],
      ["", "spread", "s"], ["bytes", "bytes", "n"]];
    // What repeats the highest one is quiet: of few calls, all percentiles do.
    const time = (entry, percent) => {
      const ns = entry["p" + percent];
      return number(ns < 0 ? "" : duration(ns), {class: `n p${percent}${percent < 100 && ns === entry.p100 ? " dim" : ""}`});
    };
    const red = (n, kind) => number(n === 0 ? "" : grouped(n), {class: n > 0 ? "n " + kind : "n"});
    this.root.replaceChildren(el("div", {class: "over"}, this.totals(),
      button(this.byLabel ? "by method" : "by method and label", "Rows by method, or by method and label", () => {
        this.byLabel = !this.byLabel;
        this.show();
      }, {class: "more"})),
      el("table", {class: "table"},
        el("thead", {}, el("tr", {}, ...heads.map(([key, text, c]) => el("th", {class: c, scope: "col",
          "aria-sort": key !== "" && key === this.order ? (key === "method" ? "ascending" : "descending") : null},
        key === "" ? text || el("span", {class: "offscreen"}, "direction") : button(text, "Sort by " + text, () => {
          this.order = key;
          this.show();
        }))))),
        el("tbody", {}, ...entries.slice(0, 500).map((entry) => el("tr", {},
          el("td", {class: "d"}, ARROWS[entry.dir]),
          el("td", {class: "m"}, button(el("span", {}, ...broken(visible(cut(entry.method, MOST_NAME)) || "\u2013")), "Show only these messages", () =>
            this.app.setFilter(this.filterOf(entry), "messages"), {class: "link"}), " ",
          entry.label ? el("bdi", {class: "label"}, visible(cut(entry.label, MOST_NAME))) : null),
          number(grouped(entry.calls + entry.notices)), red(entry.failed, "bad"), red(entry.pending, "slow"),
          ...[50, 90, 99, 100].map((percent) => time(entry, percent)),
          el("td", {class: "s"}, this.spread(entry.latencies, lowest, highest)),
          number(grouped(entry.bytes)))))),
      entries.length > 500 ? el("p", {class: "dim"}, `and ${grouped(entries.length - 500)} more`) : "");
  }

  filterOf(entry) {
    const quote = (text) => (/^[\w\/.$-]+$/.test(text) ? text : '"' + text.replace(/["\\]/g, "\\$&") + '"');
    return entry.method === "" ? "kind=notification" : "method=" + quote(entry.method);
  }

  totals() {
    const {store, rows} = this.app;
    const sum = [{messages: 0, bytes: 0}, {messages: 0, bytes: 0}];
    let pending = 0, failed = 0;
    for (const row of rows) {
      if (store.dir[row] < 2 && !store.isElement(row)) {
        if (store.isMessage(row)) ++sum[store.dir[row]].messages;
        sum[store.dir[row]].bytes += store.size[row];
      }
      if (store.isPending(row)) ++pending;
      if (store.isFailed(row)) ++failed;
    }
    return el("dl", {class: "totals"},
      ...sum.map((side, i) => fact(["host \u2192 plugin", "plugin \u2192 host"][i], `${counted(side.messages, "message")}, ${size(side.bytes)}`)),
      fact("most calls open at once", String(concurrency(store, rows))),
      failed > 0 ? fact("failed", grouped(failed)) : null, pending > 0 ? fact("pending", grouped(pending)) : null);
  }

  // How latencies are spread, on a logarithmic scale that all rows share.
  spread(latencies, lowest, highest) {
    if (latencies.length === 0) return "";
    const bins = new Array(BINS).fill(0);
    const range = Math.log(highest / lowest) || 1;
    for (const latency of latencies) {
      const share = Math.log(Math.max(latency, lowest) / lowest) / range;
      ++bins[Math.max(0, Math.min(BINS - 1, Math.floor(share * BINS)))];
    }
    const most = Math.max(...bins);
    const drawing = svg("svg", {viewBox: `0 0 ${BINS * 4} 16`, width: BINS * 4, height: 16, role: "img",
      "aria-label": `${grouped(latencies.length)} answers from ${duration(latencies[0])} to ${duration(latencies[latencies.length - 1])}`});
    drawing.append(svg("rect", {x: 0, y: 15.5, width: BINS * 4, height: 0.5, class: "base"}));
    bins.forEach((count, i) => {
      const high = count === 0 ? 0 : Math.max(2, Math.sqrt(count / most) * 15);
      if (high > 0) drawing.append(svg("rect", {x: i * 4, y: 16 - high, width: 3, height: high}));
    });
    return drawing;
  }

  grow() { this.show(); }
  mark() {}
  reveal() {}
  refresh() {}
}
