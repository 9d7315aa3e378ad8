/* Where every file stands: circles within circles, a folder around what lies in it. The same files have the same places. */

import { hierarchy, pack } from "./d3-hierarchy.min.js";

/* Nodes in the order of a walk from the root; a folder holds the leaves from `start` to `end`. Leaves are numbered in that order, too. */
export function placed(files, packages) {
  const names = new Map(packages.map((one) => [one.path, one.name]));
  const tree = hierarchy(folders(files), (node) => (node.file === undefined ? [...node.inside.values()] : null));
  const air = files.length < 40 ? 4 : files.length < 200 ? 2 : 1; // few files can stand apart, so that lines are seen
  tree.sum((node) => (node.file === undefined ? 0 : 1 + files[node.file][2]));
  tree.sort((a, b) => b.value - a.value || (a.data.path < b.data.path ? -1 : 1));
  pack().radius((node) => radius(files[node.data.file][2])).padding((node) => (node.height === 1 ? 1.2 : 1.2 + 0.9 * node.height) * air)(tree);
  const nodes = [];
  const leaves = [];
  const leafOf = new Int32Array(files.length).fill(-1);
  const walk = (from, parent) => {
    const at = nodes.length;
    const { file, path, name } = from.data;
    const node = {
      at, parent, path, file, x: from.x - tree.x, y: from.y - tree.y, r: from.r, depth: from.depth,
      name: file === undefined ? name : path.slice(path.lastIndexOf("/") + 1),
      package: file === undefined ? names.get(path) : undefined, start: leaves.length, end: 0, inside: [],
    };
    nodes.push(node);
    if (file !== undefined) {
      leafOf[file] = leaves.length;
      leaves.push(node);
    }
    for (const child of from.children ?? []) node.inside.push(walk(child, node));
    node.end = leaves.length;
    return node;
  };
  if (files.length) walk(tree, null);
  return { nodes, leaves, leafOf, root: nodes[0] };
}

const radius = (lines) => 2.4 + 0.24 * Math.sqrt(Math.min(lines, 6000));

function folders(files) {
  const root = { path: "", name: "", inside: new Map() };
  files.forEach(([path], file) => {
    const parts = path.split("/");
    let folder = root;
    for (let depth = 1; depth < parts.length; depth++) {
      const name = parts[depth - 1];
      if (!folder.inside.has(`${name}/`)) folder.inside.set(`${name}/`, { path: parts.slice(0, depth).join("/"), name, inside: new Map() });
      folder = folder.inside.get(`${name}/`);
    }
    folder.inside.set(parts.at(-1), { path, file });
  });
  return shortened(root);
}

/* A folder that holds nothing but a folder is drawn as one circle: "src/main/java". */
function shortened(folder) {
  for (const [key, child] of folder.inside) if (child.file === undefined) folder.inside.set(key, shortened(child));
  if (folder.inside.size !== 1 || !folder.path) return folder;
  const [only] = folder.inside.values();
  return only.file === undefined ? { ...only, name: `${folder.name}/${only.name}` } : folder;
}
