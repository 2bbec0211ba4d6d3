// The filter of the page and `midwire show --where` are one language: the same cases (tests/trace/filter_cases_test.cc).
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";
import {SOURCE} from "./page.mjs";
import {load} from "./scripts.mjs";

const {compileFilter, bytesOf, FilterError} = load(["00", "10", "20"], "compileFilter, bytesOf, FilterError");
const {cases, errors} = JSON.parse(readFileSync(SOURCE + "/tests/golden/filter-cases.json", "utf8"));

test("each line matches or not, as in show", () => {
  assert.ok(cases.length > 80);
  for (const [filter, given, expected] of cases) {
    const line = {kind: "", ...given, holds: (bytes) => bytesOf(given.text || "").includes(bytes)};
    assert.equal(compileFilter(filter).matches(line), expected, filter);
  }
});

test("each wrong filter is refused with the message of show", () => {
  assert.ok(errors.length > 20);
  for (const [filter, message] of errors) {
    assert.throws(() => compileFilter(filter), (error) => {
      assert.ok(error instanceof FilterError);
      assert.equal(error.message, message, filter);
      return true;
    });
  }
});

test("depth and terms have the limits of show", () => {
  assert.throws(() => compileFilter("(".repeat(100000) + "id=1"), /at most 64 levels/);
  assert.throws(() => compileFilter("id=1 ".repeat(2000)), /at most 1024 terms/);
});

test("a glob takes no exponential time", () => {
  const {matches} = compileFilter("method=" + "*a".repeat(200) + "b");
  assert.equal(matches({method: "a".repeat(4000)}), false);
});
