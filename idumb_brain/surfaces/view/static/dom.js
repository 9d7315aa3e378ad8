/* Elements, and how numbers and times are written. Text is only ever text: nothing here reads markup. */

export function h(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  dress(made, attributes);
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.flat(Infinity));
  return made;
}

function dress(made, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "style") Object.assign(made.style, value);
    else if (key === "href" && !String(value).startsWith("#")) throw new Error("links lead within the page");
    else made.setAttribute(key, value === true ? "" : value);
  }
}

/* Where a link leads: a view, and what in it. */
export const to = (view, ...parts) => "#/" + [view, ...parts].map(encodeURIComponent).join("/");

export const link = (text, view, ...parts) => h("a", { href: to(view, ...parts) }, text);

export const fileLink = (path, line = 0) => h("a", { href: to("graph", path), class: "path" }, line ? `${path}:${line}` : path);

export const number = (value) => Number(value).toLocaleString("en");

export const counted = (value, one, many = `${one}s`) => `${number(value)} ${value === 1 ? one : many}`;

let behind = 0; // milliseconds that the clock of the server is behind this one

export function setClock(now) {
  behind = Date.now() - Date.parse(now);
}

export function ago(time) {
  if (!time) return "never";
  const seconds = (Date.now() - behind - Date.parse(time)) / 1000;
  const [size, name] = [[86400, "day"], [3600, "hour"], [60, "minute"]].find(([size]) => Math.abs(seconds) >= size) ?? [1, "second"];
  const many = Math.round(Math.abs(seconds) / size);
  return seconds < 0 ? `in ${counted(many, name)}` : name === "second" ? "just now" : `${counted(many, name)} ago`;
}

export const when = (time) => h("time", { datetime: time, title: time }, ago(time));

export function span(seconds) {
  const [size, name] = [[86400, "day"], [3600, "hour"], [60, "minute"]].find(([size]) => seconds >= size) ?? [1, "second"];
  return counted(Math.round(seconds / size), name);
}

export const mark = (text, kind = "") => h("span", { class: `mark ${kind}` }, text);

/* A heading with what it heads; nothing where there is nothing. */
export const section = (title, ...content) => {
  const filled = content.flat(Infinity).filter(Boolean);
  return filled.length ? h("section", { class: "part" }, h("h2", {}, title), filled) : null;
};

export const empty = (title, ...lines) => h("div", { class: "empty" }, h("h2", {}, title), lines.map((line) => h("p", {}, line)));

export const command = (text) => h("code", { class: "command" }, text);

/* A list of which the first are shown and the rest on demand. */
export function some(rows, make, most = 12, list = "ul") {
  const shown = h(list, { class: "rows" }, rows.slice(0, most).map(make));
  if (rows.length <= most) return shown;
  const more = h("button", { type: "button", class: "quiet more" }, `${number(rows.length - most)} more`);
  more.addEventListener("click", () => {
    const rest = rows.slice(most).map(make);
    shown.append(...rest);
    more.remove();
    rest[0].querySelector("a, button, summary")?.focus();
  });
  return h("div", {}, shown, more);
}

export function table(heads, rows, caption) {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", {},
      h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col", class: head.endsWith(">") ? "right" : null }, head.replace(">", ""))))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, at) => h("td", { class: heads[at].endsWith(">") ? "right" : null }, cell)))))));
}

/* A bar of which a share is filled; what it says is said in words beside it. */
export const bar = (share, kind = "") =>
  h("span", { class: `bar ${kind}`, "aria-hidden": "true" }, h("span", { style: { width: `${Math.max(0, Math.min(1, share)) * 100}%` } }));
