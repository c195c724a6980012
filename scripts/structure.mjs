/**
 * Prints how src is built: files and lines by layer and room (a folder below a layer), the arrows between rooms, and
 * the circles among them, of which there should be none.
 *
 *   npm run structure              a table of rooms
 *   npm run structure -- --arrows  each arrow too, with how many imports it stands for
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const isTest = (path) => /\.test(-d)?\.tsx?$/.test(path);
const paths = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /\.tsx?$/.test(path));
const files = new Map(paths.map((path) => [path, readFileSync(join(root, "src", path), "utf8")]));
const sources = [...files.keys()].filter((path) => !isTest(path));
const roomOf = (path) => posix.dirname(path);

/** Modules of src that a file imports, also lazily. */
function importsOf(path) {
  const names = files.get(path).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g);
  return [...names].flatMap(([, name]) => {
    const module = posix.join(posix.dirname(path), name).replace(/\.js$/, "");
    return [`${module}.ts`, `${module}.tsx`].filter((file) => files.has(file));
  });
}

/** Room -> rooms that it imports from, each with the number of imports. */
function arrows() {
  const all = new Map(sources.map((path) => [roomOf(path), new Map()]));
  for (const path of sources) {
    for (const target of importsOf(path)) {
      const to = all.get(roomOf(path));
      if (roomOf(target) !== roomOf(path)) to.set(roomOf(target), (to.get(roomOf(target)) ?? 0) + 1);
    }
  }
  return all;
}

/** Groups of rooms that lead to each other: Tarjan's strongly connected components of more than one. */
function circles(graph) {
  const order = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (room) => {
    order.set(room, order.size);
    low.set(room, order.get(room));
    stack.push(room);
    for (const next of graph.get(room).keys()) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(room, Math.min(low.get(room), low.get(next)));
    }
    if (low.get(room) !== order.get(room)) return;
    const group = stack.splice(stack.indexOf(room));
    if (group.length > 1) found.push(group.sort());
  };
  for (const room of graph.keys()) if (!order.has(room)) visit(room);
  return found;
}

const say = (line) => void process.stdout.write(`${line}\n`);
const linesOf = (some) => some.reduce((sum, path) => sum + files.get(path).split("\n").length - 1, 0);
const print = (...columns) =>
  say(columns.map((text, i) => (i === 0 ? text.padEnd(36) : `${text}`.padStart(9))).join(""));

const graph = arrows();
print("room", "files", "lines", "imports");
for (const [room, to] of [...graph].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const own = sources.filter((path) => roomOf(path) === room);
  print(room, own.length, linesOf(own), to.size);
}
const largest = Math.max(...[...graph.keys()].map((room) => sources.filter((path) => roomOf(path) === room).length));
const count = [...graph.values()].reduce((sum, to) => sum + to.size, 0);
const tests = paths.filter(isTest);
say("");
print("sources", sources.length, linesOf(sources));
print("tests beside them", tests.length, linesOf(tests));
say(`\n${graph.size} rooms, ${largest} files in the largest; ${count} arrows; ${circles(graph).length} circles`);
for (const circle of circles(graph)) say(`circle: ${circle.join(" <-> ")}`);
if (process.argv.includes("--arrows")) {
  for (const [room, to] of graph) for (const [next, imports] of to) say(`${room} -> ${next} (${imports})`);
}
