import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newStore } from "../support/new-store.js";
import { sharedData } from "../support/shared-data.js";
import { runProgram } from "./run-cli.js";

/** Whole dumps of authorities, as they are published: minutes, so TEST_LONG=1 only, and where the dumps are. */
const SHARED = sharedData();
const AUTHORITIES = join(SHARED ?? "", "authorities");
const isWanted = process.env.TEST_LONG === "1";
if (isWanted && SHARED === undefined) process.stderr.write("Skipped: the dumps of authorities are not here.\n");

describe.skipIf(!isWanted || SHARED === undefined)("whole dumps", () => {
  let folder: string;
  let env: { BINDERY_DATA: string };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "bindery-dumps-"));
    env = { BINDERY_DATA: join(folder, "data") };
    await newStore(env.BINDERY_DATA);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const load = async (authority: string, dump: string) => {
    const args = ["authority", "load", authority, join(AUTHORITIES, dump), "--json"];
    const { code, stdout, stderr } = await runProgram(args, env);
    expect([code, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout) as { new: number; changed: number; unchanged: number; redirects: number };
  };

  it.each([
    ["ncbi", "ncbi-taxonomy/taxdump.tar.gz", 2_609_295, 332_338],
    ["ror", "ror/v2.8-subset-ror-data.zip", 33_919, 0],
    ["openaire", "openaire/projects.ndjson.gz", 193, 0],
    ["iso639", "languages", 7_910, 204],
    ["chebi", "chemicals/chebi-slice.obo.gz", 453, 0],
    ["pubchem", "chemicals", 68_205, 0],
  ])("of %s are loaded, and change nothing when they are loaded again", { timeout: 3_600_000 }, async (...given) => {
    const [authority, dump, items, redirects] = given;
    const first = await load(authority, dump);
    expect([first.new + first.changed + first.unchanged, first.redirects]).toEqual([items, redirects]);
    expect(await load(authority, dump)).toMatchObject({ new: 0, changed: 0, unchanged: items, redirects: 0 });
  });

  it("leave a store in which everything agrees", { timeout: 3_600_000 }, async () => {
    const { code, stderr } = await runProgram(["verify"], env);
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("of the retired schema v1 of ROR are refused with a word on it", async () => {
    const dump = join(AUTHORITIES, "ror/v1.44-schema_v1-sample-ror-data.zip");
    const { code, stderr } = await runProgram(["authority", "load", "ror", dump], env);
    expect(code).toBe(1);
    expect(stderr).toContain("retired schema v1");
  });
});
