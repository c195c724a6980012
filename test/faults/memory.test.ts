import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "../cli/run-cli.js";
import { newStore } from "../support/new-store.js";
import { makeRecord, recordLines } from "../support/records.js";
import { startService } from "../support/service.js";

const RECORDS = 200;

const PATHS = [
  "/api/search/",
  "/api/search/?q=w*&s=5",
  "/api/search/?q=%22anyone is free%22",
  "/api/search/?q=results:(type:concentration AND value:>1)",
  "/api/search/?q=results:(type:concentration AND NOT value:>1)&s=20",
  "/api/search/?q=results.value:[0.1 TO 10]",
  "/api/search/?q=collection_start_time:2024",
  "/api/search/?q=_exists_:results.value&sort=oldest",
  "/api/search/?q=escherichia&sort=bestmatch",
  "/api/search/?facets=none&q=instrument:ins\\:1",
  "/api/records/mst/?q=nM OR mM&facet_size=3",
  "/api/records/mst/?access_rights=open",
  "/api/vocabularies/organisms?q=coli",
  "/api/vocabularies/organisms?suggest=homo s",
  "/api/vocabularies/organisms?s=10000",
].map((path) => path.replaceAll(" ", "%20"));

it("answers the same with any memory for searches", { timeout: 180_000 }, async () => {
  const data = mkdtempSync(join(tmpdir(), "bindery-memory-"));
  const answers: (readonly string[])[] = [];
  for (const cacheMb of [512, 0, 1]) {
    const env = { BINDERY_CACHE_MB: String(cacheMb), BINDERY_PUBLIC_URL: "https://data.example.org" };
    const bindery = await startService({ data, env });
    if (answers.length === 0) {
      await bindery.user("alice");
      const file = join(data, "records.ndjson");
      writeFileSync(file, recordLines(RECORDS));
      const done = await bindery.program("import", "records", "mst", "--owner", "alice", "--publish", file);
      expect(done.code, done.stderr).toBe(0);
    }
    const said: string[] = [];
    // Twice: what is kept answers the second time.
    for (const path of [...PATHS, ...PATHS]) {
      const { status, text } = await bindery.client.get(path);
      expect(status, `${path} ${text.slice(0, 300)}`).toBe(200);
      said.push(text);
    }
    answers.push(said);
    await bindery.dispose();
  }
  rmSync(data, { recursive: true });
  const [all, none, little] = answers;
  expect(all!.slice(0, PATHS.length)).toEqual(all!.slice(PATHS.length));
  expect(none).toEqual(all);
  expect(little).toEqual(all);
  const totals = all!.map((text) => (JSON.parse(text) as { hits: { total: number } }).hits.total);
  expect(PATHS.filter((_, i) => totals[i] === 0)).toEqual([]);
  expect(new Set(totals).size).toBeGreaterThan(6);
});

it("validates a file of any length in little memory", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bindery-validate-"));
  const data = join(folder, "data");
  await newStore(data);
  const { metadata } = makeRecord(1);
  const note = Array(9).fill("---- ".repeat(20_000));
  const file = join(folder, "long.jsonl");
  writeFileSync(file, `${JSON.stringify({ metadata: { ...metadata, note } })}\n`.repeat(120));
  const small = { BINDERY_DATA: data, NODE_OPTIONS: "--max-old-space-size=64" };
  const outcome = await runProgram(["validate", "mst", file], small);
  rmSync(folder, { recursive: true });
  expect(outcome).toMatchObject({ code: 0, stdout: "mst: 120 records, 120 valid, 120 warnings\n" });
});
