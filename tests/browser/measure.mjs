// Measures a report in headless Chromium: run.py MIDWIRE WORK_FOLDER measure.mjs TAPE. Prints medians of five runs:
// the size of the file, the first paint, when all of it can be used, and how long a filter, a search and a frame take.
import {statSync} from "node:fs";
import {close, open, report, until} from "./page.mjs";

const ROUNDS = 5;
const file = report("measured", process.argv[2]);
const figures = {};
const note = (name, value) => (figures[name] = figures[name] || []).push(value);
note("file, bytes", statSync(file).size);
for (let round = 0; round < ROUNDS; ++round) {
  const {page, troubles} = await open(file, {wait: false});
  await until(page, () => document.querySelector("#view tr[data-row]") !== null);
  await until(page, () => window.performance.getEntriesByName("midwire ready").length > 0);
  const times = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    list: performance.getEntriesByName("midwire list")[0].startTime,
    ready: performance.getEntriesByName("midwire ready")[0].startTime,
  }));
  note("first paint, ms", times.paint);
  note("list and timeline, ms", times.list);
  note("usable with bodies, ms", times.ready);
  const timed = (f) => page.evaluate(async (text) => {
    const box = document.getElementById("filter");
    const start = performance.now();
    box.value = text;
    box.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
    return performance.now() - start;
  }, f);
  note("filter latency>100us, ms", await timed("latency>100us"));
  note("filter text~, ms", await timed('text~"no such text"'));
  await timed("");
  const frame = await page.evaluate(async () => {
    const canvas = document.querySelector("canvas");
    const times = [];
    for (let i = 0; i < 60; ++i) {
      const start = performance.now();
      canvas.dispatchEvent(new WheelEvent("wheel", {deltaY: i < 30 ? -60 : 60, cancelable: true, bubbles: true}));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[54];
  });
  note("frame while zooming, p90, ms", frame);
  if (troubles.length > 0) throw new Error(troubles.join("\n"));
  await page.context().close();
}
await close();
for (const [name, values] of Object.entries(figures)) {
  const median = values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  console.log(`${name.padEnd(34)}${median.toFixed(median > 1000 ? 0 : 1).padStart(12)}`);
}
