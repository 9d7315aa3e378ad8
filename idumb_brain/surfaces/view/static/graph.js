/* The graph of imports: the drawing, and beside it in words what is in it, or all about one file. */

import { counted, empty, fileLink, h, link, mark, number, section, some, table, to } from "./dom.js";
import { Picture } from "./picture.js";
import { placed } from "./places.js";

const HUES = 8; // languages with a colour of their own; the ninth is for the rest
const FOUND = 12;
let state = null; // what is on the page now

export const graph = {
  title: "Graph",
  sources: ["index", "brain"],
  waiting: "Reading the graph …",

  async load(ask, [path]) {
    const [data, file] = await Promise.all([ask("graph"), path ? ask("file", { path }).catch((error) => ({ error })) : null]);
    return { data, file };
  },

  show(place, { data, file }, _, { go, anew }) {
    if (!data.files.length) {
      graph.leave();
      place.replaceChildren(h("div", { class: "page" }, empty("No code here yet", "The graph is made of files that import each other. Nothing that was scanned is code.", "After the next idumb-brain scan this page shows it by itself.")));
      return;
    }
    if (!state) build(place, go);
    state.whole = data;
    if (file && !file.error && !isShown(file.path)) state.bare = false;
    take();
    tell(file);
    if (anew && state.lit?.near) state.picture.showAll(state.lit.near, 6);
  },

  leave() {
    state?.picture.close();
    state = null;
  },

  recolour: () => state?.picture.recolour(),

  pressed(event) {
    if (!state) return false;
    if (event.key === "Escape") return state.file || state.lit ? (state.clear(), true) : false;
    const inPanel = state.panel.contains(event.target);
    return !(inPanel && event.key.startsWith("Arrow")) && state.picture.pressed(event);
  },
};

function build(place, go) {
  const canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": "The graph of imports. Arrows move it, plus and minus zoom, 0 shows all." });
  const tip = h("div", { class: "tip", hidden: true });
  const legend = h("ul", { class: "legend", "aria-label": "Languages" });
  const bare = h("input", { type: "checkbox", id: "bare" });
  bare.addEventListener("change", () => {
    state.bare = bare.checked;
    if (state.file) state.clear();
    take();
    tell(null);
    state.picture.fit();
  });
  const panel = h("aside", { class: "panel", "aria-label": "About the graph", "data-scroll": "panel" });
  const search = finder(go);
  const zoom = (text, label, act) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
  const stage = h("div", { class: "stage" }, canvas, tip, legend,
    h("div", { class: "zoom" },
      zoom("+", "Nearer", () => state.picture.zoom(1.4)), zoom("−", "Farther", () => state.picture.zoom(1 / 1.4)), zoom("⤢", "Show all", () => state.picture.fit())));
  place.replaceChildren(h("div", { class: "graph" }, stage, h("div", { class: "side" }, h("h1", { class: "unseen" }, "Graph"), search.box, h("label", { class: "choice" }, bare, " without tests, fixtures and examples"), panel)));
  const picture = new Picture(canvas, {
    picked: (file) => (file === null ? state.clear() : go("graph", state.data.files[file][0])),
    hovered: (node, x, y) => hint(tip, node, x, y),
  });
  state = { lit: null, file: null, whole: null, picture, legend, panel, search, data: null, bare: false, box: bare, clear: () => { state.lit = null; if (location.hash === to("graph")) tell(null); else go("graph"); } };
}

const LEFT_OUT = new Set(["test", "fixture", "example", "bench"]);

const isShown = (path) => !state.bare || !state.whole.files.some((one) => one[0] === path && LEFT_OUT.has(one[3]));

/* What is drawn: all there is, or what is shipped. */
function narrowed(whole) {
  if (!state.bare) return whole;
  const again = new Map();
  const files = whole.files.filter((one, at) => !LEFT_OUT.has(one[3]) && again.set(at, again.size));
  const edges = [];
  for (let at = 0; at < whole.edges.length; at += 2)
    if (again.has(whole.edges[at]) && again.has(whole.edges[at + 1])) edges.push(again.get(whole.edges[at]), again.get(whole.edges[at + 1]));
  const cycles = whole.cycles.filter((circle) => circle.every((file) => again.has(file))).map((circle) => circle.map((file) => again.get(file)));
  const folders = new Set(files.flatMap(([path]) => path.split("/").map((_, at, parts) => parts.slice(0, at).join("/"))));
  return { ...whole, files, edges, cycles, packages: whole.packages.filter((one) => folders.has(one.path)) };
}

