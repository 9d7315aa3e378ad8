/* Plans and their tasks: what waits for what, what was done, what comes next. */

import { command, counted, empty, fileLink, h, link, mark, number, section, some, svg, to, when } from "./dom.js";

const KINDS = { active: "now", review: "now", completed: "good", failed: "bad", blocked: "doubtful", planned: "" };
let watch = null;

export const tasks = {
  title: "Tasks",
  sources: ["brain"],

  load: (ask) => ask("tasks"),

  show(place, data, [id]) {
    tasks.leave();
    const current = data.plans.filter((one) => ["draft", "active"].includes(one.status));
    const others = data.plans.filter((one) => !current.includes(one));
    const all = new Map(data.plans.flatMap((plan) => [...plan.tasks, ...plan.planAhead]).map((task) => [task.id, task]));
    place.replaceChildren(h("div", { class: "page" },
      h("header", { class: "head" }, h("h1", {}, "Tasks"), h("p", { class: "lead" }, data.plans.length ? summary(data, current) : "Plans, their tasks, and what each waits for.")),
      data.plans.length ? null : empty("No plans yet", h("span", {}, "Make the first: ", command('idumb-brain plan create "…" --acceptance "…"')), h("span", {}, "and give it a task: ", command('idumb-brain plan add PLAN "…" --expected "…"'))),
      broken(data, all),
      current.map((plan) => planned(plan, data, all, id)),
      artifacts(data.artifacts),
      handed(data.delegations),
      others.length ? section("Plans that were put away or done", others.map((plan) => h("details", { "data-key": plan.id, open: [...plan.tasks, ...plan.planAhead].some((task) => task.id === id) },
        h("summary", {}, plan.name, " ", mark(plan.status), h("span", { class: "muted" }, ` ${number(plan.done)} of ${number(plan.total)}`)), planned(plan, data, all, id)))) : null));
    const draw = () => place.querySelectorAll(".board").forEach(connect);
    watch = new ResizeObserver(draw);
    place.querySelectorAll(".board").forEach((board) => watch.observe(board));
    place.querySelector("[data-chosen]")?.scrollIntoView({ block: "nearest" });
  },

  leave() {
    watch?.disconnect();
    watch = null;
  },

  pressed(event) {
    if (event.key !== "Escape" || location.hash === to("tasks")) return false;
    location.hash = to("tasks");
    return true;
  },
};

function summary(data, current) {
  const ready = data.ready.length;
  return `${counted(current.length, "plan")} in force; ${ready ? `${counted(ready, "task")} may start` : "no task may start now"}${data.stale.length ? `; ${number(data.stale.length)} lies idle` : ""}`;
}

function broken({ chainBreaks }, all) {
  return chainBreaks.length ? h("div", { class: "note bad", role: "note" }, h("strong", {}, "Broken chains"), h("ul", {}, chainBreaks.map((one) => h("li", {}, `${all.get(one.task)?.name ?? one.task}: ${one.why}`)))) : null;
}

function planned(plan, data, all, id) {
  const rows = [...plan.tasks, ...plan.planAhead];
  const columns = layered(rows);
  const chosen = rows.find((task) => task.id === id);
  return h("section", { class: "plan" },
    h("header", {},
      h("h2", {}, plan.name, " ", plan.id === data.activePlan ? mark("worked on", "now") : mark(plan.status)),
      h("p", { class: "muted" }, [`${number(plan.done)} of ${counted(plan.total, "task")} done`, plan.category, plan.ownedBy && `owned by ${plan.ownedBy}`].filter(Boolean).join(" · ")),
      plan.acceptance.length ? h("ul", { class: "acceptance", "aria-label": "Accepted when" }, plan.acceptance.map((one) => h("li", {}, one))) : null),
    rows.length
      ? h("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": `Tasks of ${plan.name}`, "data-scroll": plan.id },
        h("div", { class: "board" }, svg("svg", { class: "wires", "aria-hidden": "true" }),
          columns.map((column) => h("ul", { class: "column" }, column.map((task) => card(task, data, all, id))))))
      : h("p", { class: "muted" }, "It has no tasks yet."),
    chosen ? detail(chosen, data, all) : null);
}

/* How many steps of waiting lie before each: tasks of one column wait for none of each other. */
function layered(rows) {
  const known = new Map(rows.map((task) => [task.id, task]));
  const depth = new Map();
  const of = (task, seen) => {
    if (depth.has(task.id)) return depth.get(task.id);
    if (seen.has(task.id)) return 0;
    const before = needs(task).filter((id) => known.has(id)).map((id) => 1 + of(known.get(id), new Set([...seen, task.id])));
    depth.set(task.id, Math.max(0, ...before));
    return depth.get(task.id);
  };
  const columns = [];
  for (const task of rows) (columns[of(task, new Set())] ??= []).push(task);
  return columns;
}

const needs = (task) => [...task.dependsOn, ...(task.temporalGate ? [task.temporalGate.after] : [])];

