import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Compiling the database driver takes a minute or more. */
const INSTALL_MS = 600_000;

/** Headers of this Node for compiling, where it came with some; else npm fetches them. */
function compileEnvironment(): NodeJS.ProcessEnv {
  const prefix = dirname(dirname(process.execPath));
  const hasHeaders = existsSync(join(prefix, "include/node/node.h"));
  return { ...process.env, ...(hasHeaders ? { npm_config_nodedir: prefix } : {}) };
}

it.runIf(process.env.TEST_LONG)(
  "is packed, installed into an empty folder, and serves from there",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "bindery-package-"));
    const npm = (cwd: string, ...args: string[]) =>
      execFileSync("npm", args, { cwd, env: compileEnvironment(), stdio: ["ignore", "pipe", "pipe"] });
    try {
      npm(ROOT, "pack", "--pack-destination", folder);
      const packed = readdirSync(folder).find((name) => name.endsWith(".tgz"))!;
      // npm asks which packages may run scripts: the database driver compiles itself.
      const manifest = { private: true, allowScripts: { "better-sqlite3": true } };
      writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
      npm(folder, "install", `./${packed}`);

      const installed = readdirSync(join(folder, "node_modules/bindery")).sort();
      expect(installed.filter((name) => !/^(README\.md|LICENSE|CHANGELOG\.md)$/.test(name))).toEqual([
        "catalog",
        "demo",
        "dist",
        "package.json",
      ]);

      const env = { ...process.env, BINDERY_PORT: "0" };
      const server = spawn(join(folder, "node_modules/.bin/bindery"), ["serve"], { cwd: folder, env });
      const ended = new Promise((resolve) => server.once("exit", resolve));
      try {
        const url = await new Promise<string>((resolve, reject) => {
          createInterface({ input: server.stdout }).on("line", (line) => {
            const found = /^Bindery serves (http\S+) \(data in \.\/bindery-data\)$/.exec(line)?.[1];
            if (found !== undefined) resolve(found);
          });
          ended.then((code) => reject(new Error(`The server ended with ${code}.`)));
        });
        const response = await fetch(`${url}/api/vocabularies/organisms/taxid:562`);
        expect(await response.json()).toMatchObject({ id: "taxid:562" });
      } finally {
        server.kill("SIGTERM");
      }
      expect(await ended).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  INSTALL_MS,
);
