/**
 * Compiles src to dist (and, with --bench, bench to dist-bench).
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
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tsc = join(root, "node_modules/typescript/bin/tsc");
const lock = join(root, "node_modules/.bindery-build.lock");

// Others import the client, and nothing else: it alone has declarations.
const DIST = {
  folder: "dist",
  projects: ["tsconfig.build.json", "tsconfig.client.json"],
  inputs: ["src"],
  executable: "main.js",
};
const BENCH = { folder: "dist-bench", projects: ["tsconfig.bench.json"], inputs: ["src", "bench", "test/support"] };

/** Builds what is named; returns whether anything had to be done. Throws what the compiler said. */
export async function build({ ifNeeded = false, bench = false } = {}) {
  const targets = bench ? [DIST, BENCH] : [DIST];
  if (ifNeeded && targets.every(isFresh)) return false;
  if (!existsSync(tsc)) throw new Error("TypeScript is not installed here; run `npm ci` first.");
  await takeLock();
  try {
    for (const target of targets) if (!ifNeeded || !isFresh(target)) compile(target, ifNeeded);
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
function fingerprint({ projects, inputs }) {
  const hash = createHash("sha256");
  const files = inputs.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.test|\.test-d)\.ts$/.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  );
  const settings = ["package.json", "tsconfig.json", ...projects].map((name) => join(root, name));
  for (const file of [...files.sort(), ...settings])
    hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

const stampOf = (folder) => join(root, folder, ".inputs");

function isFresh(target) {
  const stamp = stampOf(target.folder);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint(target);
}

function compile(target, quick) {
  const made = join(root, `dist-new-${target.folder}`);
  const old = join(root, `dist-old-${target.folder}`);
  for (const folder of [made, old]) rmSync(folder, { recursive: true, force: true });
  const stamp = fingerprint(target);
  const flags = quick ? ["--noCheck"] : [];
  for (const project of target.projects) {
    const args = [tsc, "-p", join(root, project), "--outDir", made, ...flags];
    const run = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (run.status === 0) continue;
    rmSync(made, { recursive: true, force: true });
    throw new Error(`The build of ${target.folder} failed:\n${run.stdout}${run.stderr}`);
  }
  if (target.executable) chmodSync(join(made, target.executable), 0o755);
  writeFileSync(join(made, ".inputs"), stamp);
  const place = join(root, target.folder);
  if (existsSync(place)) renameSync(place, old);
  renameSync(made, place);
  rmSync(old, { recursive: true, force: true });
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
