// Bytes as hex and text; the header of a message is marked.

const FIRST_BYTES = 2048, MORE_BYTES = 32768;

const WIDE_HEX = 75;  // characters of a line of 16 bytes

// `room`: characters that fit side by side. Where 16 bytes and their text do not, a line has 8.
function hexView(bytes, header, body, room) {
  const pre = el("pre", {class: "hex", tabindex: "0", "aria-label": "Bytes of the message"});
  const line = room >= WIDE_HEX ? 16 : 8;
  let shown = 0;
  const hex = Array.from({length: 256}, (_, i) => i.toString(16).padStart(2, "0"));
  const printable = (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "\u00b7");
  const part = (at) => (at < header ? "head" : at < header + body ? "" : "tail");
  const append = (to) => {
    const pieces = [];
    for (; shown < to; shown += line) {
      const here = bytes.subarray(shown, Math.min(shown + line, bytes.length));
      pieces.push(el("span", {class: "dim"}, shown.toString(16).padStart(6, "0") + "  "));
      for (const show of [(b) => hex[b] + " ", printable]) {
        let text = "", kind = part(shown);
        const flush = () => {
          if (text) pieces.push(kind ? el("span", {class: kind}, text) : text);
          text = "";
        };
        for (let i = 0; i < line; ++i) {
          if (i < here.length && part(shown + i) !== kind) {
            flush();
            kind = part(shown + i);
          }
          text += i < here.length ? show(here[i]) : show === printable ? " " : "   ";
          if (i === 7 && show !== printable) text += " ";
        }
        flush();
        pieces.push(show === printable ? "\n" : " ");
      }
    }
    pre.append(...pieces);
  };
  append(Math.min(FIRST_BYTES, bytes.length));
  const more = button("", "Show more bytes", () => {
    append(Math.min(shown + MORE_BYTES, bytes.length));
    label();
  }, {class: "more"});
  const label = () => {
    more.textContent = `${grouped(bytes.length - shown)} more bytes`;
    more.hidden = shown >= bytes.length;
  };
  label();
  return el("div", {}, pre, more);
}

function textView(bytes) {
  let shown = FIRST_TEXT * 10;
  const text = visibleLines(decode(bytes));
  const pre = el("pre", {class: "text raw", tabindex: "0", "aria-label": "Text of the message"}, text.slice(0, shown));
  if (text.length <= shown) return pre;
  const more = button(`${grouped(text.length - shown)} more characters`, "Show more", () => {
    shown += MORE_TEXT;
    pre.textContent = text.slice(0, shown);
    more.hidden = shown >= text.length;
    more.textContent = `${grouped(text.length - shown)} more characters`;
  }, {class: "more"});
  return el("div", {}, pre, more);
}
