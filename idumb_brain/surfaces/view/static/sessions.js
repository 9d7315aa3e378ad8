/* Sessions of agents: who handed work to whom, how each stands, what was compacted, refused and halted. */

import { ago, command, counted, empty, h, link, mark, number, section, some, to, when } from "./dom.js";

const KINDS = { between_turn: "good", resumed: "good", beginning: "", compacted: "doubtful", interrupted: "bad" };

export const sessions = {
  title: "Sessions",
  sources: ["brain"],

  async load(ask, [id]) {
    const [list, one] = await Promise.all([ask("sessions"), id ? ask("session", { id }).catch((error) => ({ error })) : null]);
    return { list, one };
  },

  show(place, { list, one }, [id]) {
    const known = new Map(list.sessions.map((one) => [one.sessionId, one]));
    const tops = list.sessions.filter((one) => !known.has(one.parentSession));
    const below = (parent) => list.sessions.filter((one) => one.parentSession === parent && one.sessionId !== parent);
    place.replaceChildren(h("div", { class: "page" },
      h("header", { class: "head" }, h("h1", {}, "Sessions"),
        h("p", { class: "lead" }, list.sessions.length ? `${counted(list.sessions.length, "session")}, the last heard of first; rules ${{ enforce: "are enforced", guide: "are told, not enforced", off: "are off" }[list.mode] ?? list.mode}` : "What agents did here, and who handed work to whom.")),
      halted(list.halts),
      list.sessions.length
        ? h("div", { class: `split ${one ? "chosen" : ""}` },
          h("div", { class: "list" }, h("ul", { class: "rows sessions" }, tops.map((top) => branch(top, below, id, 1)))),
          h("div", { class: "detail" }, one ? detail(one) : h("p", { class: "muted hint" }, "Choose a session to see what happened in it.")))
        : empty("No sessions yet", h("span", {}, "They appear as soon as an agent works here: ", command("idumb-brain setup opencode"), " or ", command("idumb-brain setup claude")))));
  },

  pressed(event) {
    if (event.key !== "Escape" || location.hash === to("sessions")) return false;
    location.hash = to("sessions");
    return true;
  },
};

const halted = (halts) => halts.length
  ? h("div", { class: "note bad", role: "note" }, h("strong", {}, counted(halts.length, "halt")), h("ul", {}, halts.map((one) => h("li", {}, `${one.what}: ${one.why} · `, h("span", { class: "path" }, one.id)))),
    h("p", {}, "A person lets it go on: ", command(`idumb-brain session resume-halt ${halts[0].id}`)))
  : null;

function branch(one, below, id, depth) {
  const inner = depth < 8 ? below(one.sessionId) : [];
  return h("li", { class: "session" },
    h("a", { href: to("sessions", one.sessionId), "aria-current": one.sessionId === id ? "true" : null, "data-key": one.sessionId },
      h("span", { class: "title" }, one.role || one.agent || "session", " ", h("span", { class: "path muted" }, one.sessionId)),
      h("span", { class: "under" }, mark(words(one.sessionState), KINDS[one.sessionState]), one.halted ? [" ", mark("halted", "bad")] : null, one.violationCount ? [" ", mark(`${number(one.violationCount)} refused`, "doubtful")] : null,
        h("span", { class: "muted" }, ` ${[one.compactionCount ? counted(one.compactionCount, "compaction") : "", `heard of ${ago(one.updatedAt)}`].filter(Boolean).join(" · ")}`)),
      one.task ? h("span", { class: "why" }, `works on ${one.task}`) : null),
    inner.length ? h("ul", { class: "rows inner", "aria-label": "handed on to" }, inner.map((child) => branch(child, below, id, depth + 1))) : null);
}

const words = (state) => state.replaceAll("_", " ");

function detail(one) {
  if (one.error) return empty(one.error.what, one.error.why, one.error.instead);
  const most = Math.max(1, ...one.toolsUsed.map((tool) => tool.count));
  return h("article", { class: "card" },
    h("header", {},
      h("p", { class: "crumbs" }, link("sessions", "sessions"), one.chain.map((above) => [" / ", above.sessionId === one.sessionId ? above.role || above.sessionId : link(above.role || above.sessionId, "sessions", above.sessionId)])),
      h("h2", { class: "path" }, one.sessionId),
      h("p", {}, mark(words(one.sessionState), KINDS[one.sessionState]), h("span", { class: "muted" }, ` level ${one.sessionLevel}${one.agent ? ` · ${one.agent}` : ""}${one.phase ? ` · ${one.phase}` : ""} · begun `, when(one.startedAt)))),
    h("dl", { class: "figures" }, [["calls", one.toolsUsed.reduce((sum, tool) => sum + tool.count, 0)], ["files changed", one.filesModified.length], ["compactions", one.compactionCount], ["refused", one.violationCount]].map(([name, value]) => h("div", {}, h("dd", {}, number(value)), h("dt", {}, name)))),
    section("Works on", one.task ? h("p", {}, link(one.task, "tasks", one.task)) : null),
    section("Compactions", one.compactionHistory.length ? h("ol", { class: "steps" }, one.compactionHistory.map((at, number) => h("li", {}, h("span", {}, `compaction ${number + 1}`), h("span", { class: "why" }, when(at))))) : null,
      one.anchorsSurvived.length ? h("p", { class: "muted" }, `${counted(one.anchorsSurvived.length, "anchor")} came through`) : null,
      h("p", {}, link("What it would be told now", "context", "now", "compaction", one.sessionId))),
    section("Refused", one.refused.length ? some([...one.refused].reverse(), (row) => h("li", { class: "reason" }, h("span", {}, row.tool, row.target ? [" ", h("span", { class: "path" }, row.target)] : null), h("span", { class: "why" }, [row.what, row.rule, row.enforced ? "" : "told, not enforced"].filter(Boolean).join(" · "))), 8) : null),
    section("Halts", one.halts.length ? some(one.halts, (row) => h("li", {}, [row.what, row.why, row.resumedAt ? `let go ${ago(row.resumedAt)}` : "halted still"].join(" · ")), 5) : null),
    section("Tools", one.toolsUsed.length ? some([...one.toolsUsed].sort((a, b) => b.count - a.count), (tool) => h("li", { class: "barred" }, h("span", {}, tool.tool), h("span", { class: "bar", "aria-hidden": "true" }, h("span", { style: { width: `${(tool.count / most) * 100}%` } })), h("span", { class: "count" }, number(tool.count))), 8) : null),
    section("Files changed", one.filesModified.length ? some(one.filesModified, (path) => h("li", {}, link(path, "graph", path)), 8) : null),
    section("Finished", one.tasksCompleted.length ? some(one.tasksCompleted, (task) => h("li", {}, link(task, "tasks", task)), 6) : null),
    section("What happened", one.events.length ? some(one.events, (event) => h("li", {}, h("span", {}, event.kind, event.key && event.kind !== "tool" ? [" ", h("span", { class: "path" }, event.key)] : null), h("span", { class: "muted" }, when(event.at))), 12) : null));
}
