import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Bindery, ROOT, runCommand, startBindery } from "../support/bindery.js";

const TEXT = readFileSync(join(ROOT, "docs/client.md"), "utf8");
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: [],
};

let bindery: Bindery;
let token: string;
let folder: string;

beforeAll(async () => {
  bindery = await startBindery({ content: "demo" });
  ({ token } = await bindery.user("ada"));
  folder = mkdtempSync(join(tmpdir(), "bindery-client-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(ROOT, "dist/client"), join(folder, "node_modules/bindery-repository-client"));
}, 180_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await bindery.dispose();
});

/** All examples as one module: each goes on where the one before ended. */
function examples(): string {
  return [...TEXT.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1]!).join("\n");
}

it("has examples that compile and work on the demo, one after the other", async () => {
  const file = join(folder, "examples.mts");
  writeFileSync(file, examples().replaceAll("http://127.0.0.1:8080", bindery.url).replaceAll("bnd_...", token));

  const program = ts.createProgram([file], OPTIONS);
  const problems = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  expect(problems).toEqual([]);
  program.emit();

  const { code, stdout, stderr } = await runCommand(process.execPath, [join(folder, "examples.mjs")]);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5} .*[Ll]ysozyme/m);
  expect(stdout).toMatch(/^[1-9]\d* records, read as kd:<10uM$/m);
  for (const [, counted, found] of stdout.matchAll(/: (\d+) counted, (\d+) found$/gm)) expect(found).toBe(counted);
  expect(stdout).toMatch(/^[1-9]\d* results streamed$/m);
  expect(stdout).toMatch(/^id,title,kd,kd_unit,kd_error_lower,kd_error_upper,kd_error_is_relative,kd_derived\r$/m);
  expect(stdout).toContain("true []");
  expect(stdout).toContain(`${bindery.url}/api/records/mst/`);
  expect(stdout).toContain("true 2");
  expect(stdout).toContain("taxid:562 Escherichia coli species");
  expect(stdout).toContain("2 [ 'taxid:0' ]");
  expect(stdout).toContain("mst Microscale thermophoresis");
  expect(stdout).toContain("400 DRAFT_INVALID The draft has 1 problem; nothing was published.");
  expect(stdout).toMatch(/^metadata\.method_specific_parameters \[/m);
}, 120_000);

it("names types that can be imported", () => {
  const table = /^## Types$.*?^Alternatives/ms.exec(TEXT)![0];
  const names = [...table.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => code!.match(/\b[A-Z]\w+/g) ?? []);
  expect(names).toContain("RecordOf");
  const file = join(folder, "types.mts");
  writeFileSync(file, `import type { ${[...new Set(names)].join(", ")} } from "bindery-repository-client";\n`);
  const problems = ts.getPreEmitDiagnostics(ts.createProgram([file], OPTIONS));
  expect(problems.map(({ messageText }) => messageText)).toEqual([]);
});
