import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DumpFolder, makeDumpFolder, TAXA, taxdump } from "../support/dumps.js";
import { makeTar } from "../support/make-archive.js";
import { newStore } from "../support/new-store.js";
import { runCli } from "./run-cli.js";

let folder: string;
let dumps: DumpFolder;
let env: { BINDERY_DATA: string };

beforeAll(async () => {
  dumps = makeDumpFolder();
  folder = mkdtempSync(join(tmpdir(), "bindery-authority-"));
  env = { BINDERY_DATA: join(folder, "data") };
  await newStore(env.BINDERY_DATA);
});
afterAll(() => {
  dumps.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Taxa that no starter item has. */
const OTHERS = TAXA.map((taxon) => ({ ...taxon, id: taxon.id + 95_000_000, parent: taxon.parent + 95_000_000 }));
const NEW = OTHERS.map((taxon) => ({ ...taxon, id: taxon.id % 20_000_000, parent: taxon.parent % 20_000_000 }));
const authority = (...args: string[]) => runCli(["authority", ...args], env);

describe("bindery authority", () => {
  it("lists what can be loaded, also where there is no store", async () => {
    const { code, stdout } = await runCli(["authority", "list"], { BINDERY_DATA: join(folder, "none") });
    expect(code).toBe(0);
    for (const name of ["chebi", "iso639", "ncbi", "openaire", "pubchem", "ror"]) expect(stdout).toContain(`${name}: `);
    const { stdout: json } = await authority("list", "--json");
    expect(JSON.parse(json)).toContainEqual(expect.objectContaining({ name: "ncbi", vocabulary: "organisms" }));
  });

  it("shows what a dump would change, loads it, and says which was loaded", async () => {
    expect((await authority("status")).stdout).toBe("No dump of an authority was loaded.\n");
    const old = { merged: [[15_000_777, NEW[4]!.id]], deleted: [15_000_778] } as const;
    const dump = dumps.file("taxdump.tar.gz", gzipSync(makeTar(taxdump(NEW, old))));
    const dry = await authority("load", "ncbi", dump, "--dry-run");
    expect(dry.stdout).toBe(
      "organisms: 7 new, 0 changed, 0 unchanged, 0 refused (dry run: nothing was written)\n" +
        "2 ids would lead to another term, or to none, since this load\n",
    );
    expect((await authority("status")).stdout).toContain("No dump");
    const loaded = await authority("load", "ncbi", dump);
    expect(loaded).toMatchObject({ code: 0, stderr: "" });
    expect(loaded.stdout).toContain("organisms: 7 new, 0 changed, 0 unchanged, 0 refused\n2 ids lead");
    const again = await authority("load", "ncbi", dump, "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ unchanged: 7, new: 0, redirects: 0, release: "2026-11-01" });
    const status = (await authority("status")).stdout.split("\n");
    expect(status[0]).toMatch(/^VOCABULARY +AUTHORITY +RELEASE +LOADED \(UTC\) +FILE +SHA-256$/);
    expect(status[1]).toMatch(/^organisms +ncbi +2026-11-01 +\S+ +taxdump\.tar\.gz +[0-9a-f]{64}$/);
  });

  it("names file and line of what is wrong, and loads nothing", async () => {
    const files = taxdump(NEW);
    const dump = dumps.folder({ ...files, "nodes.dmp": `${files["nodes.dmp"]}x\n` });
    const { code, stdout, stderr } = await authority("load", "ncbi", dump);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`${dump}: nodes.dmp:8: a row has 3 columns or more`);
    expect(stderr).toContain("Nothing was loaded: 1 place refused (--skip-refused loads the others).");
    expect(await authority("load", "gbif", dump)).toMatchObject({ code: 1, stderr: expect.stringContaining("ncbi") });
    expect(await authority("load", "ncbi", "/nowhere")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no file /nowhere."),
    });
  });

  it("takes ids from a file, and a word for the release", async () => {
    const rows = [
      "702\tInChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3\tLFQSCWFLJHTTHZ-UHFFFAOYSA-N",
      "7\tInChI=1S/C7H9N5/c1-2-12-4-11-5-6(8)9-3-10-7(5)12/h3-4H,2H2,1H3,(H2,8,9,10)\tMUIPLRMGAXZWSQ-UHFFFAOYSA-N",
    ];
    const dump = dumps.folder({
      "CID-InChI-Key": rows
        .toReversed()
        .map((row) => `${row}\n`)
        .join(""),
      "CID-Title": "7\t9-ethyladenine\n702\tEthanol\n",
    });
    const ids = dumps.file("ids.txt", "7\r\n\r\n");
    const { stdout } = await authority("load", "pubchem", dump, "--only", ids, "--release", "November", "--dry-run");
    expect(stdout).toContain("chemicals: 1 new, 0 changed, 0 unchanged");
    const none = await authority("load", "pubchem", dump, "--only", dumps.file("ids.txt", "\n"));
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("has no ids; write one on each line") });
  });
});

describe("bindery demo --authorities", () => {
  it("loads the dumps of a folder first, and refuses one without any", async () => {
    const empty = dumps.folder({ "readme.txt": "" });
    const none = await runCli(["demo", "--authorities", empty], env);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no dump of an authority in") });
    const others = dumps.folder({ "x/nodes.dmp": taxdump(NEW)["nodes.dmp"], "x/names.dmp": taxdump(NEW)["names.dmp"] });
    const { code, stdout } = await runCli(["demo", "--authorities", others], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^organisms: 0 new, 0 changed, 7 unchanged, 0 refused\nLoaded /);
  });
});
