import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newStore } from "../support/new-store.js";
import { runCli, runProgram } from "./run-cli.js";

let folder: string;
let env: { BINDERY_DATA: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-import-"));
  env = { BINDERY_DATA: join(folder, "data") };
  await newStore(env.BINDERY_DATA);
  await runCli(["user", "add", "alice"], env);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file of NDJSON items and gives its path. */
function ndjson(name: string, items: readonly unknown[]): string {
  const file = join(folder, name);
  const text = items.map((item) => JSON.stringify(item)).join("\n");
  writeFileSync(file, name.endsWith(".gz") ? gzipSync(text) : text);
  return file;
}

const organism = (n: number, title = `Organism ${n}`) => ({ id: `taxid:${n}`, title: { en: title } });

describe("bindery import vocabulary", () => {
  it("says what was new, changed and unchanged", async () => {
    const file = ndjson("first.ndjson.gz", [organism(990001), organism(990002)]);
    const first = await runCli(["import", "vocabulary", "organisms", file], env);
    expect(first).toMatchObject({ code: 0, stdout: "organisms: 2 new, 0 changed, 0 unchanged, 0 refused\n" });

    const again = ndjson("second.ndjson", [organism(990001), organism(990002, "Renamed"), organism(990003)]);
    const second = await runCli(["import", "vocabulary", "organisms", again], env);
    expect(second.stdout).toBe("organisms: 1 new, 1 changed (1 renamed), 1 unchanged, 0 refused\n");
  });

  it("writes the fields that a line has, so that the example of the README keeps its parent", async () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const yaml = /<<'END'\n(id: taxid:1423\n.*?)\nEND\n/s.exec(readme)![1]!;
    const file = join(folder, "organisms.yaml");
    writeFileSync(file, yaml);
    const { stdout } = await runCli(["import", "vocabulary", "organisms", file], env);
    expect(stdout).toBe("organisms: 0 new, 1 changed, 0 unchanged, 0 refused\n");
    // Nothing is left to lose but what only the starter item said.
    const dry = await runCli(["import", "vocabulary", "organisms", file, "--replace", "--dry-run"], env);
    expect(dry).toMatchObject({
      code: 0,
      stdout: [
        "organisms: 0 new, 1 changed, 0 unchanged, 0 refused (dry run: nothing was written)",
        "would lose their parent: 1 term",
        "taxid:1423:",
        '  parent: "taxid:653685" -> none',
        "",
      ].join("\n"),
    });
    const replaced = await runCli(["import", "vocabulary", "organisms", file, "--replace"], env);
    expect(replaced.stdout).toMatch(/1 changed.*\nlost their parent: 1 term\n$/);
  });

  it("refuses the whole file for one bad item, with line and reason, unless told to go on", async () => {
    const file = ndjson("bad.ndjson", [organism(990010), { id: "no such id", title: { en: "X" } }]);
    const refused = await runCli(["import", "vocabulary", "organisms", file], env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/bad\.ndjson:2: /);
    expect(refused.stderr).toContain("Nothing was imported");

    const skipped = await runCli(["import", "vocabulary", "organisms", file, "--skip-refused"], env);
    expect(skipped).toMatchObject({ code: 0, stdout: "organisms: 1 new, 0 changed, 0 unchanged, 1 refused\n" });
  });

  it("has a large file read by a second thread, and leaves no log behind", async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => organism(950_000 + i, `${"long ".repeat(20)}${i}`));
    const file = ndjson("large.ndjson", [...many, { id: "no id" }]);
    const { code, stdout, stderr } = await runProgram(
      ["import", "vocabulary", "organisms", file, "--skip-refused"],
      env,
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toBe("organisms: 10,000 new, 0 changed, 0 unchanged, 1 refused\n");
    expect(stderr).toContain(`${file}:10001:`);
    expect(readdirSync(env.BINDERY_DATA)).not.toContain("bindery.sqlite-wal");
  });

  it("prints at most some hundred reasons, and how many more there are", async () => {
    const items = Array.from({ length: 250 }, () => ({ id: "bad id", title: { en: "X" } }));
    const { stderr } = await runCli(["import", "vocabulary", "organisms", ndjson("many.ndjson", items)], env);
    expect(stderr.match(/many\.ndjson:\d+: /g)).toHaveLength(200);
    expect(stderr).toContain("... and 50 more refusals");
  });

  it("gives the summary as JSON", async () => {
    const file = ndjson("json.ndjson", [organism(990020)]);
    const { stdout } = await runCli(["import", "vocabulary", "organisms", file, "--json"], env);
    const lost = { parent: 0, synonyms: 0, title: {}, props: {} };
    expect(JSON.parse(stdout)).toEqual({
      new: 1,
      changed: 0,
      ...{ renamed: 0, merged: 0, withdrawn: 0, kept: 0 },
      unchanged: 0,
      redirects: 0,
      refused: [],
      lost,
      examples: [],
    });
  });

  it.each([
    ["nonsense", "first.ndjson.gz", "nonsense"],
    ["organisms", "missing.ndjson", "missing.ndjson"],
  ])("refuses the vocabulary %s from %s in one line", async (vocabulary, name, word) => {
    const { code, stderr } = await runCli(["import", "vocabulary", vocabulary, join(folder, name)], env);
    expect(code).toBe(1);
    expect(stderr).toContain(word);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("bindery import records", () => {
  const record = { metadata: { general_parameters: { record_information: { title: "Imported" } } } };

  it("makes drafts of one owner", async () => {
    const other = { metadata: { ...record.metadata, note: "Another" } };
    const file = ndjson("records.ndjson", [record, other]);
    const args = ["import", "records", "mst", file, "--owner", "alice"];
    const pretended = await runCli([...args, "--dry-run"], env);
    expect(pretended.stdout).toBe("mst: would be 2 created, 0 updated, 0 unchanged, 0 refused; 0 published\n");
    const { code, stdout, stderr } = await runCli(args, env);
    expect(stderr).toBe("");
    expect(stdout).toBe("mst: 2 created, 0 updated, 0 unchanged, 0 refused; 0 published\n");
    expect(code).toBe(0);
    const again = await runCli(args, env);
    expect(again).toMatchObject({
      code: 0,
      stdout: "mst: 0 created, 0 updated, 2 unchanged, 0 refused; 0 published\n",
    });
  });

  it("says why a record cannot be published, and ends with 1", async () => {
    const file = ndjson("unfinished.ndjson", [record]);
    const outcome = await runCli(["import", "records", "mst", file, "--owner", "alice", "--publish"], env);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/unfinished\.ndjson:1: /);
    expect(outcome.stdout).toContain("1 refused; 0 published");
  });

  it("refuses an owner and a model that are not there", async () => {
    const file = ndjson("records.ndjson", [record]);
    const nobody = await runCli(["import", "records", "mst", file, "--owner", "nobody"], env);
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining("nobody") });
    const nothing = await runCli(["import", "records", "xyz", file, "--owner", "alice"], env);
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining("xyz") });
  });
});
