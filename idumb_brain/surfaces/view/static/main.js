/* Which view is open, keys, theme, and news from the server. What a view shows is its own module. */

import { brain } from "./brain.js";
import { context } from "./context.js";
import { empty, h, setClock, to } from "./dom.js";
import { graph } from "./graph.js";
import { project } from "./project.js";
import { sessions } from "./sessions.js";
import { tasks } from "./tasks.js";

const VIEWS = { graph, project, brain, tasks, sessions, context };
const NAMES = Object.keys(VIEWS);
const place = document.getElementById("place");
const live = document.getElementById("live");
let open = { name: "", parts: [] };
let turn = 0; // answers to questions that nobody waits for any more are dropped
let marks = null;

if (location.search) history.replaceState(null, "", location.pathname + location.hash); // the token need not stay in sight

export async function ask(name, words = {}) {
  const said = new URLSearchParams(Object.entries(words).filter(([, value]) => value));
  const answer = await fetch(`data/${name}${said.size ? `?${said}` : ""}`).catch(() => null);
  if (!answer) throw { what: "No answer", why: "the program that serves this page has ended", instead: "start it again: idumb-brain view" };
  const told = await answer.json().catch(() => null);
  if (!told) throw { what: "This page is no longer let in", why: `the answer was ${answer.status}`, instead: "open the address that idumb-brain view printed" };
  if (told.error) throw told.error;
  setClock(told.now);
  document.getElementById("project").textContent = told.project;
  return told.data;
}

function where() {
  const [name, ...parts] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  return { name: NAMES.includes(name) ? name : NAMES[0], parts };
}

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

async function show({ anew = true } = {}) {
  const asked = where();
  const mine = ++turn;
  const view = VIEWS[asked.name];
  const stays = asked.name === open.name;
  for (const tab of document.querySelectorAll("#tabs a")) {
    if (tab.dataset.view === asked.name) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  document.title = `${view.title} · idumb-brain`;
  if (!stays) {
    VIEWS[open.name]?.leave?.();
    place.dataset.view = asked.name;
    place.replaceChildren(h("div", { class: "waiting", role: "status" }, view.waiting ?? "Reading …"));
  }
  open = asked;
  try {
    const data = await view.load(ask, asked.parts);
    if (mine !== turn) return;
    const before = stays ? remembered() : null;
    view.show(place, data, asked.parts, { ask, go, anew });
    place.removeAttribute("aria-busy");
    if (before) restored(before);
    else if (anew && document.activeElement?.closest(".rail")) place.focus({ preventScroll: true });
  } catch (error) {
    if (mine !== turn) return;
    VIEWS[asked.name].leave?.();
    open = { name: "", parts: [] };
    place.replaceChildren(h("div", { class: "page" }, told(error)));
    if (!error.what) throw error;
  }
}

function told(error) {
  if (error.kind === "not-scanned") return empty("Not scanned yet", error.what, error.instead);
  return empty(error.what ?? "This view could not be drawn", error.why ?? String(error), error.instead ?? "");
}

/* What a person did to a view survives that it is drawn anew: what is unfolded, where the focus is, how far it is scrolled. */
function remembered() {
  const active = document.activeElement;
  return {
    unfolded: [...place.querySelectorAll("details[data-key]")].map((one) => [one.dataset.key, one.open]),
    focus: place.contains(active) ? active.dataset.key ?? active.id ?? active.getAttribute("href") : "",
    scrolled: [...place.querySelectorAll("[data-scroll]")].map((one) => [one.dataset.scroll, one.scrollTop]),
    top: place.scrollTop,
  };
}

function restored({ unfolded, focus, scrolled, top }) {
  const states = new Map(unfolded);
  for (const one of place.querySelectorAll("details[data-key]")) if (states.has(one.dataset.key)) one.open = states.get(one.dataset.key);
  for (const [key, at] of scrolled) {
    const one = [...place.querySelectorAll("[data-scroll]")].find((other) => other.dataset.scroll === key);
    if (one) one.scrollTop = at;
  }
  place.scrollTop = top;
  if (!focus || place.contains(document.activeElement)) return;
  const again = [...place.querySelectorAll("[data-key], [id], a[href]")]
    .find((one) => one.dataset.key === focus || one.id === focus || one.getAttribute("href") === focus);
  again?.focus({ preventScroll: true });
}

function go(view, ...parts) {
  location.hash = to(view, ...parts);
}

/* -- news ---------------------------------------------------------------------------------------------------------- */

function listen() {
  const events = new EventSource("events");
  events.onopen = () => say("live", "on");
  events.onerror = () => say("not connected", "off");
  events.onmessage = (event) => {
    const now = JSON.parse(event.data);
    const changed = marks ? Object.keys(now).filter((store) => now[store] !== marks[store]) : [];
    marks = now;
    if (!changed.length) return;
    say(`live · changed ${new Date().toLocaleTimeString("en-GB")}`, "on");
    if (!open.name || VIEWS[open.name].sources.some((store) => changed.includes(store))) show({ anew: false });
  };
}

function say(text, state) {
  live.textContent = text;
  live.dataset.state = state;
}

/* -- themes -------------------------------------------------------------------------------------------------------- */

const THEMES = { auto: "Auto", light: "Light", dark: "Dark" };
const dark = matchMedia("(prefers-color-scheme: dark)");

function kept() {
  try { return localStorage.getItem("theme") ?? "auto"; } catch { return "auto"; }
}

function wear(theme) {
  const chosen = theme in THEMES ? theme : "auto";
  document.documentElement.dataset.theme = chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen;
  const button = document.getElementById("theme");
  button.textContent = THEMES[chosen];
  button.setAttribute("aria-label", `Theme: ${THEMES[chosen]}`);
  VIEWS[open.name]?.recolour?.();
}

function turnTheme() {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(kept()) + 1) % names.length];
  try { localStorage.setItem("theme", next); } catch { /* a browser that keeps nothing has it until it is closed */ }
  wear(next);
}