function take() {
  state.box.checked = state.bare;
  const data = narrowed(state.whole);
  if (same(state.data, data)) return;
  state.data = data;
  state.number = new Map(data.files.map(([path], at) => [path, at]));
  const begun = performance.now();
  state.layout = placed(data.files, data.packages);
  performance.measure("layout", { start: begun, end: performance.now() });
  const { names, of } = groups(data);
  state.legend.setAttribute("aria-label", "Colours");
  state.legend.replaceChildren(...names.slice(0, 7).map(([name, many], hue) =>
    h("li", {}, h("span", { class: `dot hue-${hue}` }), `${name} `, h("span", { class: "muted" }, number(many)))));
  state.picture.set(state.layout, data.edges, of);
}

/* What colours tell: languages; of a project in one language, its largest folders. */
function groups({ files }) {
  const counted = (some) => [...some.reduce((counts, name) => counts.set(name, (counts.get(name) ?? 0) + 1), new Map())]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  let of = files.map(([, language]) => language || "other");
  const shipped = of.filter((_, at) => !LEFT_OUT.has(files[at][3]));
  if (shipped.length && counted(shipped)[0][1] > 0.8 * shipped.length) of = byFolder(files);
  const names = counted(of).filter(([name]) => name);
  const hues = new Map(names.map(([name], at) => [name, Math.min(at, HUES)]));
  return { names, of: of.map((name) => hues.get(name) ?? HUES) };
}

/* Folders of the top, of which the largest is opened until there are as many as there are colours. Tests have none. */
function byFolder(files) {
  const shipped = files.filter((one) => !LEFT_OUT.has(one[3]));
  const folder = ([path]) => path.split("/").slice(0, -1);
  const named = folderOf(shipped.map(folder));
  const names = new Map(shipped.map((one, at) => [one, named[at]]));
  return files.map((one) => names.get(one) ?? "");
}

function folderOf(folders) {
  const cut = new Set();
  const name = (parts) => {
    let depth = 1;
    while (depth < parts.length && cut.has(parts.slice(0, depth).join("/"))) depth++;
    return parts.slice(0, depth).join("/") || ".";
  };
  for (let round = 0; round < HUES; round++) {
    const sizes = folders.map(name).reduce((counts, one) => counts.set(one, (counts.get(one) ?? 0) + 1), new Map());
    const [largest, many] = [...sizes].sort((a, b) => b[1] - a[1]).find(([name]) => !cut.has(name)) ?? ["", 0];
    if (sizes.size >= HUES || many < folders.length / 8) break;
    cut.add(largest);
  }
  return folders.map(name);
}

/* -- beside the drawing -------------------------------------------------------------------------------------------- */

function tell(file) {
  state.file = file && !file.error ? file : null;
  state.panel.setAttribute("aria-label", state.file ? `About ${state.file.path}` : "About the graph");
  if (file?.error) {
    state.panel.replaceChildren(empty(file.error.what, file.error.why, file.error.instead), h("p", {}, link("Back to the whole graph", "graph")));
    state.picture.light(null);
  } else if (file) {
    state.panel.replaceChildren(...about(file));
    state.lit = litBy(file);
    state.picture.light(state.lit);
  } else {
    if (state.lit?.near) state.lit = null; // what was lit was a file; a cycle stays
    state.panel.replaceChildren(...overview());
    state.picture.light(state.lit);
  }
}

function overview() {
  const { files, edges, cycles, packages } = state.data;
  const needed = new Map();
  for (let at = 1; at < edges.length; at += 2) needed.set(edges[at], (needed.get(edges[at]) ?? 0) + 1);
  const foremost = [...needed].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 40);
  return [
    h("header", { class: "head" },
      h("h2", {}, state.data.name),
      h("p", { class: "muted" }, `${counted(files.length, "file")}, ${counted(edges.length / 2, "import")} between them`)),
    section("Imported by most", some(foremost, ([file, many]) => h("li", {}, fileLink(files[file][0]), h("span", { class: "count" }, number(many))), 8)),
    section(cycles.length ? `${counted(cycles.length, "cycle")}` : "Cycles",
      cycles.length ? some(cycles, cycle, 6) : h("p", { class: "muted" }, "No files import each other in a circle.")),
    packages.length > 1 ? section(counted(packages.length, "package"), some(packages, (one) => h("li", { class: "reason" }, one.name, " ", mark(one.ecosystem), h("span", { class: "why" }, one.path || "at the top")), 6)) : null,
  ].filter(Boolean);
}

