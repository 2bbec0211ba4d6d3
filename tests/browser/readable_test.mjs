// Each view fits its window, in two themes, and has names, roles and contrast for all readers.
import assert from "node:assert/strict";
import {after, test} from "node:test";
import {axe, close, open, overflows, pageOf} from "./page.mjs";
import {small} from "./data.mjs";

const data = small();
const file = pageOf("readable", data.index(), data.bytes());
after(close);

for (const view of ["messages", "sequence", "statistics", "findings"]) {
  for (const [width, theme] of [[1280, "light"], [800, "dark"], [400, "light"]]) {
    test(`${view} at ${width} pixels, ${theme}`, async () => {
      const {page, troubles} = await open(file, {width, theme, hash: "#v=" + view});
      await page.keyboard.press("n");
      assert.deepEqual(await overflows(page), []);
      await page.evaluate(axe);
      const {violations} = await page.evaluate(() => window.axe.run(document));
      assert.deepEqual(violations.map(({id, nodes}) => [id, nodes.map((node) => node.html + node.failureSummary)]), []);
      assert.deepEqual(troubles, []);
      await page.context().close();
    });
  }
}

test("the help is readable", async () => {
  const {page} = await open(file, {width: 400});
  await page.keyboard.press("?");
  assert.deepEqual(await overflows(page), []);
  await page.evaluate(axe);
  const {violations} = await page.evaluate(() => window.axe.run("#help"));
  assert.deepEqual(violations.map(({id}) => id), []);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#help").count(), 0);
});