/* -- keys ---------------------------------------------------------------------------------------------------------- */

const KEYS = [
  ["1 – 6", "open a view"],
  ["/", "search in it"],
  ["t", "theme: auto, light, dark"],
  ["?", "these keys"],
  ["arrows", "move the graph"],
  ["+ −", "nearer, farther"],
  ["0", "all of the graph"],
  ["Esc", "leave a search, a file, this list"],
];

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const typing = event.target.matches?.("input, select, textarea");
  if (typing && event.key !== "Escape") return;
  const number = Number(event.key);
  if (number >= 1 && number <= NAMES.length) go(NAMES[number - 1]);
  else if (event.key === "?") help();
  else if (event.key === "t") turnTheme();
  else if (event.key === "/") place.querySelector("input[type=search]")?.focus();
  else if (!VIEWS[open.name]?.pressed?.(event)) return;
  event.preventDefault();
}

function help() {
  const keys = document.getElementById("keys");
  if (keys.open) return keys.close();
  keys.replaceChildren(
    h("h2", { id: "keys-title" }, "Keys"),
    h("dl", {}, KEYS.map(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
    h("form", { method: "dialog" }, h("button", {}, "Close")),
  );
  keys.showModal();
}

/* -- begin --------------------------------------------------------------------------------------------------------- */

document.getElementById("tabs").append(...NAMES.map((name, at) => h("li", {},
  h("a", { href: to(name), "data-view": name, "aria-keyshortcuts": String(at + 1) },
    h("span", {}, VIEWS[name].title), h("kbd", { "aria-hidden": "true" }, String(at + 1))))));
document.getElementById("theme").addEventListener("click", turnTheme);
document.getElementById("help").addEventListener("click", help);
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); place.focus(); });
addEventListener("keydown", pressed);
addEventListener("hashchange", () => show());
dark.addEventListener("change", () => wear(kept()));
wear(kept());
show();
listen();
