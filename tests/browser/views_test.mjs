// The views of a session written by hand, and how they are linked.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {close, open, pageOf, until} from "./page.mjs";
import {Data, small} from "./data.mjs";

let file;
before(() => {
  const data = small();
  file = pageOf("views", data.index(), data.bytes());
});
after(close);

const selected = (page) => page.evaluate(() => document.querySelector("#view .selected")?.dataset.row);
const text = (page, selector) => page.locator(selector).innerText();

test("the list is what a page opens with, and every row is in it", async () => {
  const {page, troubles} = await open(file);
  assert.equal(await page.locator("#view tbody tr[data-row]").count(), 9);
  assert.match(await text(page, "#row-7"), /6\s+0\.009000\s+←\s+error\s+tools\/call slow -32000 it broke\s+5\.00ms\s+70/);
  assert.match(await text(page, "#bar"), /by-hand[\s\S]*7 messages[\s\S]*1 failed[\s\S]*1 pending[\s\S]*exit 0/);
  assert.deepEqual(troubles, []);
});

test("a link opens its message, and Back works", async () => {
  const {page} = await open(file, {hash: "#m=3"});
  assert.equal(await selected(page), "3");
  await page.locator("#row-7").click();
  assert.match(page.url(), /#m=6$/);
  await page.goBack();
  assert.equal(await selected(page), "3");
  assert.match(await text(page, "#detail"), /#3/);
});

test("keys move, jump to failures, pairs and calls without an answer", async () => {
  const {page} = await open(file);
  const steps = [["j", "0"], ["j", "1"], ["p", "2"], ["p", "1"], ["n", "7"], ["p", "3"], ["u", "8"], ["k", "7"], ["g", "0"], ["G", "8"]];
  for (const [key, row] of steps) {
    await page.keyboard.press(key);
    assert.equal(await selected(page), row, key);
  }
});

test("a filter hides rows, is in the address, and a wrong one says why", async () => {
  const {page} = await open(file);
  await page.keyboard.press("/");
  await page.keyboard.type("method=tools/* kind=error");
  await until(page, () => document.querySelectorAll("#view tr[data-row]").length === 1);
  assert.equal(await text(page, "#count"), "1 of 9");
  await page.keyboard.press("Enter");
  assert.match(page.url(), /f=method/);
  await page.locator("#filter").fill("metod=x");
  await until(page, () => !document.getElementById("wrong").hidden);
  assert.match(await text(page, "#wrong"), /column 1, at metod=x/);
  await page.locator("#filter").fill("size>1G");
  await page.waitForSelector("text=No message matches.");
  await page.locator("text=clear the filter").click();
  assert.equal(await page.locator("#view tr[data-row]").count(), 9);
});

test("what is said about the filter moves nothing", async () => {
  const {page} = await open(file);
  const places = async () => [await page.locator("#main").boundingBox(), await page.locator("#find").boundingBox()];
  const before = await places();
  await page.locator("#filter").fill("metod=x");
  await until(page, () => !document.getElementById("wrong").hidden);
  assert.deepEqual(await places(), before, "wrong");
  await page.locator("#filter").fill("method=tools/*");
  await until(page, () => document.getElementById("count").textContent === "2 of 9");
  assert.deepEqual(await places(), before, "counted");
});

test("a link with a wrong filter says why, and shows all rows", async () => {
  const {page} = await open(file, {hash: "#f=metod%3Dx"});
  assert.match(await text(page, "#wrong"), /column 1, at metod=x/);
  assert.equal(await page.locator("#view tr[data-row]").count(), 9);
});

test("texts of bodies and stderr are found", async () => {
  const {page} = await open(file);
  await page.keyboard.press("f");
  await page.keyboard.type("it broke");
  await until(page, () => document.getElementById("hits").textContent === "1 of 1");
  assert.equal(await selected(page), "7");
  await page.locator("#filter").fill('text~"line of stderr"');
  await until(page, () => document.getElementById("count").textContent === "1 of 9");
});

test("the message shows its JSON, its bytes, its pair and its handles", async () => {
  const {page} = await open(file, {hash: "#m=7"});
  assert.match(await text(page, "#detail .json"), /"method": "thread\/read"[\s\S]*"threadId": "t-1"/);
  await page.locator("#detail .handle").click();
  assert.match(await text(page, "#detail .uses"), /thread t-1[\s\S]*made #2[\s\S]*used #7/);
  await page.locator("#detail [role=tab]", {hasText: "raw"}).click();
  assert.match(await text(page, "#detail .hex"), /^000000 {2}7b 22 6a 73 6f 6e 72 70 /);
  await page.goto(page.url().replace("m=7", "m=6"));
  await page.locator("#detail [role=tab]", {hasText: "side by side"}).click();
  assert.match(await text(page, "#detail .both"), /request[\s\S]*"name": "slow"[\s\S]*answer[\s\S]*"it broke"/);
});

test("bytes have their text in sight, at every width", async () => {
  for (const [width, line] of [[400, 8], [1280, 8], [1600, 16]]) {
    const {page} = await open(file, {width, hash: "#m=7"});
    await page.locator("#detail [role=tab]", {hasText: "raw"}).click();
    assert.match(await text(page, "#detail .hex"), line === 8
      ? /^000000 {2}7b 22 6a 73 6f 6e 72 70 {3}\{"jsonrp\n000008 / : /^000000 {2}7b 22 .*\n000010 /);
    const [all, seen] = await page.locator("#detail .hex").evaluate((hex) => [hex.scrollWidth, hex.clientWidth]);
    assert.ok(all <= seen, `${all} in ${seen}`);
  }
});

test("JSON of a few lines is open, of more only its outer levels", async () => {
  const data = new Data();
  const deep = {content: [{text: {inner: "deep"}}]};
  data.request("short", deep);
  data.request("long", {...deep, list: Array.from({length: 100}, (_, i) => i)});
  const {page} = await open(pageOf("folds", data.index(), data.bytes()), {hash: "#m=1"});
  assert.match(await text(page, "#detail .json"), /"inner": "deep"/);
  await page.keyboard.press("j");
  await until(page, () => /1 member/.test(document.querySelector("#detail .json").innerText));
  assert.doesNotMatch(await text(page, "#detail .json"), /inner/);
});

test("the other end of the selected call is marked", async () => {
  const {page} = await open(file, {hash: "#m=3"});
  const marked = (id) => page.evaluate((prefix) => [...document.querySelectorAll("#view .other")].map((line) => line.id.slice(prefix.length)), id);
  assert.deepEqual(await marked("row-"), ["7"]);
  await page.keyboard.press("p");
  assert.deepEqual(await marked("row-"), ["3"]);
  await page.keyboard.press("2");
  assert.deepEqual(await marked("arrow-"), ["3"]);
  await page.keyboard.press("u");
  assert.deepEqual(await marked("arrow-"), []);
});

test("the JSON ends with its brace", async () => {
  const {page} = await open(file, {hash: "#m=7"});
  assert.match(await text(page, "#detail .json"), /"threadId": "t-1"\s+\}\s+\}\s*$/);
});

test("on a narrow page, a message that a link opens is visible above its sheet", async () => {
  const data = new Data();
  for (let i = 0; i < 200; ++i) data.add({kind: 3, dir: i % 2, method: "tick", body: `{"method":"tick","params":${i}}`});
  const {page} = await open(pageOf("narrow", data.index(), data.bytes()), {width: 400, hash: "#m=150"});
  const row = await page.locator("#row-149").boundingBox(), sheet = await page.locator("#detail").boundingBox();
  assert.ok(row.y > 0 && row.y + row.height <= sheet.y, `row at ${row.y}, sheet at ${sheet.y}`);
});

test("on a narrow page, a list of which only some rows are in the document has its whole width", async () => {
  const data = new Data();
  for (let i = 0; i < 2000; ++i) data.add({kind: 3, dir: i % 2, method: "tick", body: `{"method":"tick","params":${i}}`});
  const {page} = await open(pageOf("narrow-many", data.index(), data.bytes()), {width: 400, hash: "#f=size%3E1G"});
  const wide = () => page.evaluate(() => document.querySelector(".list tbody td").getBoundingClientRect().right);
  assert.ok(await wide() > 380, "no message matches");
  await page.locator("text=clear the filter").click();
  await page.keyboard.press("G");
  const row = await page.locator("#row-1999 td.m").boundingBox();
  assert.ok(row.width > 200, `${row.width} pixels for the method`);
});

test("a narrow list leaves out the kinds, not the methods", async () => {
  const {page} = await open(file, {width: 1280});
  assert.ok(await page.locator("#row-3 .k").isVisible());
  await page.evaluate(() => document.getElementById("main").style.setProperty("--detail", "720px"));
  assert.ok(await page.locator("#row-3 .k").isHidden());
});

test("what changed is marked in the message, and said in full", async () => {
  const data = small();
  data.extra.compare = {pairs: [[1, 1], [2, 2]], changes: [{a: 2, b: 2, kind: "differs", pointer: "/result/ok", expected: "true", got: "false"}]};
  const {page} = await open(pageOf("changed", data.index(), data.bytes()), {hash: "#v=compare&m=2"});
  assert.equal(await text(page, "#detail .change"), "/result/ok true \u2192 false");
  assert.equal(await text(page, "#detail .jl.changed"), '"ok": true');
});

// A list of tools of which one is new, one gone, one moved and one differs.
const ITEMS = {pointer: "/result/tools", recorded: 3, came: 3, count: 6, changes: [
  {change: "new", item: '"n"', at: 0}, {change: "gone", item: '"g"', from: 1}, {change: "moved", item: '"m"', from: 2, at: 1},
  {change: "differs", item: '"d"', from: 0, at: 2, pointer: "/result/tools/0/title", expected: '"a"', got: '"b"'}]};
const tools = (...names) => ({tools: names.map((name) => ({name, title: "t"}))});
const marks = (page) => page.locator("#detail .jl.changed").allInnerTexts();

test("of a long pointer, a comparison shows the end and the values", async () => {
  const data = new Data();
  const call = data.request("tools/call");
  const a = data.answer(call), b = data.answer(call);
  data.extra.compare = {pairs: [[a, b]],
    changes: [{a, b, kind: "differs", pointer: "/result/structuredContent/sum", expected: "42", got: "43"}]};
  const {page} = await open(pageOf("long-pointer", data.index(), data.bytes()), {hash: "#v=compare&m=2"});
  assert.equal(await text(page, ".pair .what"), "\u2026/sum 42 \u2192 43");
  assert.equal(await page.locator(".pair .what").getAttribute("title"), "/result/structuredContent/sum 42 \u2192 43");
});

test("of a message that the other trace lacks, a comparison does not repeat the text", async () => {
  const data = small();
  data.extra.compare = {pairs: [[3, -1]], changes: [{a: 3, b: -1, kind: "missing", text: '{"jsonrpc":"2.0"}'}]};
  const {page} = await open(pageOf("lacks", data.index(), data.bytes()), {hash: "#v=compare&m=3"});
  assert.equal(await text(page, ".pair .what"), "missing");
  assert.equal(await text(page, "#detail .change"), "missing");
});

test("an array of named objects is compared item by item, and both sides are marked", async () => {
  const data = new Data();
  const call = data.request("tools/list");
  const a = data.answer(call, tools("d", "g", "m"));
  const b = data.answer(call, tools("n", "m", "d"));
  data.extra.compare = {pairs: [[a, b]], changes: [{a, b, kind: "differs", pointer: "/result/tools/0/name", items: ITEMS}]};
  const {page, troubles} = await open(pageOf("items", data.index(), data.bytes()), {hash: "#v=compare&m=2"});
  assert.match(await text(page, ".pair .what"), /^\/result\/tools 3 items: \+ "n" at 0, \u2212 "g" from 1, \u2195 "m" 2 \u2192 1, \u2260 "d" \/title "a" \u2192 "b"/);
  assert.match(await text(page, "#detail .items"), /\+\s+"n" at 0[\s\S]*and 2 more changes/);
  assert.equal((await marks(page)).length, 3, "gone, moved, the title");
  assert.match((await marks(page))[0], /"title"/);
  await page.locator(`#side-${b}`).click();
  assert.equal((await marks(page)).length, 3, "new, moved, the title");
  assert.match((await marks(page))[2], /"title"/);
  assert.deepEqual(troubles, []);
});

test("a finding of a replay lists the items that changed", async () => {
  const data = new Data();
  const row = data.answer(data.request("tools/list"), tools("d", "g", "m"));
  data.extra.findings = [{source: "replay", severity: "must", row, rule: "differs", text: "", items: ITEMS}];
  const {page} = await open(pageOf("replayed", data.index(), data.bytes()), {hash: "#v=findings&m=2"});
  assert.match(await text(page, ".findings .items"), /\/result\/tools 3 items[\s\S]*\u2195\s+"m" 2 \u2192 1/);
  assert.match(await text(page, "#detail .finding"), /differs[\s\S]*\u2212\s+"g" from 1/);
  assert.equal((await marks(page)).length, 3);
});

test("messages that were never read say so, in each view", async () => {
  const data = new Data();
  data.request("slow", {}, {flags: 32});
  data.add({kind: 3, dir: 0, method: "note", flags: 32, body: "{}"});
  data.request("given up", {}, {flags: 36});
  const {page} = await open(pageOf("unread", data.index(), data.bytes()), {hash: "#m=1"});
  assert.match(await text(page, "#row-0"), /slow never read/);
  assert.match(await text(page, "#row-1"), /note never read/);
  assert.match(await text(page, "#row-2"), /given up cancelled/);
  assert.match(await text(page, "#bar"), /1 pending/);
  assert.match(await text(page, "#detail"), /never read: the plugin closed the stream before/);
  await page.keyboard.press("u");
  assert.equal(await selected(page), "1");
  await page.keyboard.press("2");
  assert.match(await text(page, "#arrow-1"), /note never read/);
});

// The title bar of a session with these members.
async function barOf(name, session) {
  const data = small();
  Object.assign(data.session, session);
  const {page, troubles} = await open(pageOf(name, data.index(), data.bytes()));
  assert.deepEqual(troubles, []);
  return {page, bar: await text(page, "#bar")};
}

test("the bar says how sure the dialect is, and that the plugin crashed", async () => {
  const {page, bar} = await barOf("crashed", {sureness: "a guess", exit: "exit by SIGSEGV", crashed: true});
  assert.match(bar, /mcp \(a guess\)/);
  assert.equal(await text(page, "#bar .facts .bad:last-child"), "crashed: SIGSEGV");
  assert.match((await barOf("status", {exit: "exit 3"})).bar, /exit 3/);
});

test("what a log does not have is said to be of the log", async () => {
  const log = "imported from lsp.log of Neovim, which lacks: headers";
  const {page, bar} = await barOf("log", {ended: false, exit: undefined, command: "", log});
  assert.match(bar, /from a log/);
  assert.doesNotMatch(bar, /cut off/);
  assert.match(bar, /which lacks: headers/);
  assert.match(await text(page, "#row-8"), /no answer in the log/);
});

test("commands to repeat what is shown can be copied", async () => {
  const {page} = await open(file, {hash: "#m=3"});
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const last = () => page.locator("#detail .copies button").last().boundingBox();
  const place = await last();
  const copied = async (name) => {
    await page.locator("#detail .copies button", {hasText: name}).click();
    await page.waitForSelector("#detail button:text('copied')");
    assert.deepEqual(await last(), place, "nothing moves");
    await page.waitForSelector("#detail button:text('copied')", {state: "detached"});
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.equal(await copied("show"), "midwire show by-hand.pcapng 'number=3' --body");
  assert.equal(await copied("replay"), "midwire replay by-hand.pcapng -- by-hand --flag");
  assert.equal(JSON.parse(await copied("JSON")).params.name, "slow");
});

test("a click on the timeline selects the call, keys and wheel zoom", async () => {
  const {page} = await open(file);
  const box = await page.locator("#timeline canvas").boundingBox();
  const x = box.x + 68 + (box.width - 78) * 4.5 / 12;
  await page.mouse.click(x, box.y + 50);
  assert.equal(await selected(page), "3");
  await page.mouse.click(box.x + 68 + (box.width - 78) * 5.5 / 12, box.y + 70);
  assert.equal(await selected(page), "4", "the call of the plugin is nested below");
  const picture = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
    done(document.querySelector("canvas").toDataURL())))));
  const whole = await picture();
  await page.keyboard.press("z");
  const zoomed = await picture();
  assert.notEqual(zoomed, whole);
  await page.keyboard.press("0");
  assert.equal(await picture(), whole);
  await page.mouse.move(x, box.y + 50);
  await page.mouse.wheel(0, -200);
  assert.notEqual(await picture(), whole);
});

