// Reports that the command writes: every view of a golden session of each protocol, hostile tapes, comparisons.
import assert from "node:assert/strict";
import {writeFileSync} from "node:fs";
import path from "node:path";
import {after, test} from "node:test";
import {PROTOCOLS, WORK, close, golden, open, overflows, report, until} from "./page.mjs";

after(close);

const text = (page, selector) => page.locator(selector).innerText();
const show = async (page, view) => {
  await page.evaluate((name) => { location.hash = "#v=" + name; }, view);
  await page.waitForTimeout(0);
};

for (const protocol of PROTOCOLS) {
  test(`a golden session of ${protocol}, in every view`, async () => {
    const {page, troubles} = await open(report(protocol, golden(protocol), "--check"));
    const rows = await page.locator("#view tbody tr[data-row]").count();
    assert.ok(rows > 5, `${rows} rows`);
    assert.match(await text(page, "#bar"), /\d+ messages/);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.waitForSelector("#detail .head");
    for (const view of ["sequence", "statistics", "findings", "messages"]) {
      await show(page, view);
      await until(page, () => document.getElementById("view").textContent.length > 10);
      assert.deepEqual(await overflows(page), [], view);
    }
    assert.deepEqual(troubles, []);
    await page.context().close();
  });
}

test("bodies of a content-length session are those that were sent", async () => {
  const {page} = await open(report("lsp-body", golden("lsp")), {hash: "#m=1"});
  await page.waitForSelector("#detail .json");
  assert.match(await text(page, "#detail .json"), /"method": "initialize"/);
  await page.locator("#detail [role=tab]", {hasText: "raw"}).click();
  assert.match(await text(page, "#detail"), /Content-[\s\S]*Length:/);
  await page.context().close();
});

test("calls, answers and failures of MCP are linked", async () => {
  const {page} = await open(report("mcp-links", golden("mcp")), {hash: "#f=method%3Dtools/call"});
  await until(page, () => document.querySelectorAll("#view tr[data-row]").length > 2);
  assert.match(await text(page, "#view"), /tools\/call \w+[\s\S]*response/);
  await page.context().close();
});

const ATTACK = "</script><script>window.hacked = true</script><img src=x onerror=\"window.hacked = true\">";
test("what a hostile session says does not run", async () => {
  const file = path.join(WORK, "hostile.jsonl");
  const say = (from, message) => JSON.stringify({from, message});
  const text = [JSON.stringify({midwire: "cassette", version: 1}),
    JSON.stringify({event: {event: "spawn", argv: [ATTACK, "\u202e", "--" + ATTACK], cwd: ATTACK, pid: 1}}),
    say("host", {jsonrpc: "2.0", id: ATTACK, method: ATTACK, params: {[ATTACK]: ATTACK}}),
    say("plugin", {jsonrpc: "2.0", id: ATTACK, error: {code: 1, message: ATTACK}}),
    say("plugin", {jsonrpc: "2.0", method: "\u0000\u202e" + ATTACK, params: "x".repeat(5e6)}),
    '{"from":"plugin","message":' + '{"a":['.repeat(250) + "1" + "]}".repeat(250) + "}", ""].join("\n");
  writeFileSync(file, text);
  const {page, troubles} = await open(report("hostile", file, "--check"));
  for (let i = 0; i < 6; ++i) await page.keyboard.press("j");
  for (const view of ["sequence", "statistics", "findings", "messages"]) {
    await show(page, view);
    assert.deepEqual(await overflows(page), [], view);
  }
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("img, iframe").count(), 0);
  assert.deepEqual(troubles, []);
  await page.context().close();
});

test("two traces are compared", async () => {
  const {page, troubles} = await open(report("compared", golden("mcp"), "--compare", golden("desktop-sidecar")),
    {hash: "#v=compare"});
  await until(page, () => document.getElementById("view").textContent.length > 20);
  assert.deepEqual(await overflows(page), []);
  assert.deepEqual(troubles, []);
  await page.context().close();
});
