/* What is known: each entry with what it is worth now, how that came and where it goes, and what it took the place of. */

import { ago, command, counted, empty, h, link, mark, number, section, some, span, svg, to, when } from "./dom.js";

let asked = { text: "", type: "", every: "" }; // what the list is narrowed to; stays while the page is open

export const brain = {
  title: "Brain",
  sources: ["brain", "index"],

  async load(ask, [id]) {
    const [list, entry] = await Promise.all([ask("brain", asked), id ? ask("entry", { id }).catch((error) => ({ error })) : null]);
    return { list, entry };
  },

  show(place, { list, entry }, [id], { go }) {
    const nothing = !list.total && !list.anchors.length && !asked.text && !asked.type && !asked.every;
    place.replaceChildren(h("div", { class: "page" },
      h("header", { class: "head" }, h("h1", {}, "Brain"),
        h("p", { class: "lead" }, nothing ? "What people and agents found out, with what it rests on." : summary(list))),
      nothing
        ? empty("Nothing is known yet", h("span", {}, "Write the first: ", command('idumb-brain brain write --type decision --title "…" --content "…" --evidence FILE:LINE')),
          h("span", {}, "Or let it learn from the scan and from git: ", command("idumb-brain brain learn")))
        : h("div", { class: `split ${entry ? "chosen" : ""}` },
          h("div", { class: "list" }, narrowing(list, place, go), entries(list, id), anchors(list)),
          h("div", { class: "detail" }, entry ? detail(entry) : h("p", { class: "muted hint" }, "Choose an entry to see what it rests on, what it replaced and what becomes of it.")))));
  },

  pressed(event) {
    if (event.key !== "Escape" || location.hash === to("brain")) return false;
    location.hash = to("brain");
    return true;
  },
};

function summary({ entries, total }) {
  const stale = entries.filter((one) => one.stale).length;
  return `${counted(total, "entry", "entries")}${total > entries.length ? `, the latest ${number(entries.length)} here` : ""}; ${stale ? `${number(stale)} should be looked at again` : "none has to be looked at again"}`;
}

function narrowing({ types }, place, go) {
  const again = () => dispatchEvent(new HashChangeEvent("hashchange"));
  let waits;
  const search = h("input", { type: "search", id: "search-brain", placeholder: "Search what is known", "aria-label": "Search what is known", value: asked.text, "aria-keyshortcuts": "/" });
  search.addEventListener("input", () => {
    clearTimeout(waits);
    waits = setTimeout(() => { asked = { ...asked, text: search.value.trim() }; again(); }, 250);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    if (search.value) { asked = { ...asked, text: "" }; search.value = ""; again(); } else search.blur();
  });
  const type = h("select", { id: "brain-type", "aria-label": "Type of entry" }, ["", ...types].map((one) => h("option", { value: one, selected: one === asked.type }, one || "every type")));
  type.addEventListener("change", () => { asked = { ...asked, type: type.value }; again(); });
  const every = h("input", { type: "checkbox", id: "brain-every", checked: Boolean(asked.every) });
  every.addEventListener("change", () => { asked = { ...asked, every: every.checked ? "yes" : "" }; again(); });
  return h("div", { class: "narrow" }, search, type, h("label", {}, every, " superseded too"));
}

function entries({ entries }, id) {
  if (!entries.length) return h("p", { class: "muted" }, "No entry is like that.");
  return some(entries, (one) => h("li", { class: `entry ${over(one) ? "over" : ""}` },
    h("a", { href: to("brain", one.id), "aria-current": one.id === id ? "true" : null, "data-key": one.id },
      h("span", { class: "title" }, one.title),
      h("span", { class: "under" }, mark(one.type), one.pinned ? [" ", mark("pinned")] : null, one.older.length ? [" ", mark(`replaced ${number(one.older.length)}`)] : null,
        one.staleReasons[0] ? h("span", { class: "why" }, ` ${one.staleReasons[0]}`) : h("span", { class: "muted" }, ` ${ago(one.modifiedAt)}`)),
      sparkline(one),
      h("span", { class: `worth ${kind(one.effectiveConfidence)}` }, `${one.effectiveConfidence} %`))), 60);
}

const over = (one) => Boolean(one.supersededBy || one.purgedAt || one.validTo);

const kind = (worth) => (worth >= 70 ? "good" : worth >= 40 ? "doubtful" : "bad");

function anchors({ anchors, anchorTotal }) {
  return section(counted(anchorTotal, "anchor"), anchors.length ? some(anchors, (one) => h("li", { class: "reason" },
    h("span", {}, mark(one.priority, one.priority), " ", one.content),
    h("span", { class: "why" }, [one.type, one.file ? `${one.file}${one.line ? `:${one.line}` : ""}` : null, one.staleReason ? `stale: ${one.staleReason}` : null].filter(Boolean).join(" · "))), 12) : null);
}

/* -- one entry ----------------------------------------------------------------------------------------------------- */

