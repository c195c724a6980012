import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { CommandResult } from "../support/bindery.js";
import { mainFile } from "../support/bindery.js";
import { BUILT_IN_MODELS } from "../support/built-in-models.js";
import { recordWith } from "../support/deposit.js";
import { newStore } from "../support/new-store.js";
import { makeRecord } from "../support/records.js";
import { runCli, serveCli } from "./run-cli.js";

let folder: string;
let env: { BINDERY_DATA: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-validate-"));
  env = { BINDERY_DATA: join(folder, "data") };
  await newStore(env.BINDERY_DATA);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GOOD = makeRecord(1);
const BAD = recordWith(2, { instrument: { id: "ins:999999" }, technique: undefined, nonsense: 1 });
const FIELDS = ["metadata.general_parameters.instrument.id", "metadata.general_parameters.technique"];

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const ndjson = (name: string, ...records: readonly unknown[]): string =>
  file(name, records.map((record) => JSON.stringify(record)).join("\n"));
const validate = (path: string, ...options: readonly string[]): Promise<CommandResult> =>
  runCli(["validate", "mst", path, ...options], env);
/** `line: field` of each line but the last. */
const placesIn = ({ stdout }: CommandResult, path: string): readonly string[] => {
  const lines = stdout.trimEnd().split("\n").slice(0, -1);
  return lines.map((line) => /^(\d+: [\w.: ]+): /.exec(line.slice(`${path}:`.length))?.[1] ?? line);
};

describe("bindery validate", () => {
  it("says how many records are valid, and ends with 0 where all are", async () => {
    const outcome = await validate(ndjson("good.jsonl", GOOD, GOOD.metadata, makeRecord(3)));
    expect(outcome).toEqual({ code: 0, stdout: "mst: 3 records, 3 valid\n", stderr: "" });
    expect(await validate(file("empty.jsonl", "\n\n"))).toMatchObject({ code: 0, stdout: "mst: 0 records, 0 valid\n" });
  });

  it.each([
    ["bad.jsonl", () => `${JSON.stringify(GOOD)}\n\n${JSON.stringify(BAD)}\n`, 3],
    ["bad.json", () => JSON.stringify([GOOD, BAD], null, 1).replace(/\n \{/, "{"), undefined],
    ["bad.yaml", () => `${stringify(GOOD)}---\n${stringify(BAD.metadata)}`, undefined],
    ["bad.ndjson.gz", () => gzipSync(`${JSON.stringify(GOOD)}\n${JSON.stringify(BAD)}`), 2],
  ])("names line and field of each error in %s, and ends with 1", async (name, content, line) => {
    const path = file(name, content());
    const outcome = await validate(path);
    expect([outcome.code, outcome.stderr]).toEqual([1, ""]);
    const places = placesIn(outcome, path).map((place) => place.split(": "));
    expect(places.map(([, field]) => field).sort()).toEqual(FIELDS);
    expect(new Set(places.map(([at]) => at)).size).toBe(1);
    expect(Number(places[0]![0])).toBeGreaterThan(1);
    if (line !== undefined) expect(places[0]![0]).toBe(String(line));
    expect(outcome.stdout).toMatch(/\nmst: 2 records, 1 valid, 1 not valid, 1 warning\n$/);
  });

  it("prints warnings where they are wanted", async () => {
    const path = ndjson("warned.jsonl", BAD);
    expect((await validate(path)).stdout).not.toContain("nonsense");
    expect(placesIn(await validate(path, "--warnings"), path)).toContain(
      "1: warning: metadata.general_parameters.nonsense",
    );
  });

  it("goes on after what is no record", async () => {
    const path = file("mixed.jsonl", `{\n[]\n{"model": "spr", "metadata": {}}\n${JSON.stringify(GOOD)}\n`);
    const { code, stdout } = await validate(path);
    expect(code).toBe(1);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.slice(0, 3)).toEqual([
      expect.stringMatching(/mixed\.jsonl:1: it is not valid JSON/),
      expect.stringMatching(/mixed\.jsonl:2: \S/),
      expect.stringMatching(/mixed\.jsonl:3: model: .*"spr".*"mst"/),
    ]);
    expect(lines[3]).toBe("mst: 4 records, 1 valid, 3 not valid");
  });

  it("prints one JSON object per record, and nothing else, with --json", async () => {
    const path = file("scripted.jsonl", `${JSON.stringify(GOOD)}\n{\n${JSON.stringify(BAD)}\n`);
    const { code, stdout, stderr } = await validate(path, "--json");
    expect([code, stderr]).toEqual([1, ""]);
    const documents = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(documents[0]).toEqual({ line: 1, valid: true, errors: [], warnings: [] });
    expect(documents[1]).toMatchObject({ line: 2, valid: false, errors: [{ field: "", code: "UNREADABLE" }] });
    expect(documents[2]).toMatchObject({ line: 3, valid: false, warnings: [{ code: "UNKNOWN_FIELD" }] });
    expect(documents[2].errors.map(({ code: name }: { code: string }) => name).sort()).toEqual([
      ...["REQUIRED", "TERM_UNKNOWN"],
    ]);
    expect(documents).toHaveLength(3);
  });

  it("knows the terms that a running service has by then", async () => {
    const path = ndjson("cites.jsonl", recordWith(4, { instrument: { id: "ins:990001" } }));
    const served = await serveCli(env);
    try {
      expect((await validate(path)).code).toBe(1);
      const items = ndjson("items.jsonl", { id: "ins:990001", title: { en: "A new one" } });
      expect((await runCli(["import", "vocabulary", "instruments", items], env)).code).toBe(0);
      expect(await validate(path)).toMatchObject({ code: 0, stdout: "mst: 1 record, 1 valid\n" });
    } finally {
      served.process.kill();
      await served.ended;
    }
  });
});

describe("what bindery validate leaves", () => {
  it("is the store as it was", async () => {
    const database = join(env.BINDERY_DATA, "bindery.sqlite");
    const before = readFileSync(database);
    await validate(ndjson("left.jsonl", GOOD, BAD));
    expect(readFileSync(database).equals(before)).toBe(true);
  });

  it("is no new data folder", async () => {
    const none = join(folder, "none");
    const outcome = await runCli(["validate", "mst", ndjson("x.jsonl", GOOD)], { BINDERY_DATA: none });
    expect(outcome).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("start the service once") });
    expect(existsSync(none)).toBe(false);
  });
});

