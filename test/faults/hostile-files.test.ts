import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../cli/run-cli.js";
import { newStore } from "../support/new-store.js";

const MIB = 1024 * 1024;

let folder: string;
let env: { readonly BINDERY_DATA: string };
const inFolder = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-hostile-files-"));
  env = { BINDERY_DATA: inFolder("data") };
  await newStore(env.BINDERY_DATA);
  await runCli(["user", "add", "ada"], env);
  writeFileSync(inFolder("blank.gz"), gzipSync("\n".repeat(20 * MIB)));
  writeFileSync(inFolder("columns.csv.gz"), gzipSync(",".repeat(20 * MIB)));
  writeFileSync(inFolder("empty"), "");
  writeFileSync(inFolder("ids"), "cid:1\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each command that reads a file, with the file in the place of FILE. */
const COMMANDS = [
  "import vocabulary organisms FILE --dry-run",
  "import records mst FILE --owner ada",
  "validate mst FILE",
  "match affiliations FILE",
  "authority load ror FILE",
  "authority load pubchem IDS --only FILE",
];

const STORES = ["load FILE", "restore FILE"];

const run = (command: string, file: string, data = env.BINDERY_DATA) =>
  runCli(
    command.split(" ").map((word) => ({ FILE: file, IDS: inFolder("ids") })[word] ?? word),
    { BINDERY_DATA: data },
  );

describe.each([...COMMANDS, ...STORES])("bindery %s", (command) => {
  const data = (): string => (STORES.includes(command) ? inFolder("new") : env.BINDERY_DATA);

  it.each(["/dev/zero", "/dev/null"])("refuses %s by what it is", async (device) => {
    const { code, stderr } = await run(command, device, data());
    expect([code, stderr]).toEqual([1, `${device} is a device, not a file; write what it holds into a file.\n`]);
  });

  it("ends a bomb of blank lines", async () => {
    const { code, stderr, stdout } = await run(command, inFolder("blank.gz"), data());
    const words = command.startsWith("load") ? "Line 1 is not JSON" : "blank.gz";
    expect([code, `${stdout}${stderr}`]).toEqual([1, expect.stringContaining(words)]);
  });
});

describe.each([...COMMANDS.filter((command) => !command.startsWith("authority load ror")), ...STORES])(
  "bindery %s",
  (command) => {
    it("refuses a folder, and a file that is not there, by name", async () => {
      for (const [file, words] of [
        [folder, `${folder} is a folder, not a file.`],
        [inFolder("none"), inFolder("none")],
      ] as const) {
        const { code, stderr } = await run(command, file, STORES.includes(command) ? inFolder("new") : undefined);
        expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
      }
    });
  },
);

it("loads a store's dump that is packed", async () => {
  await runCli(["dump", inFolder("store.dump")], env);
  execFileSync("gzip", [inFolder("store.dump")]);
  expect(await runCli(["load", inFolder("store.dump.gz")], { BINDERY_DATA: inFolder("copy") })).toMatchObject({
    code: 0,
  });
});

it("refuses a row of millions of cells", async () => {
  const { code, stderr } = await run("match affiliations FILE", inFolder("columns.csv.gz"));
  expect([code, stderr]).toEqual([1, expect.stringContaining("more than 10000 cells")]);
});

it("prints a name that drives a terminal, or forges a line, as text", async () => {
  const name = "a\nrecords: 9 valid\u001b[2J\u009b\u202e.json";
  writeFileSync(inFolder(name), '{"\\u001b]0;x\\u0007\\nnext": 1}\n');
  for (const command of [COMMANDS[0]!, COMMANDS[2]!]) {
    const { stdout, stderr } = await run(command, inFolder(name));
    expect(`${stdout}${stderr}`).not.toMatch(/^records: 9/m);
    expect(`${stdout}${stderr}`.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
    expect(stderr + stdout).toContain("a\\nrecords: 9 valid\\u001b[2J\\u009b\\u202e.json");
  }
});
