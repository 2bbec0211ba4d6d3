// The live view against a server of this test, which answers as view/page/DATA.md ("Live") describes.
import assert from "node:assert/strict";
import {createServer} from "node:http";
import {after, before, test} from "node:test";
import {close, open, template, until} from "./page.mjs";
import {Data} from "./data.mjs";

let server, address, streams, asked, data;
const send = (event, value, id) => {
  for (const stream of streams) stream.write(`${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(value)}\n\n`);
};
const list = () => ({folder: "~/tapes", traces: [{id: "one", name: "one.pcapng", title: "notes", messages: 1, failed: 0, open: 1, size: 100, live: true},
  {id: "two", name: "two.pcapng", title: "other", messages: 0, size: 10, live: false, exit: "exit by SIGSEGV", crashed: true}]});

before(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url, "http://x");
    asked.push(url.pathname + url.search);
    const json = (value) => response.setHeader("content-type", "application/json").end(JSON.stringify(value));
    if (url.pathname === "/") {
      response.setHeader("content-type", "text/html").end(template().replace("@MIDWIRE_CONNECT@", "'self'").replace("@MIDWIRE_INDEX@", "").replace("@MIDWIRE_BYTES@", ""));
    } else if (url.pathname === "/api/sessions") {
      json(list());
    } else if (url.pathname === "/api/index") {
      const other = new Data({trace: "two.pcapng", title: "other"}).index();
      json({...(url.searchParams.get("trace") === "one" ? data.index() : other), from: 0, total: data.rows.count, live: true, now: data.before + 2e9});
    } else if (url.pathname === "/api/bytes") {
      const row = Number(url.searchParams.get("row")), rows = Number(url.searchParams.get("rows"));
      response.end(Buffer.concat(data.blob.slice(row, row + rows)));
    } else if (url.pathname === "/api/stream") {
      response.setHeader("content-type", "text/event-stream");
      response.write(": open\n\n");
      streams.push(response);
    } else {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((then) => server.listen(0, "127.0.0.1", then));
  address = `http://127.0.0.1:${server.address().port}/`;
});
after(async () => {
  await close();
  server.closeAllConnections();
  server.close();
});

async function opened() {
  streams = [];
  asked = [];
  data = new Data({trace: "one.pcapng", title: "notes", ended: false, exit: undefined});
  data.request("tools/call", {name: "slow"}, {label: "slow", at: 1e9});
  const {page, troubles} = await open(address);
  await until(page, () => document.querySelectorAll("#view tr[data-row]").length === 1);
  while (streams.length === 0) await page.waitForTimeout(10);
  return {page, troubles};
}
const text = (page, selector) => page.locator(selector).innerText();
// Rows as an event has them: a table of strings of their own, and differences that go on.
function fresh(make) {
  const count = data.rows.count;
  make();
  const rows = {count: data.rows.count - count};
  for (const [name, values] of Object.entries(data.rows)) if (Array.isArray(values)) rows[name] = values.slice(count);
  return {strings: data.strings, rows, now: data.before};
}

test("the list says that a plugin crashed, also without messages", async () => {
  const {page} = await opened();
  assert.match(await text(page, "#traces [data-trace=two]"), /other\s+crashed: SIGSEGV[\s\S]*0 messages/);
});

test("an open call counts its age, and its answer ends it", async () => {
  const {page, troubles} = await opened();
  assert.match(await text(page, "#bar"), /1 pending[\s\S]*live/);
  const before = await text(page, "#row-0 .l");
  assert.ok(parseFloat(before) >= 2, before);
  await until(page, (was) => document.querySelector("#row-0 .l").innerText !== was, before);
  send("rows", fresh(() => data.answer(0, {done: true}, {at: 5e9})), 2);
  await until(page, () => document.querySelectorAll("#view tr[data-row]").length === 2);
  assert.equal(await text(page, "#row-1 .l"), "4.00s");
  assert.equal(await text(page, "#row-0 .l"), "");
  assert.doesNotMatch(await text(page, "#bar"), /pending/);
  assert.deepEqual(troubles, []);
});

test("what becomes known of a row later is marked on it", async () => {
  const {page, troubles} = await opened();
  send("flags", {rows: [0, 99], flags: [32, 4]});
  await until(page, () => /never read/.test(document.querySelector("#row-0").innerText));
  send("flags", {rows: [0], flags: [4]});
  await until(page, () => /cancelled/.test(document.querySelector("#row-0").innerText));
  assert.doesNotMatch(await text(page, "#bar"), /pending/);
  assert.deepEqual(troubles, []);
});

test("bodies are fetched when they are looked at", async () => {
  const {page, troubles} = await opened();
  assert.equal(asked.some((path) => path.startsWith("/api/bytes")), false);
  await page.locator("#row-0").click();
  await page.waitForSelector("#detail .json");
  assert.ok(asked.includes("/api/bytes?trace=one&row=0&rows=1"));
  await page.locator("#filter").fill("text~slow");
  await until(page, () => document.getElementById("count").textContent === "1 row");
  await page.locator("#filter").fill("text~absent");
  await page.waitForSelector("text=No message matches.");
  assert.deepEqual(troubles, []);
});

test("the list follows while it is at its end, and stays where it was scrolled to", async () => {
  const {page, troubles} = await opened();
  const add = (n) => send("rows", fresh(() => {
    for (let i = 0; i < n; ++i) data.add({kind: 3, dir: 1, method: "progress", body: "{}"});
  }));
  add(100);
  await until(page, () => document.querySelectorAll("#view tr[data-row]").length === 101);
  assert.ok(await page.locator("#row-100").isVisible());
  const at = () => page.evaluate(() => document.querySelector("#view .scroll").scrollTop);
  await page.evaluate(() => { document.querySelector("#view .scroll").scrollTop = 40; });
  add(100);
  await until(page, () => document.querySelectorAll("#view tr[data-row]").length === 201);
  assert.equal(await at(), 40);
  assert.deepEqual(troubles, []);
});

test("another session of the folder is opened by a click, and the list is kept current", async () => {
  const {page, troubles} = await opened();
  assert.match(await text(page, "#traces"), /notes\s*1 open\s*live[\s\S]*1 message[\s\S]*other/);
  send("sessions", {...list(), traces: [...list().traces, {id: "three", name: "three.pcapng", title: "third"}]});
  await page.waitForSelector("#traces >> text=third");
  await page.locator("#traces .trace", {hasText: "other"}).click();
  await page.waitForSelector("text=The session has no messages.");
  assert.match(page.url(), /t=two/);
  assert.deepEqual(troubles, []);
});
