// Pictures of every view, in three sizes and two themes; fails if something overflows or the console has a message.
//   tests/browser/run.py MIDWIRE WORK_FOLDER screenshots.mjs FOLDER [VIEW...]    writes them to FOLDER
//   tests/browser/run.py MIDWIRE WORK_FOLDER screenshots.mjs --readme            writes doc/page.png, which README.md shows
import {mkdirSync, readFileSync, statSync, writeFileSync} from "node:fs";
import path from "node:path";
import {SOURCE, WORK, close, golden, open, overflows, pageOf, report, until} from "./page.mjs";
import {Data, small} from "./data.mjs";

const SIZES = [[1280, 800], [800, 900], [400, 800]];
const MOST_README = 150e3;  // bytes

// The session that is compared with the golden one: another sum, a notification less, a tool more.
function changed() {
  const file = path.join(WORK, "changed.jsonl");
  const lines = readFileSync(`${SOURCE}/corpora/mcp/sessions/golden.jsonl`, "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes('"counted 2"'));
  lines.splice(at, 1);
  writeFileSync(file, lines.join("\n").replace('"sum": 42', '"sum": 43')
    .replace('"tools": [{"name": "ask"', '"tools": [{"name": "search"}, {"name": "ask"'));
  return file;
}

// A session of which the plugin did not read the last messages.
function unread() {
  const data = small();
  data.request("tools/call", {name: "late"}, {label: "late", flags: 32, at: 14e6});
  data.add({kind: 3, dir: 0, method: "notifications/progress", body: "{}", flags: 32, at: 15e6});
  data.add({kind: 7, label: "host-to-plugin closed by its reader, 92 bytes unread: messages 8 to 9 were never read", at: 16e6});
  return pageOf("unread", data.index(), data.bytes());
}

// A session with a finding, and one without messages.
function found() {
  const data = small();
  return pageOf("found", data.index(), data.bytes());
}
const nothing = () => pageOf("nothing", new Data().index(), Buffer.alloc(0));
// What the page says in place of a session that it cannot read.
const damaged = () => pageOf("damaged", {format: 2}, Buffer.alloc(0));

// Name, report, address, keys.
const checked = report("checked", golden("mcp"), "--check");
const compared = report("compared", golden("mcp"), "--compare", changed());
const VIEWS = [
  ["messages", checked, "#m=28", "o"],
  ["both", checked, "#m=14", "]"],
  ["raw", checked, "#m=14", "[ [", ],
  ["sequence", checked, "#v=sequence&m=21", "o"],
  ["statistics", checked, "#v=statistics&m=14", ""],
  ["findings", checked, "#v=findings", ""],
  ["compare", compared, "#v=compare&m=14", "o"],
  ["items", compared, "#v=compare&m=12", ""],
  ["unread", unread(), "#m=8", ""],
  ["filtered", checked, "#f=" + encodeURIComponent("method=tools/* kind=error"), "n"],
  ["wrong", checked, "#f=metod%3Dx", ""],
  ["found", found(), "#v=findings&m=6", ""],
  ["handles", found(), "#m=7", "["],
  ["none", checked, "#f=size%3E1G", ""],
  ["nothing", nothing(), "", ""],
  ["damaged", damaged(), "", ""],
  ["help", checked, "", "?"],
];

async function picture(file, [, address, hash, keys], {width, height, theme}) {
  const {page, troubles} = await open(address, {width, height, theme, hash, wait: false});
  await until(page, () => !/^Loading/.test(document.getElementById("state").innerText) || document.getElementById("state").hidden);
  for (const key of keys.split(" ").filter(Boolean)) await page.keyboard.press(key);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.waitForTimeout(100);  // bodies are unpacked
  if (file) await page.screenshot({path: file});
  const wrong = [...await overflows(page), ...troubles];
  await page.context().close();
  return wrong;
}

const [target, ...only] = process.argv.slice(2);
if (target === "--readme") {
  const file = SOURCE + "/doc/page.png";
  await picture(file, ["", checked, "#m=28", "o"], {width: 1120, height: 560, theme: "light"});
  if (statSync(file).size > MOST_README) throw new Error(`${file} has ${statSync(file).size} bytes: at most ${MOST_README}`);
} else {
  if (target) mkdirSync(target, {recursive: true});
  for (const view of VIEWS.filter(([name]) => only.length === 0 || only.includes(name))) {
    for (const [width, height] of SIZES) {
      for (const theme of ["light", "dark"]) {
        const name = `${view[0]}-${width}-${theme}`;
        const wrong = await picture(target && path.join(target, name + ".png"), view, {width, height, theme});
        if (wrong.length > 0) {
          process.exitCode = 1;
          console.log(`${name}: ${wrong.join("\n    ")}`);
        }
      }
    }
  }
}
await close();
