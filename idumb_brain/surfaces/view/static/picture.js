/* The drawing of the graph on a canvas: what is far away is drawn as less. Knows circles and lines, nothing of what they mean. */

const MANY_LINES = 1_500; // more are drawn together, folder by folder
const FEW_LINES = 500; // while it moves
const OPEN = [0, 14, 26, 42, 64, 96, 140, 200]; // how large a folder must be, in pixels, for lines to lead into it
const MARGIN = 0.3; // of the drawing, on each side, that is kept for when it is moved
const REST = 110; // milliseconds without a movement, then it is drawn anew
const PULL = 0.88; // how far lines are pulled together
const NEAREST = 40;
const MOST_FIT = 7; // a handful of files need not fill the whole page
const STEP = 70; // pixels an arrow key moves

export class Picture {
  constructor(canvas, told) {
    this.canvas = canvas;
    this.told = told; // picked(file | null), hovered(file | null, x, y)
    this.ink = canvas.getContext("2d", { alpha: false });
    this.kept = document.createElement("canvas"); // a larger drawing, of which a part is shown
    this.keptInk = this.kept.getContext("2d", { alpha: false });
    this.view = { x: 0, y: 0, k: 1 }; // the middle, and pixels per unit
    this.drawn = null;
    this.lit = null;
    this.hover = -1;
    this.pointers = new Map();
    this.watch = new ResizeObserver(() => this.resized());
    this.watch.observe(canvas.parentElement);
    this.listen();
  }

  close() {
    this.watch.disconnect();
    clearTimeout(this.resting);
    cancelAnimationFrame(this.frame);
  }

  set({ nodes, leaves, leafOf, root }, edges, colours) {
    const first = !this.leaves;
    Object.assign(this, { nodes, leaves, leafOf, root, colours });
    this.ends = Int32Array.from(edges, (file) => leafOf[file]);
    this.stands = new Int32Array(leaves.length); // the circle that lines to a leaf lead to
    if (first || !this.moved) this.fit();
    else this.again();
  }

  light(lit) {
    this.lit = lit;
    this.again();
  }

  recolour() {
    const style = getComputedStyle(this.canvas);
    const of = (name) => style.getPropertyValue(`--${name}`).trim();
    this.ink_ = Object.fromEntries(
      ["paper", "text", "muted", "folder", "rim", "package", "wire", "imports", "dependents", "circle", "focus"].map((name) => [name, of(name)]),
    );
    this.palette = Array.from({ length: 9 }, (_, at) => of(`hue-${at}`));
    this.font = style.fontFamily;
    this.again();
  }

  /* -- moving ------------------------------------------------------------------------------------------------------- */

