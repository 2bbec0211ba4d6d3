// Elements. Text from a trace only ever becomes text nodes.

// el("button", {class: "x", title: "...", on: {click: f}}, "text", child...)
function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "on") {
      for (const [event, f] of Object.entries(value)) element.addEventListener(event, f);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== undefined && value !== null) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

const byId = (id) => document.getElementById(id);
const button = (text, title, click, properties = {}) =>
  el("button", {type: "button", title, on: {click}, ...properties}, text);
const number = (text, properties = {}) => el("td", {class: "n", ...properties}, text);

// A method that does not fit breaks behind its slashes, not inside a word.
const broken = (text) => text.split(/(?<=\/)/).flatMap((part, i) => (i === 0 ? [part] : [el("wbr"), part]));

// What a header of a column or a fact is called, and its value.
// Name and value stay on one line, as far as they fit.
const fact = (name, value) => el("div", {}, el("dt", {}, name), el("dd", {}, value));

function svg(tag, properties, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Words in place of a view that has nothing to show.
const empty = (text, ...more) => el("div", {class: "empty"}, el("p", {}, text), ...more);

// Settings that outlive the page, where the browser allows it.
const remembered = {
  get(key) {
    try {
      return localStorage.getItem("midwire." + key);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem("midwire." + key, value);
    } catch {
      // A page opened as a file may have no storage: the setting lasts as long as the page.
    }
  },
};

function save(name, bytes, type) {
  const address = URL.createObjectURL(new Blob([bytes], {type}));
  const link = el("a", {href: address, download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

async function copy(text, from) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", {class: "offscreen", readonly: true, "aria-hidden": "true"});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  if (!from) return;
  const before = from.textContent;
  from.style.minWidth = from.offsetWidth + "px";
  from.textContent = "copied";
  setTimeout(() => { from.textContent = before; }, 1200);
}