function card(task, data, all, id) {
  const ready = data.ready.includes(task.id);
  const waits = task.waitsFor[0];
  return h("li", { class: `task ${task.ahead ? "ahead" : ""}`, "data-task": task.id, "data-needs": task.dependsOn.join(" "), "data-gate": task.temporalGate?.after ?? "", "data-chosen": task.id === id },
    h("a", { href: to("tasks", task.id), "aria-current": task.id === id ? "true" : null, "data-key": task.id },
      h("span", { class: "title" }, task.name),
      h("span", { class: "under" }, mark(ready ? "ready" : task.status, ready ? "good ready" : KINDS[task.status]), task.ahead ? [" ", mark("foreseen")] : null,
        task.assignedTo ? h("span", { class: "muted" }, ` ${task.assignedTo}`) : null, task.checkpointCount ? h("span", { class: "muted" }, ` · ${counted(task.checkpointCount, "step")}`) : null),
      waits ? h("span", { class: "why" }, task.temporalGate?.after === waits.id ? `gate: ${task.temporalGate.reason}` : waits.why) : null));
}

function detail(task, data, all) {
  const named = (id) => (all.has(id) ? link(all.get(id).name, "tasks", id) : id);
  const handedOn = data.delegations.filter((one) => one.task === task.id);
  return h("article", { class: "card" },
    h("header", {}, h("h3", {}, task.name), h("p", { class: "muted" }, mark(task.status, KINDS[task.status]), " ",
      [task.assignedTo && `for ${task.assignedTo}`, task.delegatedBy && `from ${task.delegatedBy}`, task.claimedBy && `taken by ${task.claimedBy}`].filter(Boolean).join(" · "), task.startedAt ? [" started ", when(task.startedAt)] : "", task.completedAt ? [" ended ", when(task.completedAt)] : "")),
    h("p", { class: "content" }, h("span", { class: "muted" }, "Expected: "), task.expectedOutput),
    section("Waits for", task.waitsFor.length ? h("ul", { class: "rows" }, task.waitsFor.map((one) => h("li", { class: "reason" }, h("span", {}, named(one.id), one.broken ? [" ", mark("never comes", "bad")] : null), h("span", { class: "why" }, `${one.why} — ${one.instead}`)))) : null),
    section("Comes after", task.temporalGate ? h("p", {}, named(task.temporalGate.after), h("span", { class: "muted" }, ` — ${task.temporalGate.reason}`)) : null),
    section("Depends on", task.dependsOn.length ? h("ul", { class: "rows" }, task.dependsOn.map((one) => h("li", {}, named(one)))) : null),
    section("Result", task.result ? [h("p", { class: "content" }, task.result.evidence), task.result.testsRun ? h("p", { class: "muted" }, `tests: ${task.result.testsRun}`) : null, task.result.filesModified.length ? some(task.result.filesModified, (path) => h("li", {}, fileLink(path)), 8) : null] : null),
    section(counted(task.checkpointCount, "step"), task.checkpoints.length ? h("ol", { class: "steps" }, task.checkpoints.map((one) => h("li", {}, h("span", {}, one.summary), h("span", { class: "why" }, `${one.tool} · `, when(one.timestamp), one.filesModified.length ? ` · ${one.filesModified.join(", ")}` : "")))) : null),
    section("Handed on", handedOn.length ? some(handedOn, delegated, 8) : null),
    task.allowedTools.length || task.paths.length ? h("p", { class: "muted" }, [task.allowedTools.length && `tools: ${task.allowedTools.join(", ")}`, task.paths.length && `may write in: ${task.paths.join(", ")}`].filter(Boolean).join(" · ")) : null,
    h("p", { class: "muted path" }, task.id));
}

const delegated = (one) => h("li", { class: "reason" }, h("span", {}, `${one.from || "?"} → ${one.to}`, " ", mark(one.status, one.status === "completed" ? "good" : one.status === "expired" ? "bad" : "")),
  h("span", { class: "why" }, one.taskName || one.task, one.expectedOutput ? ` · expected: ${one.expectedOutput}` : "", " · ", when(one.createdAt)));

const handed = (rows) => section("Delegations", rows.length ? some([...rows].reverse(), delegated, 8) : null);

function artifacts(rows) {
  return section("Planning documents", rows.length ? some(rows, (one) => h("li", { class: "reason" },
    h("span", {}, one.title, " ", mark(one.type), " ", mark(one.status, one.status === "completed" ? "good" : "")),
    h("span", { class: one.stale.length ? "why bad" : "why" }, [one.path, ...one.stale].join(" · "))), 10) : null);
}

/* Lines from what is needed to what needs it; a gate's are dashed. */
function connect(board) {
  const wires = board.querySelector(".wires");
  const cards = new Map([...board.querySelectorAll("[data-task]")].map((one) => [one.dataset.task, one]));
  const base = board.getBoundingClientRect();
  const lines = [];
  for (const card of cards.values()) {
    const wanted = card.dataset.needs.split(" ").map((id) => [id, ""]).concat([[card.dataset.gate, "gate"]]);
    for (const [id, kind] of wanted) {
      const from = cards.get(id)?.getBoundingClientRect();
      if (!from) continue;
      const end = card.getBoundingClientRect();
      if (end.left < from.right) continue; // stacked on a narrow screen, where words say it
      const [x1, y1, x2, y2] = [from.right - base.left, from.top + from.height / 2 - base.top, end.left - base.left, end.top + end.height / 2 - base.top];
      const middle = (x1 + x2) / 2;
      lines.push(svg("path", { class: kind, d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2 - 5} ${y2}` }), svg("path", { class: "tipped", d: `M${x2 - 6} ${y2 - 4}L${x2} ${y2}L${x2 - 6} ${y2 + 4}` }));
    }
  }
  wires.replaceChildren(...lines);
  wires.setAttribute("width", board.scrollWidth);
  wires.setAttribute("height", board.scrollHeight);
}
