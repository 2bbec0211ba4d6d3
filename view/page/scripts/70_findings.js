// What check, fuzz and replay report of a session, each with its message, clause and evidence.

// Where it is, what was expected there and what came; null if that is not known.
function evidenceOf(finding) {
  if (finding.items) return itemLines(finding.items);
  const parts = [];
  if (finding.expected) parts.push("expected " + finding.expected);
  if (finding.got) parts.push("got " + finding.got);
  if (!finding.pointer && parts.length === 0) return null;
  return el("div", {}, finding.pointer ? el("code", {}, visible(cut(finding.pointer, 300))) : null,
    finding.pointer && parts.length ? ": " : "", visible(cut(parts.join(", "), 600)));
}

class Findings {
  constructor(app) {
    this.app = app;
    this.root = el("div", {class: "scroll page", tabindex: "0", role: "group", "aria-label": "Findings"});
  }

  show() {
    const {store, session} = this.app;
    const findings = store.findingsIn[session] || [];
    const {checked, trace} = store.sessions[session];
    // A replay is of the first trace.
    const replayed = trace === store.sessions[0].trace ? store.index.replayed : null;
    if (!checked && !replayed && findings.length === 0) {
      this.root.replaceChildren(empty("This session was not checked.",
        el("p", {class: "dim"}, "midwire report --check TRACE checks it against the dialect of the trace.")));
      return;
    }
    const against = [
      checked ? `checked against ${checked.dialect || "JSON-RPC"}${checked.rules ? ` (${checked.rules} rules)` : ""}` : "",
      replayed ? `${visible(replayed.verb)}: ${grouped(replayed.matched)} of ${grouped(replayed.expected)} messages as recorded` : "",
    ].filter(Boolean).join("; ");
    if (findings.length === 0) {
      this.root.replaceChildren(empty(checked && checked.incomplete ? "Nothing was found, but the trace ends before its session did."
        : "Nothing was found.", el("p", {class: "dim"}, against)));
      return;
    }
    const counts = {};
    for (const {severity} of findings) counts[severity] = (counts[severity] || 0) + 1;
    this.root.replaceChildren(
      el("p", {class: "summary"}, ["must", "should", "note"].filter((name) => counts[name])
        .map((name) => `${grouped(counts[name])} ${name}${name === "note" && counts[name] > 1 ? "s" : ""}`).concat(against || []).join(", ")),
      el("table", {class: "table findings"},
        el("thead", {}, el("tr", {}, ...["", "severity", "rule", "what is wrong"].map((text) => el("th", {scope: "col"},
          text || el("span", {class: "offscreen"}, "message"))))),
        el("tbody", {}, ...findings.slice(0, 2000).map((finding) => this.line(finding)))),
      findings.length > 2000 ? el("p", {class: "dim"}, `and ${grouped(findings.length - 2000)} more`) : "");
  }

  line(finding) {
    const {store} = this.app;
    const {row} = finding;
    const here = row >= 0 && row < store.count;
    return el("tr", {class: "severity-" + finding.severity},
      number(here ? button("#" + (store.number[row] || "\u2013"), "Select this message", () =>
        this.app.select(row, {jump: true, open: true}), {class: "link"}) : ""),
      el("td", {class: "severity"}, finding.severity),
      el("td", {}, el("code", {}, visible(finding.rule)),
        finding.clause ? el("div", {class: "dim clause"}, visible(finding.clause)) : null,
        finding.source === "check" ? null : el("div", {class: "dim"}, finding.source)),
      el("td", {class: "evidence"}, here ? el("div", {class: "dim"}, ARROWS[store.dir[row]] + " " + KINDS[store.kind[row]] + " ",
        el("bdi", {}, visible(store.text("method", row)))) : null,
      el("div", {}, visible(finding.text)), evidenceOf(finding)));
  }

  grow() {}
  mark() {}
  reveal() {}
  refresh() {}
}
