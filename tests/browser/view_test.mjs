// The page of the live view with the server of `midwire view`, and sessions that are being recorded.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import path from "node:path";
import {after, afterEach, test} from "node:test";
import {close, golden, launch, MIDWIRE, until, WORK} from "./page.mjs";

after(close);

const running = new Set();
afterEach(async () => {
  for (const child of running) await ended(child, "SIGKILL");
});

const ended = (child, signal) => new Promise((then) => {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) then(child.exitCode);
  child.on("exit", (code) => then(code));
  if (signal) child.kill(signal);
});
function start(words, options = {}) {
  const child = spawn(MIDWIRE, words, {stdio: ["pipe", "pipe", "inherit"], ...options});
  running.add(child);
  return child;
}
const line = (child) => new Promise((then) => {
  let text = "";
  child.stdout.on("data", (piece) => {
    text += piece;
    if (text.includes("\n")) then(text.split("\n")[0]);
  });
});

function folder(name) {
  const made = path.join(WORK, name);
  rmSync(made, {recursive: true, force: true});
  mkdirSync(made);
  return made;
}

// The page of a server, as a user opens it; `troubles` as in page.mjs.
async function view(words, {width = 1280} = {}) {
  const server = start(["view", "--no-open", ...words]);
  const address = await line(server);
  const context = await (await launch()).newContext({viewport: {width, height: 800}});
  const page = await context.newPage();
  const troubles = [];
  page.on("console", (message) => troubles.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => troubles.push(String(error.stack)));
  page.on("request", (request) => {
    if (!/^(data|file):/.test(request.url()) && new URL(request.url()).origin !== new URL(address).origin) troubles.push("request: " + request.url());
  });
  // As from the file that leads to the address: another site.
  const redirect = path.join(WORK, "redirect.html");
  writeFileSync(redirect, `<meta http-equiv="refresh" content="0;url=${address}">`);
  await page.goto("file://" + redirect);
  await page.waitForSelector("#app:not([hidden])");
  return {server, address, context, page, troubles};
}
const shown = (page) => until(page, () => document.getElementById("state").hidden);
const text = (page, selector) => page.locator(selector).innerText();
const rows = (page) => page.evaluate(() => document.querySelectorAll("#view tr[data-row]").length);

test("the page opens by the key, which then is in no address", async () => {
  const {page, address, troubles} = await view([golden("mcp")]);
  await shown(page);
  assert.ok(await rows(page) > 10);
  assert.doesNotMatch(page.url(), /key/);
  assert.equal(await page.evaluate(() => document.cookie), "");
  const without = await (await launch()).newContext();
  const answer = await (await without.newPage()).goto(address.split("?")[0]);
  assert.equal(answer.status(), 403);
  assert.deepEqual(troubles, []);
});

test("each golden session is shown as its report shows it", async () => {
  const tapes = folder("goldens");
  for (const protocol of ["mcp", "lsp", "dap", "codex"]) writeFileSync(path.join(tapes, protocol + ".pcapng"), readFileSync(golden(protocol)));
  const {page, troubles} = await view([tapes]);
  await shown(page);
  for (const protocol of ["mcp", "lsp", "dap", "codex"]) {
    await page.locator("#traces .trace").nth(0).waitFor();
    const id = await page.evaluate(async (name) => (await (await fetch("api/sessions")).json()).traces.find((trace) => trace.name === name).id, protocol + ".pcapng");
    await page.locator(`#traces [data-trace=${id}]`).click();
    await until(page, (wanted) => document.getElementById("state").hidden && document.querySelector(`#traces [data-trace=${wanted}]`).getAttribute("aria-current") === "true", id);
    assert.match(await text(page, "#bar"), new RegExp(protocol));
    await page.keyboard.press("j");
    await page.locator("#view tr[data-row]").nth(3).click();
    await page.waitForSelector("#detail .json");
  }
  assert.deepEqual(troubles, []);
});

test("a session appears while it is recorded, grows, and ends", async () => {
  const tapes = folder("recorded");
  const {page, troubles} = await view([tapes]);
  await page.waitForSelector("text=No sessions are recorded yet.");
  const tape = path.join(tapes, "now.pcapng");
  const recorded = start(["record", "-o", tape, "--", "cat"]);
  recorded.stdin.write('{"jsonrpc":"2.0","id":1,"method":"first"}\n');
  await shown(page);
  await until(page, () => document.querySelector("#view").innerText.includes("first"));
  await until(page, () => document.querySelector("#bar .live") !== null);
  const before = await rows(page);
  recorded.stdin.write('{"jsonrpc":"2.0","id":2,"method":"second"}\n');
  await until(page, () => document.querySelector("#view").innerText.includes("second"));
  assert.ok(await rows(page) > before);
  recorded.stdin.end();
  await until(page, () => document.querySelector("#bar").innerText.includes("exit 0"));
  await until(page, () => document.querySelector("#traces .live") === null);
  assert.deepEqual(troubles, []);
});

test("a tape that is replaced is loaded again", async () => {
  const tapes = folder("replaced");
  const tape = path.join(tapes, "one.pcapng");
  writeFileSync(tape, readFileSync(golden("mcp")));
  const {page, troubles} = await view([tape]);
  await shown(page);
  writeFileSync(tape, readFileSync(golden("dap")));
  await until(page, () => document.querySelector("#bar").innerText.includes("dap"));
  assert.deepEqual(troubles, []);
});

test("what arrives is what the file has, piece by piece", async () => {
  const tapes = folder("pieces");
  const tape = path.join(tapes, "one.pcapng");
  const whole = readFileSync(golden("mcp"));
  writeFileSync(tape, whole.subarray(0, 1000));
  const {page, troubles} = await view([tape]);
  await shown(page);
  for (let at = 1000; at < whole.length; at += 5000) {
    appendFileSync(tape, whole.subarray(at, at + 5000));
    await page.waitForTimeout(30);
  }
  const expected = (await view([golden("mcp")]));
  await shown(expected.page);
  const wanted = await rows(expected.page);
  await until(page, (count) => document.querySelectorAll("#view tr[data-row]").length === count, wanted);
  const lines = (of) => of.evaluate(() => [...document.querySelectorAll("#view tr[data-row]")].map((row) => row.innerText));
  assert.deepEqual(await lines(page), await lines(expected.page));
  assert.deepEqual(troubles, []);
});

test("the server ends with its last page", async () => {
  const {server, context, page} = await view([golden("mcp"), "--once"]);
  await shown(page);
  await page.reload();
  await shown(page);
  await context.close();
  assert.equal(await ended(server), 0);
});
