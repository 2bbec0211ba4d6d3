// What peers send is text on the page, whatever it holds: no script of it runs, and it breaks no layout.
import assert from "node:assert/strict";
import {after, test} from "node:test";
import {close, open, overflows, pageOf} from "./page.mjs";
import {Data} from "./data.mjs";

after(close);

const RUNS = "window.hacked = true";
const ATTACKS = {
  script: `<script>${RUNS}</script>`,
  ended: `</script><script>${RUNS}</script>`,
  comment: `<!--<script>${RUNS}`,
  handler: `<img src=x onerror="${RUNS}">"><svg onload="${RUNS}">`,
  frame: `<iframe srcdoc="<script>parent.hacked = true</script>"></iframe>`,
  link: `javascript:${RUNS}`,
  placeholder: "@MIDWIRE_INDEX@ @MIDWIRE_BYTES@ $& $` $'",
  bidi: "\u202e\u2066evil\u2069\u200b\u00ad\ufeff\uffff\ufdd0",
  controls: "\0\u0001\u001b[31m\u009b\u007f\u2028\u2029",
  zalgo: "Z" + "\u0301".repeat(500),
  wide: "W".repeat(4000),
  prototype: "__proto__",
  surrogate: "\ud800",
};

// Each attack in every text of a row, in its body, in stderr, junk, events, handles, findings and the session.
function hostile() {
  const data = new Data({title: ATTACKS.handler, command: ATTACKS.ended, trace: ATTACKS.bidi + ATTACKS.script, exit: ATTACKS.handler,
    dialect: ATTACKS.script, revision: ATTACKS.wide});
  const extra = {handles: [], findings: [], notes: [ATTACKS.handler, ATTACKS.wide]};
  const pairs = [], changes = [];
  for (const attack of Object.values(ATTACKS)) {
    const row = data.add({kind: 0, dir: 0, method: attack, label: attack, id: JSON.stringify(attack), remarks: attack,
      body: JSON.stringify({jsonrpc: "2.0", id: attack, method: attack, params: {[attack]: attack}})});
    data.add({kind: 2, dir: 1, method: attack, label: attack, id: JSON.stringify(attack), pair: 1, failure: attack, error: attack, flags: 1,
      body: `{"error":{"message":${JSON.stringify(attack)}}}`});
    data.add({kind: 8, body: attack});
    data.add({kind: 6, dir: 1, label: attack, body: attack});
    data.add({kind: 7, label: attack});
    extra.handles.push({name: attack, value: attack, rows: [row], kinds: [0]});
    extra.findings.push({source: "check", severity: "must", row, rule: attack, clause: attack, text: attack, pointer: attack, expected: attack, got: attack});
    const items = {pointer: attack, recorded: 1, came: 2, count: 9, changes: ["new", "gone", "moved", "differs", attack].map((change) =>
      ({change, item: attack, from: 0, at: 1, pointer: attack, expected: attack, got: attack}))};
    extra.findings.push({source: "replay", severity: "must", row, rule: attack, text: attack, items});
    changes.push({kind: attack, a: row, b: row + 1, text: attack, items}, {kind: "differs", a: row, b: row + 1, pointer: attack, expected: attack, got: attack, text: attack});
    pairs.push([row, row + 1], [row + 1, -1], [-1, row]);
  }
  extra.compare = {pairs, changes};
  Object.assign(data.extra, extra);
  return data;
}

const ran = (page) => page.evaluate(() => window.hacked === true || document.querySelector("script[src], iframe, img, [onerror], [onload]") !== null);

test("no text of a peer runs as a script, in any view", async () => {
  const data = hostile();
  const file = pageOf("attacks", data.index(), data.bytes());
  for (const [view, width] of [["messages", 1280], ["messages", 400], ["sequence", 1280], ["sequence", 400], ["statistics", 1280], ["statistics", 400], ["findings", 1280], ["findings", 400],
    ["compare", 1280], ["compare", 400]]) {
    const {page, troubles} = await open(file, {width, hash: "#v=" + view});
    for (let i = 0; i < 10; ++i) {
      await page.keyboard.press("j");
      for (const tab of await page.locator("#detail [role=tab]").all()) if (await tab.isVisible()) await tab.click();
    }
    assert.equal(await ran(page), false, view);
    assert.deepEqual(await overflows(page), [], view + " " + width);
    assert.deepEqual(troubles, [], view);
    await page.context().close();
  }
});

test("what hides or reorders text is shown as escapes", async () => {
  const data = hostile();
  const {page} = await open(pageOf("escapes", data.index(), data.bytes()));
  const text = await page.evaluate(() => document.body.innerText);
  assert.ok(text.includes("\\u202e\\u2066evil\\u2069\\u200b\\u00ad\\ufeff\\uffff\\ufdd0"));
  assert.ok(text.includes("\\x00\\x01\\x1b[31m\\u009b\\x7f\\u2028\\u2029"));
  assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/);
});

