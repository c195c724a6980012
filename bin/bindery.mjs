#!/usr/bin/env node
/**
 * The command `bindery`. This file is committed, and not built, because npm keeps a link to it: a link to a file that
 * does not exist yet stays broken. In a copy of the repository it makes what is missing, or names the command that
 * does. In the installed package nothing is missing.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const NODE_MIN = 20;

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const program = pathOf("dist/main.js");
const builder = pathOf("scripts/build.mjs");

/** Returns what keeps the program from starting and how to mend it, or undefined. */
function findObstacle() {
  if (Number.parseInt(process.versions.node, 10) < NODE_MIN)
    return `Bindery needs Node.js ${NODE_MIN} or newer; this is ${process.version}. Version 24 is recommended.`;
  if (!existsSync(builder))
    return existsSync(program) ? undefined : "This package of Bindery is not complete; install it again.";
  if (!existsSync(pathOf("node_modules/better-sqlite3")))
    return `The packages that Bindery uses are not installed. Run \`npm ci\` in ${pathOf("")}`;
  return existsSync(program) ? undefined : build();
}

/** Builds the program as `npm run build` does, with all output on stderr: scripts read the stdout of commands. */
function build() {
  process.stderr.write("Bindery is not built yet. Building it takes about half a minute ...\n");
  const { status } = spawnSync(process.execPath, [builder, "--if-needed"], { stdio: ["ignore", 2, 2] });
  return status === 0 ? undefined : `Bindery could not be built. Run \`npm ci\` and \`npm run build\` in ${pathOf("")}`;
}

const obstacle = findObstacle();
if (obstacle === undefined) await import("../dist/main.js");
else {
  process.stderr.write(`${obstacle}\n`);
  process.exitCode = 1;
}