describe("a call that means nothing", () => {
  it.each([
    ["an unknown model", ["nmr", "good.jsonl"], `the models are ${BUILT_IN_MODELS.join(", ")}`],
    ["no file", ["mst"], "missing required argument 'file'"],
    ["an unknown option", ["mst", "good.jsonl", "--publish"], "unknown option"],
  ])("with %s ends with 2", async (_, [model = "", name, ...options], words) => {
    const path = name === undefined ? [] : [ndjson(name, GOOD)];
    const { code, stdout, stderr } = await runCli(["validate", model, ...path, ...options], env);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
  });

  it("with a file that is not there ends with 1, in one line", async () => {
    const { code, stderr } = await validate(join(folder, "missing.jsonl"));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\S*missing\.jsonl cannot be read\.\n$/);
  });
});

it("ends without a word when nobody reads on", async () => {
  const path = ndjson("many.jsonl", ...Array.from({ length: 2_000 }, () => ({ metadata: {} })));
  const command = `"${process.execPath}" "${mainFile()}" validate mst "${path}" --json | head -n 1`;
  const stderr = await new Promise<string>((resolve) => {
    execFile("sh", ["-c", command], { env: { ...process.env, ...env } }, (_error, _stdout, said) => resolve(said));
  });
  expect(stderr).toBe("");
});
