// What the timeline draws where calls are too many for its width: a bar has no name but that of the one call it is.
import assert from "node:assert/strict";
import {after, test} from "node:test";
import {close, open, pageOf, until} from "./page.mjs";
import {Data} from "./data.mjs";

after(close);

const GUTTER = 68, PLOT_MARGIN = 78;  // 41_timeline.js
const frame = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

// A call that is open from one time to another, in ms.
function call(data, method, from, to, more = {}) {
  const request = data.request(method, {}, {at: from * 1e6});
  data.answer(request, {}, {at: to * 1e6, ...more});
}

// Three short calls and a long one, which begin in the same column of pixels of a session of a second.
function crowded(more = {}) {
  const data = new Data();
  for (const at of [100, 100.1, 100.2]) call(data, "ping", at, at + 0.05, at === 100.1 ? more : {});
  call(data, "build", 100.3, 600);
  call(data, "late", 990, 1000);
  return data;
}

// Opens a page; `texts` draws it again and returns what is written on the canvas.
async function timeline(name, data) {
  const {page, troubles} = await open(pageOf(name, data.index(), data.bytes()));
  const texts = async (key) => {
    await page.evaluate(() => {
      window.drawn = [];
      const {prototype} = CanvasRenderingContext2D;
      prototype.real = prototype.real || prototype.fillText;
      prototype.fillText = function(text, ...place) {
        window.drawn.push(text);
        this.real(text, ...place);
      };
    });
    await page.keyboard.press(key);
    await frame(page);
    return page.evaluate(() => window.drawn);
  };
  const box = await page.locator("#timeline canvas").boundingBox();
  // The point of a share of the session, in a lane.
  const point = (share, lane = 0) => [box.x + GUTTER + (box.width - PLOT_MARGIN) * share, box.y + 50 + 20 * lane];
  const tip = async (share, lane = 0) => {
    await page.mouse.move(...point(share, lane));
    return page.locator("#timeline .tip").innerText();
  };
  return {page, troubles, texts, point, tip};
}

test("a long call that begins beside short ones has its own name, at every zoom", async () => {
  const {texts, troubles} = await timeline("beside", crowded());
  for (const key of ["0", "+", "+", "+"]) {
    const drawn = await texts(key);
    assert.ok(drawn.includes("build"), `${key}: ${drawn}`);
    assert.ok(!drawn.includes("ping"), `${key}: ${drawn}`);
  }
  assert.deepEqual(troubles, []);
});

test("a mark of several calls says how many, and a click selects the one that failed", async () => {
  const {page, point, tip} = await timeline("several", crowded({failure: "no pong", flags: 1}));
  assert.equal(await tip(0.1002), "3 calls, 1 failed");
  assert.match(await tip(0.3), /^#7\s+request\s+build/);
  await page.mouse.click(...point(0.1002));
  assert.match(page.url(), /#m=3$/);
});

test("calls that are told apart after zooming in have their names", async () => {
  const {page, texts} = await timeline("apart", crowded());
  await page.locator("#row-2").click();
  const drawn = await texts("z");
  assert.deepEqual(drawn.filter((text) => text === "ping").length, 3, String(drawn));
});

test("ticks that share a mark are counted, too", async () => {
  const data = new Data();
  for (const at of [500, 500.1, 500.2, 1000]) data.add({kind: 3, dir: 1, method: "log", at: at * 1e6, body: "{}"});
  const {tip} = await timeline("ticks", data);
  assert.equal(await tip(0.5), "3 rows");
});

test("calls that share the last lane have no name, and the tip counts those that are open there", async () => {
  const data = new Data();
  for (let i = 0; i < 70; ++i) data.request("slow", {}, {at: i * 1e6});
  data.add({kind: 3, dir: 0, method: "end", at: 1e9, body: "{}"});
  const {page} = await timeline("shared", data);
  const box = await page.locator("#timeline canvas").boundingBox();
  const high = Math.max(2, (box.height - 44) / 61);  // 60 lanes of calls, one of notices
  await page.mouse.move(box.x + box.width / 2, box.y + 40 + 59.5 * high);
  await until(page, () => !document.querySelector("#timeline .tip").hidden);
  assert.equal(await page.locator("#timeline .tip").innerText(), "11 calls");
});

test("a bar too narrow for method and label has its label, or what fits of it", async () => {
  const data = new Data();
  const labelled = (label, from, to) => data.answer(data.request("tools/call", {}, {label, at: from * 1e6}), {}, {at: to * 1e6});
  labelled("read", 0, 60);
  labelled("read_the_whole_file", 100, 160);
  labelled("write", 200, 500);
  data.add({kind: 3, dir: 0, method: "end", at: 1e9, body: "{}"});
  const {texts} = await timeline("labels", data);
  const drawn = await texts("0");
  assert.ok(drawn.includes("read") && drawn.includes("tools/call write"), String(drawn));
  assert.ok(drawn.some((text) => /^read_\w*\u2026$/.test(text)), String(drawn));
});
