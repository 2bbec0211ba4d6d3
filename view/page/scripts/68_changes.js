// Differences of two messages in words and as places: of a comparison, and of a replay. An array of named objects is
// described item by item, as `midwire diff` does.

// By kind of change: its sign, and what stands behind the item. A Map, as data may have any word in place of a kind.
const ITEM_CHANGES = new Map([
  ["new", ["+", (change) => `at ${change.at}`]],
  ["gone", ["\u2212", (change) => `from ${change.from}`]],
  ["moved", ["\u2195", (change) => `${change.from} \u2192 ${change.at}`]],
  ["differs", ["\u2260", (change, items) =>
    `${itemPlace(items, change)} ${orNothing(change.expected)} \u2192 ${orNothing(change.got)}`]],
]);
const NO_CHANGE = ["", () => ""];

const orNothing = (text) => text || "nothing";

const countText = ({recorded, came}) => (recorded === came ? counted(came, "item") : `${recorded} \u2192 ${counted(came, "item")}`);

// The end of a long pointer: in a narrow column, values are worth more than the way to them.
const LONG_PLACE = 24;
function placeEnd(pointer = "") {
  const last = pointer.lastIndexOf("/");
  return pointer.length > LONG_PLACE && last > 0 ? "\u2026" + pointer.slice(last) : pointer;
}

// What changed between two messages, in a line. `place` makes a pointer shorter.
function changeText(change, place = (pointer) => pointer) {
  // The message itself says the rest.
  if (change.a < 0 || change.b < 0) return change.kind;
  const {items} = change;
  if (items) {
    return `${place(items.pointer)} ${countText(items)}: ` + itemTexts(items).map(([sign, text]) => `${sign} ${text}`).join(", ");
  }
  return [change.kind === "differs" ? "" : change.kind, place(change.pointer),
    change.expected || change.got ? `${orNothing(change.expected)} \u2192 ${orNothing(change.got)}` : change.text]
    .filter(Boolean).join(" ");
}

// For each change its sign and its text; the last one counts those that are not listed.
function itemTexts(items) {
  const texts = items.changes.map((change) => {
    const [sign, words] = ITEM_CHANGES.get(change.change) || NO_CHANGE;
    return [sign, `${change.item} ${words(change, items)}`];
  });
  if (items.count > texts.length) texts.push(["", `and ${counted(items.count - texts.length, "more change")}`]);
  return texts;
}

// The place in the item: what follows its index.
function itemPlace(items, change) {
  return (change.pointer || "").slice(`${items.pointer}/${change.from}`.length);
}

// The same as lines.
function itemLines(items) {
  return el("div", {class: "items"},
    el("p", {}, el("code", {}, visible(cut(items.pointer, 300))), " " + countText(items)),
    ...itemTexts(items).map(([sign, text]) => el("p", {class: "item"}, el("b", {}, sign), el("span", {}, visible(cut(text, 600))))));
}

// JSON pointers of what changed, in the message before (`before`) or in the one after it.
function changedPlaces(change, before) {
  const {items} = change;
  if (!items) return change.pointer ? [change.pointer] : [];
  return items.changes.flatMap((item) => {
    const index = before ? item.from : item.at;
    if (index === undefined) return [];
    return [`${items.pointer}/${index}` + (item.change === "differs" ? itemPlace(items, item) : "")];
  });
}
