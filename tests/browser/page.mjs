// Opens pages in a headless Chromium and collects what went wrong in them. The environment has MIDWIRE (the
// command), MIDWIRE_WORK (a folder to write to), MIDWIRE_MODULES (the folder that npm installed to).
import {execFileSync} from "node:child_process";
import {existsSync, readFileSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import path from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {gzipSync} from "node:zlib";

export const SOURCE = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const WORK = process.env.MIDWIRE_WORK;
export const MIDWIRE = process.env.MIDWIRE;
const require = createRequire(process.env.MIDWIRE_MODULES + "/");
export const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
export const PROTOCOLS = ["ainb-v2", "codex", "dap", "desktop-sidecar", "lsp", "mcp", "rootcause", "scriptling"];

let browser;
export async function launch() {
  const {chromium} = require("playwright-core");
  browser = browser || await chromium.launch({executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox"]});
  return browser;
}
export async function close() {
  if (browser) await browser.close();
  browser = undefined;
}

// The page as the command has it, with placeholders in place of data.
export function template() {
  const html = path.join(WORK, "page.html");
  if (!existsSync(html)) {
    execFileSync("cmake", [`-DPAGE=${SOURCE}/view/page`, `-DOUTPUT=${WORK}/page.cc`, `-DHTML=${html}`, "-P",
      `${SOURCE}/cmake/embed_page.cmake`]);
  }
  return readFileSync(html, "utf8");
}

// A file with a page that holds an index (an object) and a blob (bytes).
export function pageOf(name, index, blob) {
  const file = path.join(WORK, name + ".html");
  const packed = (bytes) => gzipSync(bytes).toString("base64");
  writeFileSync(file, template().replace("@MIDWIRE_CONNECT@", "'none'")
    .replace("@MIDWIRE_INDEX@", () => packed(JSON.stringify(index))).replace("@MIDWIRE_BYTES@", () => packed(blob)));
  return file;
}

// A file that `midwire report` wrote.
export function report(name, ...words) {
  const file = path.join(WORK, name + ".html");
  execFileSync(MIDWIRE, ["report", ...words, "-o", file, "--force"], {stdio: ["ignore", "ignore", "pipe"]});
  return file;
}
export const golden = (protocol) => `${SOURCE}/corpora/${protocol}/sessions/golden.pcapng`;

// A page in the browser. `troubles` has each message of the console, each error and each request that left it.
export async function open(address, {width = 1280, height = 800, theme = "light", hash = "", wait = true} = {}) {
  const context = await (await launch()).newContext({viewport: {width, height}, colorScheme: theme});
  const page = await context.newPage();
  const troubles = [];
  page.on("console", (message) => troubles.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => troubles.push(String(error.stack)));
  page.on("dialog", (dialog) => {
    troubles.push("dialog: " + dialog.message());
    dialog.dismiss();
  });
  const url = address.startsWith("http") ? address : String(pathToFileURL(address));
  page.on("request", (request) => {
    const to = request.url();
    if (!/^(data|blob):/.test(to) && to.split("#")[0] !== url && !to.startsWith(url + "api/")) troubles.push("request: " + to);
  });
  await page.goto(url + hash);
  if (wait) await until(page, () => document.getElementById("state").hidden);
  return {page, troubles};
}

// Waits until a function of the page is true. (What Playwright has for it needs eval, which the page forbids.)
export async function until(page, isTrue, argument) {
  const give = Date.now() + 20000;
  while (!await page.evaluate(isTrue, argument)) {
    if (Date.now() > give) throw new Error("never true: " + isTrue);
    await page.waitForTimeout(20);
  }
}

// Elements that reach beyond the page, or whose text does beyond what can be scrolled to: a broken layout.
export const overflows = (page) => page.evaluate(() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth || root.scrollHeight > root.clientHeight) found.push("the page scrolls");
  const clipped = (element) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== "visible") return true;
    }
    return false;
  };
  for (const element of document.body.querySelectorAll("*")) {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || element.closest(".offscreen, [hidden]")) continue;
    if (box.right > root.clientWidth + 1 && !clipped(element)) {
      found.push(`${element.tagName}.${element.className} reaches ${Math.round(box.right)}`);
    }
  }
  // A bar must not hide what is in it.
  for (const selector of ["#bar", "#tools", ".parties", "#detail > .tabs", ".totals"]) {
    for (const bar of document.querySelectorAll(selector)) {
      for (const child of bar.children) {
        const box = child.getBoundingClientRect(), outer = bar.getBoundingClientRect();
        if (getComputedStyle(child).position === "absolute") continue;  // it lies over what is below
        if (box.width > 0 && getComputedStyle(bar).overflowX === "visible" && (box.right > outer.right + 1 || box.bottom > outer.bottom + 1)) {
          found.push(`${selector} > ${child.tagName}.${child.className} is cut`);
        }
      }
    }
  }
  return found;
});
