import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Bindery, type CommandResult, mainFile, ROOT, runCommand, settings } from "./bindery.js";

/** The blocks of shell commands of a page, by its path from the root. */
export function shellBlocks(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1]!);
}

/**
 * Runs commands as a page shows them, with `npx bindery` as the built program, in a folder that has docs/. Every answer
 * of 400 or more ends a command, every command that fails ends the script.
 */
export async function runAsShown(commands: string, bindery: Bindery): Promise<CommandResult> {
  const folder = mkdtempSync(join(tmpdir(), "bindery-shell-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, ".curlrc"), "fail-with-body\nsilent\nshow-error\n");
  const npx = join(folder, "npx");
  writeFileSync(npx, `#!/bin/sh\ntest "$1" = bindery && shift && exec "${process.execPath}" "${mainFile()}" "$@"\n`);
  chmodSync(npx, 0o755);
  symlinkSync(join(ROOT, "docs"), join(folder, "docs"));
  const env = { CURL_HOME: folder, PATH: `${folder}${delimiter}${process.env.PATH}` };
  const script = `cd "${folder}"\nset -euo pipefail\nset -x\n${commands}`;
  return runCommand("bash", ["-c", script], settings(bindery.data, env));
}