function detail(one) {
  if (one.error) return empty(one.error.what, one.error.why, one.error.instead);
  const titled = (id) => h("li", {}, link(one.titles[id] ?? id, "brain", id));
  return h("article", { class: "card", "data-scroll": "entry" },
    h("header", {},
      h("p", { class: "crumbs" }, link("brain", "brain"), " / ", one.type),
      h("h2", {}, one.title),
      h("p", {}, h("strong", { class: kind(one.effectiveConfidence) }, `${one.effectiveConfidence} % sure now`), h("span", { class: "muted" }, ` · stated as ${one.confidence} % ${ago(one.validatedAt ?? one.modifiedAt)} · from ${one.source}`))),
    curve(one),
    one.staleReasons.length ? h("ul", { class: "reasons" }, one.staleReasons.map((reason) => h("li", {}, reason))) : null,
    h("p", { class: "content" }, one.content),
    section("Rests on", one.evidence.length ? h("ul", { class: "rows" }, one.evidence.map((place) => h("li", {}, h("span", { class: "path" }, place.place), mark(place.state, { same: "good", moved: "doubtful", changed: "doubtful", gone: "bad" }[place.state])))) : h("p", { class: "muted" }, "Nothing is cited: only time takes from its confidence.")),
    chain(one),
    section("Contradicts", one.contradicts.length ? h("ul", { class: "rows" }, one.contradicts.map(titled)) : null),
    section("Related", one.relatedTo.length ? h("ul", { class: "rows" }, one.relatedTo.map(titled)) : null),
    section("Belongs to", one.parent ? h("ul", { class: "rows" }, titled(one.parent)) : null),
    section("Below it", one.children.length ? some(one.children, (child) => h("li", {}, link(child.title, "brain", child.id)), 10) : null),
    section("What happened", some(one.history, (change) => h("li", {}, h("span", {}, change.action), h("span", { class: "muted" }, `by ${change.by} · `, when(change.at))), 6)),
    h("p", { class: "muted path" }, one.id));
}

/* What holds now on top, what it took the place of below. */
function chain(one) {
  if (!one.older.length && !one.supersededBy) return null;
  return section("In the place of", h("ol", { class: "chain" },
    one.supersededBy ? h("li", {}, link(one.supersededBy, "brain", one.supersededBy), h("span", { class: "muted" }, " took its place")) : null,
    h("li", { "aria-current": "true" }, h("strong", {}, one.title), h("span", { class: "muted" }, ` ${ago(one.createdAt)}`)),
    one.older.map((old) => h("li", {}, link(old.title, "brain", old.id), h("span", { class: "muted" }, old.validTo ? ` held until ${ago(old.validTo)}` : "")))));
}

/* -- curves -------------------------------------------------------------------------------------------------------- */

function path(points, wide, high, from, until) {
  const x = (day) => ((day - from) / (until - from || 1)) * wide;
  return points.map(([day, worth], at) => `${at ? "L" : "M"}${x(day).toFixed(1)} ${(high - (worth / 100) * high).toFixed(1)}`).join("");
}

function sparkline({ curve: { points } }) {
  const [from, until] = [points[0][0], points.at(-1)[0]];
  const now = (-from / (until - from || 1)) * 64;
  return svg("svg", { class: "spark", viewBox: "-1 -2 66 22", width: 66, height: 22, "aria-hidden": "true" },
    svg("path", { class: "line", d: path(points, 64, 18, from, until) }),
    svg("line", { class: "today", x1: now, x2: now, y1: -1, y2: 19 }));
}

function curve({ curve: { points, halvesEvery }, effectiveConfidence }) {
  const [from, until] = [points[0][0], points.at(-1)[0]];
  const wide = 420, high = 90;
  const now = (-from / (until - from || 1)) * wide;
  const line = path(points, wide, high, from, until);
  const label = (x, y, text, anchor) => svg("text", { x, y, "text-anchor": anchor }, text);
  const words = halvesEvery ? `Half of its confidence is gone every ${span(halvesEvery)} unless somebody validates it.` : "It does not age: it is pinned, or lasts for ever.";
  return h("figure", { class: "curve" },
    svg("svg", { viewBox: `-34 -10 ${wide + 44} ${high + 32}`, role: "img", "aria-label": `Confidence over time, ${effectiveConfidence} per cent now. ${words}` },
      [0, 50, 100].map((worth) => [svg("line", { class: "grid", x1: 0, x2: wide, y1: high - (worth / 100) * high, y2: high - (worth / 100) * high }), label(-6, high - (worth / 100) * high + 4, `${worth}`, "end")]),
      svg("path", { class: "area", d: `${line}L${wide} ${high}L0 ${high}Z` }),
      svg("path", { class: "line", d: line }),
      svg("line", { class: "today", x1: now, x2: now, y1: -4, y2: high }),
      svg("circle", { class: "today", cx: now, cy: high - (effectiveConfidence / 100) * high, r: 3.5 }),
      label(0, high + 17, days(from), "start"), Math.min(now, wide - now) > 60 ? label(now, high + 17, "now", "middle") : [], label(wide, high + 17, days(until), "end")),
    h("figcaption", { class: "muted" }, words));
}

function days(value) {
  const many = Math.round(Math.abs(value));
  return many === 0 ? "now" : value < 0 ? `${counted(many, "day")} ago` : `in ${counted(many, "day")}`;
}
