// The scripts of the page without a browser: their functions, for tests.
import {readFileSync, readdirSync} from "node:fs";
import {SOURCE} from "./page.mjs";

export function load(names, exported) {
  const folder = SOURCE + "/view/page/scripts/";
  const text = readdirSync(folder).sort().filter((name) => names.some((n) => name.startsWith(n)))
    .map((name) => readFileSync(folder + name, "utf8")).join("\n");
  return new Function(`"use strict";\n${text}\nreturn {${exported}};`)();
}