test("marks that would cover other lines are shown as escapes, and long names leave the numbers in sight", async () => {
  const data = hostile();
  const {page} = await open(pageOf("marks", data.index(), data.bytes()), {hash: "#v=statistics"});
  assert.match(await page.locator("#view").innerText(), /Z\u0301{8}\\u0301\\u0301/);
  const [box, table] = await page.evaluate(() => [".page", ".table"].map((name) => document.querySelector("#view " + name).clientWidth));
  assert.ok(table <= box, `${table} in ${box}`);
});

test("an address cannot put a script into the page", async () => {
  const data = hostile();
  const file = pageOf("address", data.index(), data.bytes());
  for (const hash of ["#f=%3Cimg%20src%3Dx%20onerror%3D%22window.hacked%3Dtrue%22%3E", "#m=<script>window.hacked=true</script>", "#v=__proto__", "#s=9e99&r=-5", "#m=1e99&r=NaN"]) {
    const {page, troubles} = await open(file, {hash});
    assert.equal(await ran(page), false);
    assert.deepEqual(troubles, []);
    await page.context().close();
  }
});

test("the page may not evaluate texts, assign markup or reach the network", async () => {
  const data = new Data();
  const {page} = await open(pageOf("policy", data.index(), data.bytes()));
  const refused = await page.evaluate(async () => {
    await new Promise((then) => setTimeout(then));  // until now the debugger has more rights than the page
    const tries = [() => eval("1"), () => { document.body.innerHTML = "<b>"; }, () => fetch("https://example.com/"),
      () => new Promise((yes, no) => {
        const script = document.createElement("script");
        script.onload = yes;
        script.onerror = no;
        script.src = "data:text/javascript,1";
        document.body.append(script);
      })];
    return Promise.all(tries.map(async (attempt) => {
      try {
        await attempt();
        return false;
      } catch {
        return true;
      }
    }));
  });
  assert.deepEqual(refused, [true, true, true, true]);
});

test("a string of 5 MB is shown by its start, and more on demand", async () => {
  const data = new Data();
  const row = data.request("big", {text: "x".repeat(5e6)});
  const {page, troubles} = await open(pageOf("long", data.index(), data.bytes()), {hash: "#r=" + row});
  await page.waitForSelector("#detail .json");
  assert.match(await page.locator("#detail .json").innerText(), /4,998,\d+ more characters/);
  await page.locator("#detail .json button", {hasText: "more characters"}).click();
  assert.ok((await page.locator("#detail .json .string").last().innerText()).length > 100000);
  assert.deepEqual(await overflows(page), []);
  assert.deepEqual(troubles, []);
});

test("500 levels are unfolded one after the other, and all at once", async () => {
  const data = new Data();
  const row = data.add({kind: 0, dir: 0, method: "deep", body: '{"a":['.repeat(250) + "1" + "]}".repeat(250)});
  const {page, troubles} = await open(pageOf("deep", data.index(), data.bytes()), {hash: "#r=" + row});
  await page.waitForSelector("#detail .json");
  for (let i = 0; i < 30; ++i) await page.locator("#detail .fold[aria-expanded=false]").click();
  await page.locator("text=unfold all").click();
  assert.ok(await page.locator("#detail .fold").count() >= 60);
  assert.deepEqual(await overflows(page), []);
  assert.deepEqual(troubles, []);
});

test("a million levels and a wrong end are no JSON that the page hangs on", async () => {
  const data = new Data();
  data.add({kind: 0, dir: 0, method: "deeper", body: "[".repeat(1e6)});
  data.add({kind: 0, dir: 0, method: "wrong", body: '{"a":[1,2}'});
  const {page, troubles} = await open(pageOf("deeper", data.index(), data.bytes()), {hash: "#m=1"});
  await page.waitForSelector("text=Not JSON from character");
  await page.keyboard.press("j");
  await page.waitForSelector("text=Not JSON from character 10 on.");
  assert.deepEqual(troubles, []);
});

test("bytes that are no UTF-8 are shown as \\xNN", async () => {
  const data = new Data();
  const row = data.add({kind: 0, dir: 0, method: "bytes", body: Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xc3, 0xa4, 0x22, 0x7d])});
  const {page, troubles} = await open(pageOf("bytes", data.index(), data.bytes()), {hash: "#r=" + row});
  await page.waitForSelector("#detail .json");
  assert.match(await page.locator("#detail .json").innerText(), /"a": "\\xff\\xc3\(\\xed\\xa0\\x80ä"/);
  assert.deepEqual(troubles, []);
});

test("a list of 100,000 members and an object of as many show the first ones", async () => {
  const data = new Data();
  const row = data.request("many", {list: Array.from({length: 1e5}, (_, i) => i)});
  const {page} = await open(pageOf("members", data.index(), data.bytes()), {hash: "#r=" + row});
  await page.waitForSelector("#detail .json");
  assert.match(await page.locator("#detail .json").innerText(), /1,000 more of 99,800/);
  await page.locator("#detail button", {hasText: "more of"}).click();
  await page.waitForSelector("text=1,000 more of 98,800");
});
