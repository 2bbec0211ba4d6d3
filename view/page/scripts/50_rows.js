// Rows of a fixed height in a scrolled box. Up to MOST_WHOLE rows all of them are in the document, so that find in
// page, printing and screen readers see them; of more only those in sight and SPARE on each side.

const MOST_WHOLE = 1000, SPARE = 20;

class Rows {
  // box: what scrolls. body: where rows go. spacer(): an element whose height is set. make(index): a row.
  constructor({box, body, spacer, make, height}) {
    Object.assign(this, {box, body, make, height});
    this.above = spacer();
    this.below = spacer();
    this.count = 0;
    this.from = 0;
    this.made = [];
    box.addEventListener("scroll", () => this.fill(), {passive: true});
    new ResizeObserver(() => this.fill()).observe(box);
  }

  get whole() { return this.count <= MOST_WHOLE; }

  // Everything anew.
  show(count) {
    this.count = count;
    this.from = 0;
    this.made = [];
    this.body.replaceChildren(this.above, this.below);
    this.fill();
  }

  // `count` rows, of which the first ones have not changed.
  grow(count) {
    const atEnd = this.atEnd();
    const wasWhole = this.whole;
    this.count = count;
    if (wasWhole && !this.whole) this.show(count); else this.fill();
    if (atEnd) this.box.scrollTop = this.box.scrollHeight;
  }
  atEnd() { return this.box.scrollTop + this.box.clientHeight >= this.box.scrollHeight - this.height; }

  range() {
    if (this.whole) return [0, this.count];
    const first = Math.floor((this.box.scrollTop - this.top()) / this.height);
    const shown = Math.ceil(this.box.clientHeight / this.height);
    return [Math.max(0, Math.min(first, this.count) - SPARE), Math.max(0, Math.min(this.count, first + shown + SPARE))];
  }
  // Where the first row begins in what is scrolled: below a header that sticks.
  top() { return this.body === this.box ? 0 : this.body.offsetTop; }

  fill() {
    const [from, to] = this.range();
    if (from === this.from && to - from === this.made.length) return;
    const kept = new Map();
    this.made.forEach((row, i) => kept.set(this.from + i, row));
    const made = [];
    for (let index = from; index < to; ++index) made.push(kept.get(index) || this.make(index));
    this.from = from;
    this.made = made;
    this.above.style.height = from * this.height + "px";
    this.below.style.height = (this.count - to) * this.height + "px";
    this.above.hidden = from === 0;
    this.below.hidden = to === this.count;
    this.body.replaceChildren(this.above, ...made, this.below);
  }

  element(index) { return this.made[index - this.from] || null; }

  // Makes row `index` visible, with two rows around it.
  reveal(index) {
    if (index < 0 || index >= this.count) return;
    const top = this.top() + index * this.height;
    const head = this.top();
    const low = this.box.scrollTop + head + 2 * this.height;
    const high = this.box.scrollTop + this.box.clientHeight - 3 * this.height;
    if (top < low || top > high) {
      const far = top < low - this.box.clientHeight || top > high + this.box.clientHeight;
      if (far) this.box.scrollTop = top - this.box.clientHeight / 2;
      else if (top < low) this.box.scrollTop = top - head - 2 * this.height;
      else this.box.scrollTop = top - this.box.clientHeight + 3 * this.height;
    }
    this.fill();
  }
}
