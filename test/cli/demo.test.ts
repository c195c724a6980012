import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { DEMO_FOLDER, loadDemo } from "../../src/cli/load-demo.js";
import { runCommand, startBindery } from "../support/bindery.js";
import type { SearchBody } from "../support/http-client.js";
import { openServices } from "../support/open-services.js";
import { runCli } from "./run-cli.js";

const MODELS = ["bli", "itc", "mst", "spr"];

function countLines(file: string): number {
  return readFileSync(join(DEMO_FOLDER, file), "utf8").trimEnd().split("\n").length;
}

const recordCount = MODELS.reduce((sum, model) => sum + countLines(`records/${model}.jsonl`), 0);
const termCount = countLines("vocabularies/chemicals.jsonl") + countLines("vocabularies/organisms.jsonl");

describe("bindery demo", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "bindery-demo-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("loads the examples without a server, and finds nothing to do a second time", async () => {
    const env = { BINDERY_DATA: join(folder, "alone") };
    const first = await runCli(["demo"], env);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain(
      `Loaded ${termCount} of ${termCount} terms and ${recordCount} of ${recordCount} rec`,
    );

    const tokens = await runCli(["token", "list"], env);
    const second = await runCli(["demo"], env);
    expect(second).toMatchObject({ code: 0, stderr: "" });
    expect(second.stdout).toContain(`Nothing to do: ${termCount} terms and ${recordCount} records are there.`);
    expect((await runCli(["token", "list"], env)).stdout).toBe(tokens.stdout);
  });

  it("goes on where an earlier run was ended", async () => {
    const env = { BINDERY_DATA: join(folder, "halfway") };
    await runCli(["user", "add", "demo"], env);
    for (const vocabulary of ["chemicals", "organisms"]) {
      await runCli(["import", "vocabulary", vocabulary, join(DEMO_FOLDER, `vocabularies/${vocabulary}.jsonl`)], env);
    }
    const file = join(DEMO_FOLDER, "records/bli.jsonl");
    await runCli(["import", "records", "bli", file, "--owner", "demo", "--publish"], env);
    const missing = recordCount - countLines("records/bli.jsonl");
    const { stdout } = await runCli(["demo"], env);
    expect(stdout).toContain(`Loaded 0 of ${termCount} terms and ${missing} of ${recordCount} records.`);
  });

  it("loads them beside a running server, which answers each line that is printed", async () => {
    const bindery = await startBindery();
    onTestFinished(() => bindery.dispose());
    const env = { BINDERY_DATA: bindery.data, BINDERY_PORT: new URL(bindery.url).port };
    const { stdout } = await runCli(["demo"], env);
    const all = await bindery.client.get<SearchBody>("/api/search/?facets=none");
    expect(all.body.hits.total).toBe(recordCount);

    const lines = stdout.split("\n").filter((line) => line.includes("curl "));
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const answer = JSON.parse(
        (await runCommand("bash", ["-c", line.replace("curl ", "curl -s ")])).stdout,
      ) as SearchBody;
      expect(answer.hits.total, line).toBeGreaterThan(0);
      expect(answer.query.fallback, line).toBe(false);
    }
  });
});

it("deposits examples that nothing need be said about", async () => {
  const services = await openServices();
  onTestFinished(() => services.dispose());
  const said: unknown[] = [];
  await loadDemo({
    ...services,
    createDraft: async (...input) => {
      const answer = await services.createDraft(...input);
      said.push(...answer.warnings);
      return answer;
    },
  });
  expect(said).toEqual([]);
});
