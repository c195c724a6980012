/** The command `bindery` in a fresh copy of the repository, before and after the first build. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

let folder: string;
let clone: string;

/** Runs a program in the clone, with an npm cache that knows nothing of earlier calls. */
function run(program: string, ...args: string[]) {
  const env = { ...process.env, npm_config_cache: join(folder, "npm"), npm_config_offline: "true" };
  return spawnSync(program, args, { cwd: clone, env, encoding: "utf8" });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-clone-"));
  clone = join(folder, "bindery");
  // What git keeps: neither packages nor anything built.
  const isKept = (path: string): boolean => !/^(node_modules|build|dist.*|\.git)$/.test(relative(ROOT, path));
  cpSync(ROOT, clone, { recursive: true, filter: isKept });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Compiling all of it takes half a minute, and longer beside other tests: only the long tests do, among which is the
 * step of CI that tests the package.
 */
const BUILD_MS = 300_000;

it(
  "says what to install, builds the program when it is first called, and then starts it without a word",
  () => {
    for (let call = 0; call < 2; call++) {
      const early = run("npx", "bindery", "--version");
      expect([early.status, early.stdout]).toEqual([1, ""]);
      expect(early.stderr).toContain(`are not installed. Run \`npm ci\` in ${clone}`);
    }
    // What `npm ci` makes, without its minutes. The folder itself is the clone's: npm keeps its links there.
    mkdirSync(join(clone, "node_modules"), { recursive: true });
    for (const name of readdirSync(join(ROOT, "node_modules")))
      if (!name.startsWith(".")) symlinkSync(join(ROOT, "node_modules", name), join(clone, "node_modules", name));

    if (process.env.TEST_LONG === "1") {
      const first = run("npx", "bindery", "--version");
      expect([first.status, first.stdout]).toEqual([0, "0.1.0\n"]);
      expect(first.stderr).toContain("Bindery is not built yet.");
      expect(existsSync(join(clone, "dist/main.js"))).toBe(true);
    } else cpSync(join(ROOT, "dist"), join(clone, "dist"), { recursive: true });

    const second = run("npx", "bindery", "--version");
    expect([second.status, second.stdout, second.stderr]).toEqual([0, "0.1.0\n", ""]);
    expect(run("bin/bindery.mjs", "no-such-command").status).not.toBe(0);

    rmSync(join(clone, "dist"), { recursive: true });
    rmSync(join(clone, "tsconfig.build.json"));
    const broken = run("npx", "bindery", "--version");
    expect([broken.status, broken.stdout]).toEqual([1, ""]);
    expect(broken.stderr).toContain("`npm run build`");
  },
  BUILD_MS,
);