  resized() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.density = Math.min(devicePixelRatio || 1, 2);
    Object.assign(this, { width, height });
    this.canvas.width = Math.round(width * this.density);
    this.canvas.height = Math.round(height * this.density);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.kept.width = Math.round(this.canvas.width * (1 + 2 * MARGIN));
    this.kept.height = Math.round(this.canvas.height * (1 + 2 * MARGIN));
    if (!this.ink_) this.recolour();
    if (this.wanted) this.wanted();
    else if (this.root && !this.moved) this.fit();
    else this.again();
  }

  fit() {
    this.moved = false;
    if (!this.root) return;
    this.bring(this.root.inside, 0.95, MOST_FIT);
  }

  /* Move so that these leaves fill the drawing. */
  showAll(leaves, most = this.nearest()) {
    this.moved = true;
    this.bring(leaves.map((leaf) => this.leaves[leaf]), 0.8, most);
  }

  bring(nodes, share, most) {
    const left = Math.min(...nodes.map((n) => n.x - n.r)), right = Math.max(...nodes.map((n) => n.x + n.r));
    const top = Math.min(...nodes.map((n) => n.y - n.r)), bottom = Math.max(...nodes.map((n) => n.y + n.r));
    const k = share * Math.min((this.width || 1) / (right - left + 1), (this.height || 1) / (bottom - top + 1));
    this.view = { x: (left + right) / 2, y: (top + bottom) / 2, k: Math.min(k, most) };
    this.wanted = this.width ? null : () => this.bring(nodes, share, most); // nobody has said yet how large the drawing is
    this.again();
  }

  pan(dx, dy) {
    this.moved = true;
    this.view = { ...this.view, x: this.view.x - dx / this.view.k, y: this.view.y - dy / this.view.k };
    this.move();
  }

  zoom(by, px = this.width / 2, py = this.height / 2) {
    this.moved = true;
    const { x, y, k } = this.view;
    const least = 0.4 * Math.min(this.width, this.height) / (2 * this.root.r);
    const now = Math.min(this.nearest(), Math.max(least, k * by));
    const dx = px - this.width / 2, dy = py - this.height / 2;
    this.view = { k: now, x: x + dx / k - dx / now, y: y + dy / k - dy / now };
    this.move();
  }

  nearest() {
    return NEAREST * Math.max(1, 200 / (this.root?.r ?? 200));
  }

  move() {
    clearTimeout(this.resting);
    this.moving = true;
    this.resting = setTimeout(() => {
      this.moving = false;
      this.again();
    }, REST);
    this.request();
  }

  again() {
    this.drawn = null;
    this.request();
  }

  request() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.paint();
    });
  }

  pressed(event) {
    const moves = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };
    if (moves[event.key]) this.pan(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.3);
    else if (event.key === "-" || event.key === "_") this.zoom(1 / 1.3);
    else if (event.key === "0") this.fit();
    else return false;
    return true;
  }

  listen() {
    const on = (name, act) => this.canvas.addEventListener(name, act, { passive: false });
    const at = (event) => [event.offsetX, event.offsetY];
    let travelled = 0;
    on("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, at(event));
      travelled = 0;
    });
    on("pointermove", (event) => {
      const [x, y] = at(event);
      const before = this.pointers.get(event.pointerId);
      if (!before) return this.point(x, y);
      this.pointers.set(event.pointerId, [x, y]);
      travelled += Math.abs(x - before[0]) + Math.abs(y - before[1]);
      if (this.pointers.size === 1) return this.pan(x - before[0], y - before[1]);
      const [[ox, oy]] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      const was = Math.hypot(before[0] - ox, before[1] - oy), is = Math.hypot(x - ox, y - oy);
      this.zoom(is / Math.max(1, was), (x + ox) / 2, (y + oy) / 2);
      this.pan((x - before[0]) / 2, (y - before[1]) / 2);
    });
    const up = (event) => {
      const pressed = this.pointers.delete(event.pointerId);
      if (pressed && event.type === "pointerup" && travelled < 5) this.pick(...at(event));
    };
    on("pointerup", up);
    on("pointercancel", up);
    on("pointerleave", () => this.point(-1, -1));
    on("wheel", (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 18 : 1;
      this.zoom(Math.exp(-Math.max(-200, Math.min(200, event.deltaY * lines)) * (event.ctrlKey ? 0.01 : 0.0018)), ...at(event));
    });
    on("dblclick", (event) => this.zoom(1.8, ...at(event)));
  }

  point(x, y) {
    const node = this.under(x, y);
    const leaf = node?.file === undefined ? -1 : node.start;
    this.told.hovered(node && node.parent ? node : null, x, y);
    if (leaf === this.hover) return;
    this.hover = leaf;
    this.canvas.style.cursor = node?.parent ? "pointer" : "";
    this.request();
  }

  pick(x, y) {
    const node = this.under(x, y);
    if (node?.file !== undefined) this.told.picked(node.file);
    else if (node?.parent && node.r * this.view.k < 0.4 * Math.min(this.width, this.height)) this.showAll([...Array(node.end - node.start).keys()].map((n) => n + node.start));
    else this.told.picked(null);
  }

  under(px, py) {
    if (!this.root || px < 0) return null;
    const { x, y, k } = this.view;
    const wx = x + (px - this.width / 2) / k, wy = y + (py - this.height / 2) / k;
    const slack = 2 / k;
    const within = (node) => Math.hypot(node.x - wx, node.y - wy) <= node.r + (node.file === undefined ? 0 : slack);
    let found = within(this.root) ? this.root : null;
    for (let next = found; next; found = next ?? found) next = next.inside.find(within);
    return found;
  }

  /* -- drawing ------------------------------------------------------------------------------------------------------ */

  paint() {
    if (!this.width || !this.ink_ || !this.root) return;
    const { view, kept, canvas } = this;
    if (!this.drawn || !this.covers()) {
      this.drawn = { ...view };
      this.keptInk.setTransform(1, 0, 0, 1, 0, 0);
      this.keptInk.fillStyle = this.ink_.paper;
      this.keptInk.fillRect(0, 0, kept.width, kept.height);
      const zoom = view.k * this.density;
      this.keptInk.setTransform(zoom, 0, 0, zoom, kept.width / 2 - view.x * zoom, kept.height / 2 - view.y * zoom);
      this.drawAll(this.keptInk);
    }
    const ratio = view.k / this.drawn.k;
    const width = kept.width * ratio, height = kept.height * ratio;
    const left = canvas.width / 2 - width / 2 - (view.x - this.drawn.x) * view.k * this.density;
    const top = canvas.height / 2 - height / 2 - (view.y - this.drawn.y) * view.k * this.density;
    this.ink.setTransform(1, 0, 0, 1, 0, 0);
    if (ratio < 1) {
      this.ink.fillStyle = this.ink_.paper;
      this.ink.fillRect(0, 0, canvas.width, canvas.height);
    }
    this.ink.imageSmoothingEnabled = ratio !== 1;
    this.ink.drawImage(kept, ratio === 1 ? Math.round(left) : left, ratio === 1 ? Math.round(top) : top, width, height);
    if (this.hover >= 0) this.drawHover();
    if (!this.begun) this.begun = performance.mark("drawn");
  }

  /* Whether what is kept has all that is to be seen, and is not too coarse. */
  covers() {
    const ratio = this.view.k / this.drawn.k;
    if (ratio > 1.9 || ratio < 0.7) return false;
    const wide = (this.width / 2) * (1 + 2 * MARGIN) / this.drawn.k - this.width / 2 / this.view.k;
    const high = (this.height / 2) * (1 + 2 * MARGIN) / this.drawn.k - this.height / 2 / this.view.k;
    return Math.abs(this.view.x - this.drawn.x) <= wide && Math.abs(this.view.y - this.drawn.y) <= high;
  }

  drawAll(ink) {
    const { view } = this;
    const halfWide = (this.width / 2) * (1 + 2 * MARGIN) / view.k, halfHigh = (this.height / 2) * (1 + 2 * MARGIN) / view.k;
    const seen = (node) => Math.abs(node.x - view.x) < halfWide + node.r && Math.abs(node.y - view.y) < halfHigh + node.r;
    const folders = [], leaves = [];
    const walk = (node) => {
      if (!seen(node)) return;
      if (node.file !== undefined) return leaves.push(node);
      folders.push(node);
      if (node.r * view.k > 2.5) node.inside.forEach(walk);
    };
    walk(this.root);
    this.drawFolders(ink, folders);
    if (!this.lit) this.drawLines(ink, seen);
    this.drawLeaves(ink, leaves);
    if (this.lit) this.drawLit(ink);
    this.drawNames(ink, folders, leaves);
  }

  drawFolders(ink, folders) {
    ink.fillStyle = this.ink_.folder;
    ink.lineWidth = 1 / this.view.k;
    for (const node of folders) {
      if (!node.parent) continue;
      ink.beginPath();
      ink.arc(node.x, node.y, node.r, 0, 2 * Math.PI);
      ink.fill();
      ink.strokeStyle = node.package ? this.ink_.package : this.ink_.rim;
      if (node.r * this.view.k > 4) ink.stroke();
    }
  }

  drawLeaves(ink, leaves) {
    const groups = new Map();
    for (const leaf of leaves) {
      const colour = this.colours[leaf.file];
      const faint = this.lit && !this.lit.all.has(leaf.start);
      const key = faint ? -1 - colour : colour;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(leaf);
    }
    const tiny = 1.1 / this.view.k;
    for (const [key, some] of groups) {
      ink.globalAlpha = key < 0 ? 0.22 : 1;
      ink.fillStyle = this.palette[key < 0 ? -1 - key : key];
      ink.beginPath();
      for (const { x, y, r } of some) {
        if (r < tiny) ink.rect(x - r, y - r, 2 * r, 2 * r);
        else {
          ink.moveTo(x + r, y);
          ink.arc(x, y, r, 0, 2 * Math.PI);
        }
      }
      ink.fill();
    }
    ink.globalAlpha = 1;
  }

  /* Lines between files, or between folders where there would be too many; the wider the more imports. */
  drawLines(ink, seen) {
    let between = new Map();
    for (const least of OPEN) {
      between = this.between(least, seen);
      if (between.size <= (this.moving ? FEW_LINES : MANY_LINES)) break;
    }
    const few = Math.min(0.8, Math.max(0.28, 180 / between.size));
    const rows = [[], [], [], []]; // by how many imports a line stands for
    for (const [key, count] of between) rows[count > 40 ? 3 : count > 10 ? 2 : count > 2 ? 1 : 0].push(key);
    ink.strokeStyle = this.ink_.wire;
    rows.forEach((keys, at) => {
      ink.lineWidth = ((between.size < 120 ? 1.3 : 0.8) + at * 0.6) / this.view.k;
      ink.globalAlpha = few * (0.7 + 0.1 * at);
      ink.beginPath();
      for (const key of keys) this.line(ink, this.nodes[Math.floor(key / this.nodes.length)], this.nodes[key % this.nodes.length]);
      ink.stroke();
    });
    ink.globalAlpha = 1;
  }

  between(least, seen) {
    const { stands, ends, nodes, view } = this;
    const visible = new Uint8Array(nodes.length);
    const walk = (node) => {
      const here = seen(node);
      const open = node.file === undefined && here && (node.r * view.k >= least || !node.parent);
      if (open) return node.inside.forEach(walk);
      visible[node.at] = here ? 1 : 0;
      stands.fill(node.at, node.start, node.end);
    };
    walk(this.root);
    const between = new Map();
    for (let at = 0; at < ends.length; at += 2) {
      const from = stands[ends[at]], to = stands[ends[at + 1]];
      if (from === to || !(visible[from] || visible[to])) continue;
      const key = from * nodes.length + to;
      between.set(key, (between.get(key) ?? 0) + 1);
    }
    return between;
  }

  /* From one circle to another by way of the folders that they have not in common, so that what goes the same way lies together. */
  line(ink, from, to) {
    let one = from, other = to;
    while (one.depth > other.depth) one = one.parent;
    while (other.depth > one.depth) other = other.parent;
    while (one.parent !== other.parent) [one, other] = [one.parent, other.parent];
    const dx = to.x - from.x, dy = to.y - from.y;
    const [ax, ay] = one === from ? [from.x + dx * 0.35 - dy * 0.1, from.y + dy * 0.35 + dx * 0.1] : [from.x + (one.x - from.x) * PULL, from.y + (one.y - from.y) * PULL];
    const [bx, by] = other === to ? [to.x - dx * 0.35 - dy * 0.1, to.y - dy * 0.35 + dx * 0.1] : [to.x + (other.x - to.x) * PULL, to.y + (other.y - to.y) * PULL];
    const [sx, sy] = rim(from, ax, ay), [ex, ey] = rim(to, bx, by);
    ink.moveTo(sx, sy);
    ink.bezierCurveTo(ax, ay, bx, by, ex, ey);
  }

  /* `lit`: the leaf it is about, lines by their ink, and which leaves have to do with it. */
  drawLit(ink) {
    const { lit, view } = this;
    for (const { colour, lines, alpha, width } of lit.lines) {
      ink.strokeStyle = this.ink_[colour];
      ink.globalAlpha = alpha;
      ink.lineWidth = width / view.k;
      ink.beginPath();
      for (const [from, to] of lines) this.line(ink, this.leaves[from], this.leaves[to]);
      ink.stroke();
    }
    for (const { colour, leaves, alpha } of lit.rings) {
      ink.strokeStyle = this.ink_[colour];
      ink.globalAlpha = alpha;
      ink.lineWidth = 2 / view.k;
      ink.beginPath();
      for (const leaf of leaves) this.ring(ink, this.leaves[leaf], 1.6);
      ink.stroke();
    }
    ink.globalAlpha = 1;
    if (lit.at < 0) return;
    ink.strokeStyle = this.ink_.focus;
    ink.lineWidth = 3 / view.k;
    ink.beginPath();
    this.ring(ink, this.leaves[lit.at], 3);
    ink.stroke();
  }

  ring(ink, node, gap) {
    const r = Math.max(node.r, 1.5 / this.view.k) + gap / this.view.k;
    ink.moveTo(node.x + r, node.y);
    ink.arc(node.x, node.y, r, 0, 2 * Math.PI);
  }

  drawHover() {
    const node = this.leaves[this.hover], { x, y, k } = this.view, { ink } = this;
    ink.setTransform(this.density, 0, 0, this.density, 0, 0);
    ink.strokeStyle = this.ink_.focus;
    ink.lineWidth = 2;
    ink.beginPath();
    ink.arc((node.x - x) * k + this.width / 2, (node.y - y) * k + this.height / 2, Math.max(node.r * k, 2) + 2, 0, 2 * Math.PI);
    ink.stroke();
  }

  /* Names that have room, the largest circle first; none upon another. */
  drawNames(ink, folders, leaves) {
    const { k, x, y } = this.view;
    const taken = [];
    const middle = [this.kept.width / this.density / 2, this.kept.height / this.density / 2];
    ink.setTransform(this.density, 0, 0, this.density, 0, 0);
    ink.textAlign = "center";
    ink.textBaseline = "middle";
    ink.lineJoin = "round";
    const put = (name, size, weight, px, py, room, colour) => {
      ink.font = `${weight} ${size}px ${this.font}`;
      const text = fitted(ink, name, room);
      if (!text) return;
      const wide = ink.measureText(text).width / 2 + 3;
      const box = [px - wide, py - size * 0.7, px + wide, py + size * 0.7];
      if (taken.some((one) => one[0] < box[2] && box[0] < one[2] && one[1] < box[3] && box[1] < one[3])) return;
      taken.push(box);
      ink.strokeStyle = this.ink_.paper;
      ink.globalAlpha = 0.85;
      ink.lineWidth = 3.5;
      ink.strokeText(text, px, py);
      ink.globalAlpha = 1;
      ink.fillStyle = colour;
      ink.fillText(text, px, py);
    };
    const lit = this.lit ? [...this.lit.named].map((leaf) => this.leaves[leaf]) : [];
    for (const node of lit) {
      const px = (node.x - x) * k + middle[0], py = (node.y - y) * k + middle[1];
      put(node.name, 12, node.start === this.lit.at ? 700 : 500, px, py - node.r * k - 10, 260, this.ink_.text);
    }
    for (const node of [...folders].sort((a, b) => b.r - a.r)) {
      const r = node.r * k;
      if (!node.parent || r < 22 || r > 3 * Math.max(this.width, this.height)) continue;
      const px = (node.x - x) * k + middle[0], py = (node.y - y) * k + middle[1];
      const size = r > 150 ? 14 : r > 70 ? 12.5 : 11;
      const high = r > 46 ? py - r + size * 0.95 : py;
      put(node.name, size, node.package ? 650 : 550, px, high, r > 46 ? r * 1.3 : r * 2.3, this.ink_.text);
    }
    for (const node of leaves) {
      const r = node.r * k;
      if (r < 9) continue;
      ink.font = `450 11px ${this.font}`;
      const inside = ink.measureText(node.name).width < r * 1.9;
      put(node.name, 11, 450, (node.x - x) * k + middle[0], (node.y - y) * k + middle[1] + (inside ? 0 : r + 8), Math.max(r * 4, 60), this.ink_.text);
    }
  }
}

/* Where the border of a circle is on the way to a point. */
function rim({ x, y, r }, px, py) {
  const dx = px - x, dy = py - y;
  const far = Math.hypot(dx, dy) || 1;
  const part = Math.min(r / far, 1);
  return [x + dx * part, y + dy * part];
}

function fitted(ink, name, room) {
  if (ink.measureText(name).width <= room) return name;
  const fits = Math.floor((name.length * room) / ink.measureText(name).width) - 1;
  return fits < Math.max(4, name.length * 0.55) ? "" : `${name.slice(0, fits)}…`;
}