function cycle(circle) {
  const names = circle.map((file) => short(state.data.files[file][0]));
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  return h("li", {}, h("button", { type: "button", class: "plain", "data-key": `cycle ${circle.join(" ")}`, onclick: () => lightCycle(circle) }, `${shown.join(" → ")} → ${names[0]}`));
}

function lightCycle(circle) {
  const leaves = circle.map((file) => state.layout.leafOf[file]);
  state.lit = {
    at: -1, all: new Set(leaves), named: new Set(leaves),
    lines: [{ colour: "circle", alpha: 0.95, width: 2, lines: leaves.map((leaf, at) => [leaf, leaves[(at + 1) % leaves.length]]) }],
    rings: [{ colour: "circle", alpha: 1, leaves }],
  };
  state.picture.light(state.lit);
  state.picture.showAll(leaves);
}

function about(file) {
  const cycles = state.data.cycles.filter((circle) => circle.includes(state.number.get(file.path)));
  const parts = file.path.split("/");
  const near = (one) => h("li", {}, fileLink(one.path), h("span", { class: "count" }, `line ${one.line}`));
  return [
    h("header", { class: "head" },
      h("p", { class: "crumbs" }, link("graph", "graph"), parts.length > 1 ? ` / ${parts.slice(0, -1).join(" / ")}` : ""),
      h("h2", { class: "path" }, parts.at(-1)),
      h("p", { class: "muted" }, [file.language, counted(file.lines, "line"), file.role !== "source" ? file.role : null, file.package].filter(Boolean).join(" · "))),
    h("dl", { class: "figures" },
      figure("imports", file.imports.length, "imports"), figure("dependents", file.dependents.length, "dependents"),
      figure("affected", file.impactCount, "dependents"), figure("cycles", cycles.length, "circle")),
    section("What a change may break", file.impactCount
      ? some(file.impact, (one) => h("li", { class: "reason" }, fileLink(one.path), h("span", { class: "why" }, one.depth === 1 ? `imports it in line ${one.line}` : `${one.depth} steps away: imports ${short(one.via)} in line ${one.line}`)), 8)
      : h("p", { class: "muted" }, "No file imports it.")),
    section("Imports", some(file.imports, near, 8), file.external.length ? h("p", { class: "muted" }, `and from outside: ${file.external.join(", ")}`) : null,
      file.unresolved.length ? some(file.unresolved, (one) => h("li", { class: "reason" }, h("span", { class: "path" }, one.text), h("span", { class: "why" }, `line ${one.line}: ${one.reason}`)), 4) : null),
    section("Imported by", file.dependents.length ? some(file.dependents, near, 8) : null),
    section("Cycles", cycles.length ? some(cycles, cycle, 4) : null),
    section("Known about it", file.entries.map((one) => h("p", {}, link(one.title, "brain", one.id), " ", mark(one.type))),
      file.anchors.map((one) => h("p", {}, mark(one.priority, one.priority), " ", one.content))),
    section(counted(file.symbolCount, "symbol"), file.symbols.length
      ? some(file.symbols.filter((one) => one.exported).concat(file.symbols.filter((one) => !one.exported)), (one) =>
        h("li", { class: "reason" }, h("span", { class: one.exported ? "path" : "path muted" }, one.name), h("span", { class: "why" }, [`${one.kind}, line ${one.line}`, one.doc].filter(Boolean).join(" · "))), 8) : null),
  ].filter(Boolean);
}

const figure = (name, value, kind) => h("div", {}, h("dd", { class: `ink-${kind}` }, number(value)), h("dt", {}, name));

