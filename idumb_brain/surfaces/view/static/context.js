/* What agents were handed unasked, and what they would be handed now: the text, and of every candidate why it was chosen or left out. */

import { bar, counted, h, mark, number, section, some, to, when } from "./dom.js";

const ABOUT = {
  compaction: "what has to survive a compaction",
  system: "what stands in the system prompt",
  prefix: "what a session begins with",
  resume: "what a session goes on with after a break",
  reminder: "what was lost in a compaction that just happened",
};
const NOW = "now"; // "#/context/now/compaction/SESSION"; all else is what was handed over, "#/context/was/compaction/TIME/SESSION"

export const context = {
  title: "Context",
  sources: ["brain", "index", "handed"],

  async load(ask, [side, block, third, fourth]) {
    const handed = await ask("handed");
    if (side === NOW || !handed.blocks.length) return { handed, told: await ask("context", side === NOW ? { block, session: third } : {}) };
    const chosen = handed.blocks.find((one) => one.kind === block && one.at === third && one.session === (fourth ?? ""));
    return { handed, chosen: chosen ?? handed.blocks.find((one) => one.kind === "compaction") ?? handed.blocks[0] };
  },

  show(place, { handed, chosen, told }, _, { go }) {
    place.replaceChildren(h("div", { class: "page" },
      h("header", { class: "head" }, h("h1", {}, "Context"), h("p", { class: "lead" }, "What agents are told unasked, within a budget, and why.")),
      h("div", { class: "narrow" },
        h("nav", { class: "choices", "aria-label": "Which" },
          h("a", { href: to("context"), "aria-current": chosen ? "true" : null, "aria-disabled": handed.blocks.length ? null : "true" }, "Handed over"),
          h("a", { href: to("context", NOW, "compaction"), "aria-current": told ? "true" : null }, "Would be told now")),
        handed.week.blocks ? h("p", { class: "muted" }, `today ${counted(handed.today.blocks, "block")}, about ${counted(handed.today.tokens, "token")}; within a week ${number(handed.week.blocks)}, about ${number(handed.week.tokens)}`)
          : h("p", { class: "muted" }, "No agent was handed anything here yet: this is what one would be told.")),
      chosen ? was(handed.blocks, chosen) : wouldBe(told, go)));
  },
};

function was(blocks, chosen) {
  const row = (one) => h("li", { class: "session" },
    h("a", { href: to("context", "was", one.kind, one.at, one.session), "aria-current": one === chosen ? "true" : null, "data-key": `${one.kind} ${one.at} ${one.session}` },
      h("span", { class: "title" }, one.kind, one.times > 1 ? h("span", { class: "muted" }, ` × ${number(one.times)}`) : null),
      h("span", { class: "under muted" }, when(one.until || one.at), ` · ${one.role || one.session || "no session"} · ${counted(one.tokens, "token")}`)));
  return h("div", { class: "handed" },
    h("div", { "data-scroll": "handed" }, some(blocks, row, 14)),
    h("div", {}, h("p", { class: "lead" }, `${chosen.kind}: ${ABOUT[chosen.kind] ?? ""}`, chosen.session ? [" · ", h("a", { class: "path", href: to("sessions", chosen.session) }, chosen.session)] : null, " · ", when(chosen.at)), block(chosen)));
}

function wouldBe(told, go) {
  const sessions = h("select", { id: "context-session", "aria-label": "Session" },
    h("option", { value: "" }, "no session in particular"),
    told.sessions.map((one) => h("option", { value: one.id, selected: one.id === told.session }, [one.role, one.id].filter(Boolean).join(" · "))));
  sessions.addEventListener("change", () => go("context", NOW, told.block, ...(sessions.value ? [sessions.value] : [])));
  return [
    h("div", { class: "narrow" },
      h("nav", { class: "choices", "aria-label": "Blocks" }, told.blocks.map((name) => h("a", { href: to("context", NOW, name, ...(told.session ? [told.session] : [])), "aria-current": name === told.block ? "true" : null, title: ABOUT[name] }, name))),
      told.sessions.length ? sessions : null),
    h("p", { class: "lead" }, `${told.block}: ${ABOUT[told.block] ?? ""}`),
    block(told),
  ];
}

function block(one) {
  const most = Math.max(1, ...one.selected.map((row) => row.score));
  const left = one.dropped.length + (one.omitted ?? 0);
  return h("div", { class: "told" },
    h("p", { class: "budget" }, bar(one.chars / (one.budget || 1)), ` ${number(one.chars)} of ${number(one.budget)} characters, about ${counted(one.tokens, "token")}`),
    h("div", { class: "columns" },
      h("div", {}, section("Text", h("pre", { tabindex: 0, class: "block", role: "region", "aria-label": "The text of the block" }, one.text || "Nothing fits."))),
      h("div", {},
        section(`Told: ${number(one.selected.length)}`, some(one.selected, (row) => h("li", { class: "reason chosen" },
          h("span", {}, named(row), " ", mark(row.kind)), bar(row.score / most), h("span", { class: "count" }, row.score.toFixed(0)),
          h("span", { class: "why" }, row.reasons.join("; "))), 40)),
        section(`Left out: ${number(left)}`, left ? some(one.dropped, (row) => h("li", { class: "reason" }, h("span", {}, named(row), " ", mark(row.kind)), h("span", { class: "why" }, row.reason)), 20)
          : h("p", { class: "muted" }, "Nothing: there was room for all there is."),
          one.omitted ? h("p", { class: "muted" }, `and ${number(one.omitted)} more`) : null))));
}

const VIEW_OF = { entry: "brain", task: "tasks", file: "graph" };

function named(one) {
  const title = one.title || one.id;
  return VIEW_OF[one.kind] ? h("a", { href: to(VIEW_OF[one.kind], one.id), title: one.id }, title) : h("span", { title: one.id }, title);
}
