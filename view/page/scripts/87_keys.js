// Keys, and the lines that are dragged to resize.

function onKey(app, event) {
  const {key} = event;
  const inField = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help") || !app.store) return;
  if (inField) return;
  const scrolls = event.target.closest("#detail, .page, pre") !== null;
  const steps = {j: 1, k: -1, ...(scrolls ? {} : {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20})};
  const {timeline} = app;
  const onTimeline = event.target === timeline.canvas;
  const keys = {
    g: () => app.select(app.rows[0] ?? -1), G: () => app.select(app.rows[app.rows.length - 1] ?? -1),
    n: () => app.nextFailure(1), N: () => app.nextFailure(-1), u: () => app.nextPending(), p: () => app.pair(),
    "/": () => byId("filter").select(), f: () => byId("find").select(),
    "+": () => timeline.zoom(0.6), "=": () => timeline.zoom(0.6), "-": () => timeline.zoom(1 / 0.6), 0: () => timeline.all(),
    w: () => timeline.zoom(0.6), s: () => timeline.zoom(1 / 0.6), a: () => timeline.pan(-0.25), d: () => timeline.pan(0.25),
    z: () => timeline.zoomTo(app.selected), o: () => timeline.toggleAxis(), t: () => app.theme(), "?": () => app.help(),
    l: () => {
      remembered.set("log", remembered.get("log") === "off" ? "on" : "off");
      app.applyFilter();
    },
    "[": () => turnTab(app, -1), "]": () => turnTab(app, 1),
    Escape: () => app.closeSheet(),
    ...(scrolls ? {} : {Home: () => keys.g(), End: () => keys.G()}),
    ...(onTimeline ? {ArrowLeft: () => timeline.pan(-0.25), ArrowRight: () => timeline.pan(0.25)} : {}),
  };
  if (event.target.getAttribute("role") === "tab" && /^Arrow(Left|Right)$/.test(key)) {
    const to = key === "ArrowLeft" ? event.target.previousElementSibling : event.target.nextElementSibling;
    if (to && !to.hidden) {
      to.click();
      if (to.isConnected) to.focus();
    }
  } else if (key in steps) {
    app.move(steps[key]);
  } else if (Object.hasOwn(keys, key)) {
    keys[key]();
  } else if (key >= "1" && key <= String(VIEWS.length)) {
    if (VIEWS[key - 1] !== "compare" || app.store.index.compare) app.showView(VIEWS[key - 1]);
  } else if (key === "Enter" && event.target.closest("#view") && event.target.tagName !== "BUTTON") {
    document.body.classList.add("sheet");
  } else {
    return;
  }
  event.preventDefault();
}

function turnTab(app, by) {
  const tabs = [...document.querySelectorAll("#detail [role=tab]")];
  const at = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
  if (tabs.length > 0) tabs[(at + by + tabs.length) % tabs.length].click();
}

// A separator that sets a length in pixels, by dragging and by arrow keys.
function resizable(bar, variable, least, most, lengthAt) {
  const main = byId("main");
  const set = (length) => {
    const value = Math.round(Math.max(least, Math.min(most(), length)));
    main.style.setProperty("--" + variable, value + "px");
    bar.setAttribute("aria-valuenow", value);
    remembered.set(variable, value);
  };
  bar.setAttribute("aria-valuemin", least);
  bar.setAttribute("aria-valuemax", 2000);
  const before = Number(remembered.get(variable));
  const now = () => {
    const {left, top, width, height} = bar.getBoundingClientRect();
    return lengthAt({left: left + width / 2, top: top + height / 2});
  };
  bar.setAttribute("aria-valuenow", 0);
  if (before >= least) set(before);
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  bar.addEventListener("pointermove", (event) => {
    if (bar.hasPointerCapture(event.pointerId)) set(lengthAt({top: event.clientY, left: event.clientX}));
  });
  bar.addEventListener("keydown", (event) => {
    const by = {ArrowUp: -20, ArrowLeft: 20, ArrowDown: 20, ArrowRight: -20}[event.key];
    if (by === undefined) return;
    set(now() + by);
    event.preventDefault();
    event.stopPropagation();
  });
}