function litBy(file) {
  const leaf = (path) => state.layout.leafOf[state.number.get(path)];
  const at = leaf(file.path);
  if (at === undefined) return null;
  const known = (some) => some.filter((one) => state.number.has(one.path));
  const imports = known(file.imports).map((one) => leaf(one.path));
  const dependents = known(file.dependents).map((one) => leaf(one.path));
  const beyond = known(file.impact).filter((one) => one.depth > 1 && state.number.has(one.via));
  return {
    at,
    near: [at, ...imports, ...dependents],
    all: new Set([at, ...imports, ...dependents, ...beyond.map((one) => leaf(one.path))]),
    named: new Set([at, ...imports.slice(0, 12), ...dependents.slice(0, 12)]),
    lines: [
      { colour: "dependents", alpha: 0.3, width: 1, lines: beyond.map((one) => [leaf(one.path), leaf(one.via)]) },
      { colour: "dependents", alpha: 0.8, width: 1.4, lines: dependents.map((one) => [one, at]) },
      { colour: "imports", alpha: 0.9, width: 1.4, lines: imports.map((one) => [at, one]) },
    ],
    rings: [
      { colour: "dependents", alpha: 0.35, leaves: beyond.map((one) => leaf(one.path)) },
      { colour: "dependents", alpha: 1, leaves: dependents },
      { colour: "imports", alpha: 1, leaves: imports },
    ],
  };
}

/* -- search -------------------------------------------------------------------------------------------------------- */

function finder(go) {
  const input = h("input", {
    type: "search", id: "find-file", placeholder: "Find a file", autocomplete: "off", spellcheck: "false", role: "combobox",
    "aria-label": "Find a file", "aria-expanded": "false", "aria-controls": "found-files", "aria-autocomplete": "list", "aria-keyshortcuts": "/",
  });
  const list = h("ul", { id: "found-files", role: "listbox", class: "found", "aria-label": "Files", hidden: true });
  let paths = [], chosen = 0;
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const choose = (path) => {
    close();
    input.value = "";
    go("graph", path);
  };
  const draw = () => {
    list.hidden = !input.value.trim();
    input.setAttribute("aria-expanded", String(!list.hidden));
    list.replaceChildren(...(paths.length
      ? paths.map((path, at) => h("li", { role: "option", id: `found-${at}`, "aria-selected": String(at === chosen), onpointerdown: (event) => { event.preventDefault(); choose(path); } },
        h("span", { class: "path" }, short(path)), h("span", { class: "muted" }, path.slice(0, path.lastIndexOf("/") + 1))))
      : [h("li", { role: "option", "aria-disabled": "true", class: "muted" }, "no file is called so")]));
    if (paths.length && !list.hidden) input.setAttribute("aria-activedescendant", `found-${chosen}`);
  };
  input.addEventListener("input", () => {
    paths = matching(state.data.files, input.value);
    chosen = 0;
    draw();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      chosen = (chosen + (event.key === "ArrowDown" ? 1 : paths.length - 1)) % Math.max(1, paths.length);
      draw();
    } else if (event.key === "Enter" && paths[chosen]) choose(paths[chosen]);
    else if (event.key === "Escape") {
      event.preventDefault();
      input.value = "";
      close();
      input.blur();
    }
  });
  input.addEventListener("blur", close);
  return { box: h("div", { class: "finder" }, input, list) };
}

/* Paths that hold every word, those whose name does first, the shorter first. */
function matching(files, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const found = [];
  for (const [path] of files) {
    const lower = path.toLowerCase();
    if (!words.every((word) => lower.includes(word))) continue;
    const name = lower.slice(lower.lastIndexOf("/") + 1);
    found.push([name.startsWith(words[0]) ? 0 : words.every((word) => name.includes(word)) ? 1 : 2, path.length, path]);
  }
  return found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : 1)).slice(0, FOUND).map((one) => one[2]);
}

function hint(tip, node, x, y) {
  tip.hidden = !node;
  if (!node) return;
  tip.replaceChildren(
    h("strong", {}, node.path),
    h("span", {}, node.file === undefined ? counted(node.end - node.start, "file") : `${state.data.files[node.file][1] || "no known language"}, ${counted(state.data.files[node.file][2], "line")}`));
  const wide = tip.parentElement.clientWidth;
  tip.style.left = `${Math.min(x + 14, wide - tip.offsetWidth - 8)}px`;
  tip.style.top = `${y + 16}px`;
}

const ALIKE = /^(__init__|index|main|mod|lib)\.\w+$/;

/* The name of a file; with its folder where many are called so. */
function short(path) {
  const parts = path.split("/");
  return parts.slice(ALIKE.test(parts.at(-1)) ? -2 : -1).join("/");
}

const same = (one, other) => one && JSON.stringify(one) === JSON.stringify(other);
