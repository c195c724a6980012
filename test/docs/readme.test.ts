import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { mainFile, ROOT, runCommand, settings, startBindery } from "../support/bindery.js";

/** Lines of the README's shell blocks, but those that install, start or test. */
function readmeScript(): string {
  const text = readFileSync(join(ROOT, "README.md"), "utf8");
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1]!);
  return blocks.filter((block) => !block.startsWith("npm ")).join("\n");
}

/** Every answer of 400 or more ends a command, every command that fails ends the script. */
function makeShell(): { folder: string; env: Record<string, string> } {
  const folder = mkdtempSync(join(tmpdir(), "bindery-readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, ".curlrc"), "fail-with-body\nsilent\nshow-error\n");
  const npx = join(folder, "npx");
  writeFileSync(npx, `#!/bin/sh\ntest "$1" = bindery && shift && exec "${process.execPath}" "${mainFile()}" "$@"\n`);
  chmodSync(npx, 0o755);
  symlinkSync(join(ROOT, "docs"), join(folder, "docs"));
  return { folder, env: { CURL_HOME: folder, PATH: `${folder}${delimiter}${process.env.PATH}` } };
}

it("has commands that all work as they stand, one after the other", async () => {
  const bindery = await startBindery();
  onTestFinished(() => bindery.dispose());
  const { folder, env } = makeShell();
  const commands = readmeScript().replaceAll("http://127.0.0.1:8080", bindery.url);
  const script = `cd "${folder}"\nset -euo pipefail\nset -x\n${commands}`;
  const { code, stdout, stderr } = await runCommand("bash", ["-c", script], settings(bindery.data, env));
  expect(code, stderr.split("\n").slice(-10).join("\n") + stdout.slice(-2_000)).toBe(0);
  expect(stdout).toContain('"funder_name":"European Commission"');
  expect(stdout).toContain("1 draft made, 1 published");
  expect(stdout).toContain('"title":{"en":"Bacillus subtilis"}');
}, 180_000);

it("shows at least one request for each part of the interface", () => {
  const script = readmeScript();
  const parts = [
    "/api/search/",
    "/api/records/mst/",
    "/api/user/search/",
    "/api/user/records/mst/",
    "taxid:562",
    "q=%22",
  ];
  for (const part of [...parts, "suggest=", "ids=", "-X PUT", "/actions/publish"]) expect(script).toContain(part);
});
