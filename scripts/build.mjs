/**
 * Builds what runs, from src: build/ has its modules, for scripts and tests; dist/ is the package, with the program as
 * a few files (docs/decisions/0012), and in dist/client the client, which is a package of its own (0013); with --bench,
 * bench is compiled to dist-bench.
 *
 *   node scripts/build.mjs              always, with every type checked
 *   node scripts/build.mjs --if-needed  only when a source changed since the last build; types are `npm run types`
 *   node scripts/build.mjs --bench      also bench/, into dist-bench
 *
 * A build goes to a folder beside and is moved into place whole; two builds at once wait for each other.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tsc = join(root, "node_modules/typescript/bin/tsc");
const lock = join(root, "node_modules/.bindery-build.lock");

const MODULES = { folder: "build", project: "tsconfig.build.json", inputs: ["src"] };
const DIST = { folder: "dist", project: "tsconfig.client.json", inputs: ["src", "docs"], finish: finishPackages };
const BENCH = {
  ...{ folder: "dist-bench", project: "tsconfig.bench.json", inputs: ["src", "bench", "test/support"] },
  // Where compiled pages look for the style sheet, the scripts and the help, which are built by now.
  finish: (made) => {
    for (const folder of ["assets", "help"])
      cpSync(join(root, DIST.folder, folder), join(made, "src", folder), { recursive: true });
  },
};

/** Builds what is named; returns whether anything had to be done. Throws what the compiler said. */
export async function build({ ifNeeded = false, bench = false } = {}) {
  const targets = bench ? [MODULES, DIST, BENCH] : [MODULES, DIST];
  if (ifNeeded && targets.every(isFresh)) return false;
  if (!existsSync(tsc)) throw new Error("TypeScript is not installed here; run `npm ci` first.");
  await takeLock();
  try {
    for (const target of targets) if (!ifNeeded || !isFresh(target)) await compile(target, ifNeeded);
  } finally {
    rmSync(lock, { force: true });
  }
  return true;
}

/** What vitest calls before the tests that start the built program. */
export async function setup() {
  await build({ ifNeeded: true });
}

/** A hash over the names and the bytes of everything that the output is made of. */
function fingerprint({ project, inputs }) {
  const hash = createHash("sha256");
  const files = inputs.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.test|\.test-d)\.tsx?$|\.css$|\.woff2$|\.md$/.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  );
  // The lock too: what others wrote is in the bundle.
  const ours = ["package.json", "package-lock.json", "scripts/build.mjs", "tsconfig.json", project];
  if (project === DIST.project) ours.push("tsconfig.islands.json");
  const settings = ours.map((name) => join(root, name));
  for (const file of [...files.sort(), ...settings])
    hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

const stampOf = (folder) => join(root, folder, ".inputs");

function isFresh(target) {
  const stamp = stampOf(target.folder);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint(target);
}

async function compile(target, quick) {
  const made = join(root, `dist-new-${target.folder}`);
  const old = join(root, `dist-old-${target.folder}`);
  for (const folder of [made, old]) rmSync(folder, { recursive: true, force: true });
  const stamp = fingerprint(target);
  const args = [tsc, "-p", join(root, target.project), "--outDir", made, ...(quick ? ["--noCheck"] : [])];
  const run = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (run.status !== 0) {
    rmSync(made, { recursive: true, force: true });
    throw new Error(`The build of ${target.folder} failed:\n${run.stdout}${run.stderr}`);
  }
  await target.finish?.(made);
  writeFileSync(join(made, ".inputs"), stamp);
  const place = join(root, target.folder);
  if (existsSync(place)) renameSync(place, old);
  renameSync(made, place);
  rmSync(old, { recursive: true, force: true });
}

async function finishPackages(made) {
  packClient(join(made, "client"));
  const modules = await bundleProgram(made);
  await compileCatalog(join(made, "catalog.bin"));
  const { saveLook, saveDocs } = await freshModule("web/assets.js");
  saveLook(join(made, "assets"));
  saveDocs(join(made, "help"));
  for (const name of ISLANDS) modules.push(...(await bundleIsland(name, join(made, "assets"))));
  writeFileSync(join(made, "LICENSES.txt"), licensesOf(modules));
}

/** A compiled module as it is now: two builds of one process must not share the first one's modules. */
function freshModule(path) {
  return import(`${pathToFileURL(join(root, MODULES.folder, path))}?${Date.now()}`);
}

/** Keeps the built-in catalog compiled. One with mistakes is left to the program, which refuses it and names them. */
async function compileCatalog(file) {
  const { saveCompiled } = await freshModule("app/composition/open-catalog.js");
  try {
    saveCompiled(file);
  } catch (error) {
    process.stderr.write(`The catalog is not compiled: ${error.message}\n`);
  }
}

