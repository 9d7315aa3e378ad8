/* The project at a glance: what it is built with, how it hangs together, which of its documents no longer say what is so. */

import { bar, counted, empty, fileLink, h, mark, number, section, some, table, when } from "./dom.js";

export const project = {
  title: "Project",
  sources: ["index"],
  waiting: "Reading the project, its documents and its history …",

  load: (ask) => ask("project"),

  show(place, data) {
    place.replaceChildren(h("div", { class: "page" },
      h("header", { class: "head" },
        h("h1", {}, data.name),
        h("p", { class: "lead" }, data.summary.replace(`${data.name}: `, "")),
        h("p", { class: "muted" }, h("span", { class: "path" }, data.root), " · scanned ", when(data.lastIncrementalAt ?? data.lastFullScanAt))),
      drifted(data.driftDetections),
      h("div", { class: "columns" },
        h("div", {}, stack(data), languages(data), packages(data), findings(data.dependencies)),
        h("div", {}, layers(data.architecture), hot(data.architecture), entries(data.architecture), tests(data.architecture.tests), governance(data))),
      documents(data.documents),
      section("Folders", h("div", { class: "tree" }, folder(data.rootStructure, data.rootStructure.lines, true)))));
  },
};

const drifted = (found) => found.length
  ? h("details", { class: "note", "data-key": "drift" }, h("summary", {}, `${counted(found.length, "file")} changed since the last scan`),
    some(found, (one) => h("li", {}, h("span", { class: "path" }, one.path), h("span", { class: "count" }, one.change)), 20))
  : null;

function stack({ techStack, frameworksDetected }) {
  const known = new Map(frameworksDetected.map((one) => [one.name, one]));
  const row = ([kind, names]) => [h("dt", {}, kind.replaceAll("-", " ")), h("dd", {}, names.map((name) => {
    const one = known.get(name);
    const why = one?.evidence[0] ? `${one.evidence[0].path}${one.evidence[0].line ? `:${one.evidence[0].line}` : ""}` : "";
    return h("span", { class: "chip", title: why }, name, one?.version ? h("span", { class: "muted" }, ` ${one.version}`) : "");
  }))];
  const kinds = Object.entries(techStack);
  return section("Built with", kinds.length ? h("dl", { class: "pairs" }, kinds.map(row)) : h("p", { class: "muted" }, "No manifest, setting or import tells of a technology."));
}

function languages({ languages }) {
  const rows = Object.entries(languages).sort((a, b) => b[1].lines - a[1].lines);
  const most = rows[0]?.[1].lines || 1;
  return section("Languages", some(rows, ([name, one]) => h("li", { class: "barred" }, h("span", {}, name), bar(one.lines / most), h("span", { class: "count" }, `${counted(one.lines, "line")}, ${counted(one.files, "file")}`)), 7));
}

function packages({ packages }) {
  const own = packages.filter((one) => one.own);
  return section(own.length === 1 ? "Package" : "Packages", own.length ? some(own, (one) => h("li", { class: "reason" },
    h("span", {}, h("strong", {}, one.name || one.path || "."), one.version ? h("span", { class: "muted" }, ` ${one.version}`) : "", " ", mark(one.ecosystem)),
    h("span", { class: "why" }, [one.manifest, counted(one.requirements, "requirement"), one.localDependencies.length ? `uses ${one.localDependencies.map((other) => other.name).join(", ")}` : ""].filter(Boolean).join(" · "))), 8) : null,
    packages.length > own.length ? h("p", { class: "muted" }, `and ${number(packages.length - own.length)} among tests, fixtures and examples`) : null);
}

function findings({ unused, undeclared, devInProduction }) {
  const row = (one) => h("li", { class: "reason" }, h("span", {}, one.package), h("span", { class: "why" }, one.why));
  const part = (title, rows, kind) => rows.length ? h("details", { "data-key": title, open: rows.length < 5 }, h("summary", {}, mark(number(rows.length), kind), " ", title), some(rows, row, 12)) : null;
  const parts = [part("imported, asked for by no manifest", undeclared, "bad"), part("asked for, used by nothing we see", unused, "doubtful"), part("only for development, imported by what is shipped", devInProduction, "doubtful")];
  return parts.some(Boolean) ? section("Requirements", parts) : null;
}

