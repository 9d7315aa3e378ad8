/* What an agent is told unasked: the text of a block, and of every candidate why it was chosen or left out. */

import { bar, counted, h, mark, number, section, some, table, to } from "./dom.js";

const ABOUT = {
  compaction: "what has to survive a compaction",
  system: "what stands in the system prompt",
  prefix: "what a session begins with",
  resume: "what a session goes on with after a break",
  reminder: "what was lost in a compaction that just happened",
};

export const context = {
  title: "Context",
  sources: ["brain", "index"],

  load: (ask, [block, session]) => ask("context", { block, session }),

  show(place, data, _, { go }) {
    const most = Math.max(1, ...data.selected.map((one) => one.score));
    const sessions = h("select", { id: "context-session", "aria-label": "Session" },
      h("option", { value: "" }, "no session in particular"),
      data.sessions.map((one) => h("option", { value: one.id, selected: one.id === data.session }, [one.role, one.id].filter(Boolean).join(" · "))));
    sessions.addEventListener("change", () => go("context", data.block, ...(sessions.value ? [sessions.value] : [])));
    place.replaceChildren(h("div", { class: "page" },
      h("header", { class: "head" }, h("h1", {}, "Context"), h("p", { class: "lead" }, `${data.block}: ${ABOUT[data.block] ?? ""}, as it would be told now`)),
      h("div", { class: "narrow" },
        h("nav", { class: "choices", "aria-label": "Blocks" }, data.blocks.map((name) => h("a", { href: to("context", name, ...(data.session ? [data.session] : [])), "aria-current": name === data.block ? "true" : null, title: ABOUT[name] }, name))),
        data.sessions.length ? sessions : null),
      h("p", { class: "budget" }, bar(data.chars / (data.budget || 1)), ` ${number(data.chars)} of ${number(data.budget)} characters, about ${counted(data.tokens, "token")}`),
      h("div", { class: "columns" },
        h("div", {}, section("Text", h("pre", { tabindex: 0, class: "block", role: "region", "aria-label": "The text of the block" }, data.text || "Nothing fits."))),
        h("div", {},
          section(`Told: ${number(data.selected.length)}`, some(data.selected, (one) => h("li", { class: "reason chosen" },
            h("span", {}, named(one), " ", mark(one.kind)), bar(one.score / most), h("span", { class: "count" }, one.score.toFixed(0)),
            h("span", { class: "why" }, one.reasons.join("; "))), 40)),
          section(`Left out: ${number(data.dropped.length)}`, data.dropped.length ? some(data.dropped, (one) => h("li", { class: "reason" }, h("span", {}, named(one), " ", mark(one.kind)), h("span", { class: "why" }, one.reason)), 20)
            : h("p", { class: "muted" }, "Nothing: there was room for all there is."))))));
  },
};

const VIEW_OF = { entry: "brain", task: "tasks", file: "graph" };

const named = (one) => (VIEW_OF[one.kind] ? h("a", { href: to(VIEW_OF[one.kind], one.id) }, one.id) : h("span", {}, one.id));