/** Makes the compiled client a package of its own: who uses it installs no server and compiles no database driver. */
function packClient(folder) {
  const { name, version, license, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const manifest = {
    name: `${name}-client`,
    version,
    description: "The client of Bindery, a research-data repository service, for browsers and Node.",
    license,
    type: "module",
    engines,
    sideEffects: false,
    exports: { ".": { types: "./index.d.ts", default: "./index.js" }, "./package.json": "./package.json" },
    files: ["**/*.js", "**/*.d.ts"],
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  copyFileSync(join(root, "src/client/README.md"), join(folder, "README.md"));
}

/** Packages that are installed with the program instead of bundled: the database driver is compiled for the machine. */
export const EXTERNAL = [/^better-sqlite3/];

/** What `debug` does without: it is in node_modules only because of a tool for development. */
const ABSENT = ["supports-color"];

/** What a process or a thread begins with: a module of its own name below src/. */
const ENTRIES = [
  "main",
  "app/processes/serving-process",
  "app/threads/writer-thread",
  "app/threads/search-thread",
  "app/threads/loader-thread",
  "app/threads/drawing-thread",
  "app/relay/relay-thread",
  "app/relay/index-relay-thread",
  "app/processes/check-process",
  "app/threads/prepare-thread",
  "app/threads/page-thread",
  "app/threads/watchdog-thread",
];

/**
 * Names and lines as they are written; no comments, and no character beyond ASCII: one in a file makes V8 keep the text
 * of that file in twice as many bytes, in each thread.
 */
const PLAIN_ASCII = {
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
};

/**
 * Puts what each entry imports, third parties' code too, into a few files: a process or thread that reads hundreds of
 * small ones takes twice as long to start. All of them lie in one folder, one below the root as in src/, so that what
 * is found by `import.meta.url` is found from there as well. Returns the modules in them.
 */
async function bundleProgram(made) {
  const { rolldown } = await import("rolldown");
  const input = Object.fromEntries(ENTRIES.map((name) => [basename(name), join(root, MODULES.folder, `${name}.js`)]));
  const bundle = await rolldown({ input, platform: "node", external: [...EXTERNAL, ...ABSENT] });
  const [entryFileNames, chunkFileNames] = ["app/[name].js", "app/[name]-[hash].js"];
  const { output } = await bundle.write({
    ...{ dir: made, format: "esm", entryFileNames, chunkFileNames, sourcemap: true },
    ...PLAIN_ASCII,
  });
  await bundle.close();
  writeFileSync(join(made, "main.js"), '#!/usr/bin/env node\nimport "./app/main.js";\n', { mode: 0o755 });
  return output.flatMap(({ moduleIds }) => moduleIds ?? []);
}

/** What browsers run: src/web/islands/<name>.ts, each one file with all that it imports. A page loads one of them. */
const ISLANDS = ["page", "search"];

/** Bundles what one kind of page runs, for the browsers of the last years; returns the modules in it. */
async function bundleIsland(name, folder) {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    input: { [name]: join(root, "src/web/islands", `${name}.ts`) },
    platform: "browser",
    tsconfig: join(root, "tsconfig.islands.json"),
  });
  const { output } = await bundle.write({
    ...{ dir: folder, format: "esm", entryFileNames: "[name]-[hash].js", minify: true, comments: false },
  });
  await bundle.close();
  return output.flatMap(({ moduleIds }) => moduleIds ?? []);
}

/** The licences of the packages that modules are from, as each brings it, and that of the typeface. */
function licensesOf(modules) {
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    const text = file === undefined ? "" : `\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
    return `${name} ${version}: ${license}${text}\n`;
  });
  const font = readFileSync(join(root, "src/web/static/OFL.md"), "utf8").trim();
  texts.push(`Bindery Sans, a subset of Source Sans 3: OFL-1.1\n\n${font}\n`);
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

async function takeLock() {
  mkdirSync(dirname(lock), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (!isAlive(holder())) rmSync(lock, { force: true });
    else await sleep(100);
  }
}

/** The process that builds; undefined while it has not yet written its number. */
function holder() {
  try {
    return Number(readFileSync(lock, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  if (pid === undefined) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const flags = process.argv.slice(2);
  const unknown = flags.filter((flag) => !["--if-needed", "--bench"].includes(flag));
  if (unknown.length > 0) {
    process.stderr.write(`Unknown: ${unknown.join(" ")}\n`);
    process.exit(2);
  }
  try {
    await build({ ifNeeded: flags.includes("--if-needed"), bench: flags.includes("--bench") });
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