test("calls that never end are drawn, however many there are", async () => {
  const data = new Data();
  for (let i = 0; i < 200; ++i) data.request("slow");
  const {page} = await open(pageOf("endless", data.index(), data.bytes()));
  const drawn = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
    const canvas = document.querySelector("canvas");
    const {data: pixels} = canvas.getContext("2d").getImageData(canvas.width / 2, 45, 1, 100);
    let amber = 0;
    for (let i = 0; i < pixels.length; i += 4) if (pixels[i] > pixels[i + 2] + 60) ++amber;
    done(amber);
  }))));
  assert.ok(drawn > 20, `${drawn} pixels`);
});

test("the sequence has arrows and is exported as Mermaid", async () => {
  const {page} = await open(file, {hash: "#v=sequence"});
  assert.equal(await page.locator(".arrow.back").count(), 3);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator("text=copy Mermaid").click();
  const diagram = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(diagram, /^sequenceDiagram\n {2}participant host\n {2}participant plugin\n {2}host->>plugin: 1 initialize\n/);
  assert.match(diagram, /plugin--xhost: 6 tools\/call slow#58; -32000 it broke\n/);
  assert.match(diagram, /\n {2}Note over host,plugin: no answer to 7 thread\/read\n {2}Note over plugin: exit 0\n$/);
});

test("statistics count calls, failures and latencies", async () => {
  const {page} = await open(file, {hash: "#v=statistics"});
  const row = await text(page, ".table tbody tr:has-text('tools/call')");
  assert.match(row, /→\s+tools\/call slow\s+1\s+1\s+5\.00ms\s+5\.00ms\s+5\.00ms\s+5\.00ms/);
  assert.match(await text(page, ".totals"), /most calls open at once\s*2/);
  await page.locator(".table button.link", {hasText: "tools/call"}).click();
  assert.equal(await page.locator("#view tr[data-row]").count(), 2);
});

test("a finding leads to its message", async () => {
  const {page} = await open(file, {hash: "#v=findings"});
  assert.match(await text(page, ".findings"), /must\s+answer\.shape\s+5\.1[\s\S]*the answer lacks a result[\s\S]*\/result: expected an object/);
  await page.locator(".findings button.link").click();
  assert.match(await text(page, "#detail"), /#6[\s\S]*answer\.shape/);
});

test("findings, dialect and rules are those of the selected session", async () => {
  const data = small();
  data.extra.sessions = [{trace: "other.pcapng", title: "other", command: "", first: data.rows.count, count: 0, duration: 0,
    ended: true, checked: {dialect: "lsp", rules: 3}}];
  data.extra.findings.push({source: "check", severity: "note", row: -1, session: 1, rule: "lifecycle.exit", text: "late"});
  const several = pageOf("several", data.index(), data.bytes());
  for (const [hash, summary, rule] of [["#v=findings", /^1 must, checked against mcp \(41 rules\)$/, "answer.shape"],
    ["#v=findings&s=2", /^1 note, checked against lsp \(3 rules\)$/, "lifecycle.exit"]]) {
    const {page} = await open(several, {hash});
    assert.match(await text(page, "#view .summary"), summary);
    assert.match(await text(page, ".findings tbody"), new RegExp(rule));
    assert.equal(await page.locator(".findings tbody tr").count(), 1);
    assert.equal(await text(page, "#tools [role=tab]:has-text('findings')"), "findings 1");
  }
});

test("numbers stay on a line, and methods break behind a slash", async () => {
  const data = small();
  data.request("notifications/progress/of/a/long/name");
  const page = (await open(pageOf("breaks", data.index(), data.bytes()), {width: 1300, hash: "#v=findings"})).page;
  const number = await page.locator(".findings td.n button").boundingBox();
  assert.ok(number.height < 30, `${number.height} pixels`);
  await page.goto(page.url().replace("findings", "statistics"));
  assert.ok(await page.locator(".table td.m wbr").count() >= 5);
});

test("all rows of 1,000 are in the document, of more only those near", async () => {
  for (const [count, most] of [[1000, 1000], [5000, 120]]) {
    const data = new Data();
    for (let i = 0; i < count; ++i) data.add({kind: 3, dir: i % 2, method: "tick", body: `{"method":"tick","params":${i}}`});
    const {page, troubles} = await open(pageOf("many" + count, data.index(), data.bytes()));
    const made = await page.locator("#view tr[data-row]").count();
    assert.ok(count === 1000 ? made === 1000 : made > 20 && made <= most, `${made} rows`);
    await page.keyboard.press("G");
    assert.ok(await page.locator(`#row-${count - 1}`).isVisible());
    await page.evaluate(() => { document.querySelector("#view .scroll").scrollTop = 0; });
    await page.waitForSelector("#row-0");
    assert.deepEqual(troubles, []);
  }
});

test("a session without messages, and data that is no data, say so", async () => {
  const nothing = await open(pageOf("nothing", new Data().index(), Buffer.alloc(0)));
  await nothing.page.waitForSelector("text=The session has no messages.");
  assert.deepEqual(nothing.troubles, []);
  const bad = await open(pageOf("bad", {format: 2}, Buffer.alloc(0)), {wait: false});
  await bad.page.waitForSelector("text=This session cannot be shown: the data has format 2");
});