function layers({ modules, layers, againstLayers }) {
  const known = new Map(modules.map((one) => [one.path, one]));
  const module = (path) => {
    const one = known.get(path);
    const needs = one?.dependsOn.map((other) => `${other.module} (${other.imports})`).join(", ");
    return h("li", { class: "module", title: needs ? `imports ${needs}` : "imports no other module" }, h("span", {}, path), h("span", { class: "muted" }, one ? counted(one.files, "file") : ""));
  };
  return section("Layers", layers.length ? h("ol", { class: "layers" }, [...layers].reverse().map((row) => h("li", {}, h("ul", {}, row.map(module))))) : null,
    layers.length > 1 ? h("p", { class: "muted" }, "Each imports from those below it.") : null,
    againstLayers.length ? h("details", { "data-key": "against" }, h("summary", {}, mark(number(againstLayers.length), "doubtful"), " against this order"),
      some(againstLayers, (one) => h("li", { class: "reason" }, h("span", {}, `${one.from} → ${one.to}`), h("span", { class: "why" }, `${counted(one.imports, "import")}, such as ${one.example}`)), 8)) : null);
}

const hot = ({ hotFiles }) => section("Changed often, needed by many", hotFiles.length
  ? some(hotFiles, (one) => h("li", {}, fileLink(one.path), h("span", { class: "count" }, [one.commits ? counted(one.commits, "commit") : "", `needed by ${number(one.neededBy)}`].filter(Boolean).join(", "))), 6) : null);

const entries = ({ entryPoints }) => section("Where it starts", entryPoints.length
  ? some(entryPoints, (one) => h("li", { class: "reason" }, fileLink(one.path, one.line), h("span", { class: "why" }, one.why)), 6) : null);

const tests = (tests) => tests.sources ? section("Tests",
  h("p", {}, bar(tests.sourcesTested / tests.sources), ` ${number(tests.sourcesTested)} of ${counted(tests.sources, "source file")} are imported or named by ${counted(tests.files, "test file")}`),
  tests.largestUntested.length ? h("details", { "data-key": "untested" }, h("summary", {}, "the largest that are not"), some(tests.largestUntested, (path) => h("li", {}, fileLink(path)), 10)) : null) : null;

const governance = ({ governanceDetected }) => section("Ways of working", governanceDetected.length
  ? some(governanceDetected, (one) => h("li", { class: "reason" }, h("span", {}, one.name), h("span", { class: "why" }, one.evidence[0] ? `${one.evidence[0].path}: ${one.evidence[0].why}` : one.kind)), 5) : null);

function documents(rows) {
  if (!rows.length) return section("Documents", h("p", { class: "muted" }, "None: no Markdown, reStructuredText, AsciiDoc or text was found."));
  const stale = rows.filter((one) => one.staleIndicators.length);
  const fresh = rows.filter((one) => !one.staleIndicators.length);
  const row = (one) => h("li", { class: "document" },
    h("details", { "data-key": one.path },
      h("summary", {}, h("span", { class: "path" }, one.path), " ", mark(one.type), one.staleIndicators.length ? [" ", mark(`${number(one.staleIndicators.length)} stale`, "bad")] : null),
      h("p", { class: "muted" }, [one.title, counted(one.sections, "section"), `leads to ${number(one.linkedTo)}`, one.reasons[0]].filter(Boolean).join(" · ")),
      one.staleIndicators.length ? some(one.staleIndicators, (place) => h("li", { class: "reason" }, h("span", { class: "path" }, `${place.line}: ${place.text}`), h("span", { class: "why" }, place.why)), 10) : null));
  return section(counted(rows.length, "document"),
    stale.length ? [h("h3", {}, `${counted(stale.length, "document")} ${stale.length === 1 ? "says" : "say"} what is no longer so`), some(stale, row, 10)] : h("p", { class: "muted" }, "None of them says what we know to be no longer so."),
    fresh.length ? [stale.length ? h("h3", {}, "The others") : null, some(fresh, row, 10)] : null);
}

function folder(one, most, open = false) {
  if (one.type === "file") return h("div", { class: "leaf path" }, one.name);
  const language = Object.keys(one.languages)[0];
  const head = [h("span", { class: "path" }, `${one.name}/`), bar(one.lines / (most || 1)), h("span", { class: "count" }, `${counted(one.files, "file")}, ${counted(one.lines, "line")}`), h("span", { class: "muted role" }, [one.role !== "source" ? one.role : null, language].filter(Boolean).join(" · "))];
  const inner = one.children ?? [];
  if (!inner.length) return h("div", { class: "leaf row" }, head);
  return h("details", { "data-key": `folder ${one.path}`, open }, h("summary", { class: "row" }, head), h("div", { class: "inner" }, inner.map((child) => folder(child, most))));
}
