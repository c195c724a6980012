import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DumpFolder, makeDumpFolder, TAXA, type Taxon, taxdump } from "../../../test/support/dumps.js";
import { makeTar } from "../../../test/support/make-archive.js";
import { type OpenServices, openServices } from "../../../test/support/open-services.js";
import type { ImportReadServices } from "../api/imports.js";
import { makeReadImport } from "./read-import.js";

let bindery: OpenServices;
let dumps: DumpFolder;
/** Whether the dump is read in the place of another thread. */
let isElsewhere = false;

beforeAll(async () => {
  dumps = makeDumpFolder();
  bindery = await openServices({
    content: "nothing",
    readElsewhere: (deps) => {
      const reading = makeReadImport(deps);
      const passing = Object.entries(reading).map(([name, call]) => [
        name,
        async (...args: never[]) => {
          isElsewhere = true;
          return structuredClone(await (call as (...given: never[]) => Promise<unknown>)(...structuredClone(args)));
        },
      ]);
      return Object.fromEntries(passing) as unknown as ImportReadServices;
    },
  });
});
afterAll(async () => {
  await bindery.dispose();
  dumps.dispose();
});

type Item = Record<string, unknown>;
const itemAt = async (id: string, vocabulary = "organisms"): Promise<Item | undefined> => {
  const found = await bindery.store.terms.getExact(vocabulary, id);
  return found && (JSON.parse(found.term.json) as Item);
};
const leadsTo = async (id: string, vocabulary = "organisms") => {
  const found = await bindery.store.terms.get(vocabulary, id);
  return found?.kind === "moved" ? found.to : found?.kind;
};
const archive = (taxa: readonly Taxon[], old: Parameters<typeof taxdump>[1] = {}) =>
  dumps.file("taxdump.tar.gz", gzipSync(makeTar(taxdump(taxa, old))));
const load = (dump: string, options: object = {}) => bindery.loadAuthority({ authority: "ncbi", dump, ...options });

describe("a dump that is loaded", () => {
  it("becomes items with all of their names, lineages, redirects, and a source that is told", async () => {
    const dump = archive(TAXA, { merged: [[29, 562]], deleted: [30] });
    const seen: [number, number][] = [];
    const onProgress = (done: number, all: number) => void seen.push([done, all]);
    const summary = await load(dump, { onProgress });
    expect(summary).toMatchObject({ new: TAXA.length, changed: 0, redirects: 2, refused: [], vocabulary: "organisms" });
    expect(summary.release).toBe("2026-11-01");
    expect(await itemAt("taxid:562")).toMatchObject({
      title: { en: "Escherichia coli" },
      parent: { id: "taxid:561" },
      synonyms: expect.arrayContaining([{ name: "ATCC 11775", kind: "type material" }]),
    });
    expect(await leadsTo("taxid:29")).toBe("taxid:562");
    expect(await leadsTo("taxid:30")).toBe("gone");
    expect(await leadsTo("taxid:31")).toBeUndefined();
    expect(seen.at(-1)![0]).toBe(seen.at(-1)![1]);
    const { hits } = await bindery.searchTerms({ kind: "anonymous" }, suggestion("migula"));
    expect(hits).toMatchObject([
      { id: "taxid:562", matched: { field: "synonyms", text: '"Bacillus coli" Migula 1895', kind: "authority" } },
    ]);
    const [source] = (await bindery.listVocabularies()).find(({ id }) => id === "organisms")!.sources!;
    const sha256 = createHash("sha256").update(
      gzipSync(makeTar(taxdump(TAXA, { merged: [[29, 562]], deleted: [30] }))),
    );
    expect(source).toMatchObject({
      authority: "ncbi",
      title: "NCBI Taxonomy",
      file: "taxdump.tar.gz",
      release: "2026-11-01",
      sha256: sha256.digest("hex"),
    });
    expect(await bindery.listDumps()).toMatchObject([{ vocabulary: "organisms", loaded: source!.loaded }]);
  });

  it("changes nothing when it is loaded again, in large and in small", async () => {
    const dump = archive(TAXA, { merged: [[29, 562]], deleted: [30] });
    await load(dump);
    const before = await itemAt("taxid:562");
    expect(await load(dump, { release: "mine" })).toMatchObject({
      new: 0,
      changed: 0,
      unchanged: TAXA.length,
      redirects: 0,
      release: "mine",
    });
    expect(await itemAt("taxid:562")).toEqual(before);
    // More than one transaction: a new generation, which has the redirects of the one before.
    const many = Array.from({ length: 1_200 }, (_, i) => species(10_000 + i));
    // What stands above them has more taxa below it.
    expect(await load(archive([...TAXA, ...many]))).toMatchObject({ new: 1_200, refused: [] });
    expect(await itemAt("taxid:562")).toEqual(before);
    expect(await leadsTo("taxid:29")).toBe("taxid:562");
    expect(await leadsTo("taxid:30")).toBe("gone");
    expect(await load(archive([...TAXA, ...many]))).toMatchObject({ new: 0, changed: 0, unchanged: 1_207 });
  });

  it("deprecates items that were merged or withdrawn, and brings back what lives again", async () => {
    const first = [...TAXA, species(701), species(702)];
    await load(archive(first, { deleted: [703] }));
    const second = [...TAXA, species(703)];
    const dump = archive(second, { merged: [[701, 562]], deleted: [702] });
    expect(await load(dump)).toMatchObject({ new: 1, merged: 1, withdrawn: 1, refused: [] });
    expect(await itemAt("taxid:701")).toMatchObject({ status: "deprecated", replaced_by: "taxid:562" });
    expect(await leadsTo("taxid:701")).toBe("taxid:562");
    expect(await itemAt("taxid:702")).toMatchObject({ status: "deprecated", title: { en: "Species 702" } });
    expect(await leadsTo("taxid:703")).toBe("found");
    expect(await load(dump)).toMatchObject({ new: 0, changed: 0 });
    await load(archive(first));
    expect(await itemAt("taxid:702")).not.toHaveProperty("status");
    expect(await itemAt("taxid:701")).not.toHaveProperty("replaced_by");
  });

  it("keeps what the authority does not speak of", async () => {
    await load(archive([...TAXA, species(704)]));
    const file = bindery.file("own.ndjson", JSON.stringify({ id: "taxid:704", title: { cs: "Druh" } }));
    await bindery.importTerms({ vocabulary: "organisms", file, skipRefused: false });
    await load(archive([...TAXA, { ...species(704), name: "Renamed" }]));
    expect(await itemAt("taxid:704")).toMatchObject({ title: { en: "Renamed", cs: "Druh" }, revision_id: 3 });
  });
});

describe("a new release that is synced", () => {
  it("withdraws what the authority no longer has, but not what came from elsewhere or is partly loaded", async () => {
    const own = bindery.file("own.ndjson", JSON.stringify({ id: "taxid:722", title: { en: "From a file" } }));
    await bindery.importTerms({ vocabulary: "organisms", file: own, skipRefused: false });
    await load(archive([...TAXA, species(720), species(721)]), { sync: true });
    const release = archive([...TAXA, species(721)]);
    const reported: string[] = [];
    const report = ({ kind, id }: { readonly kind: string; readonly id: string }) =>
      void reported.push(`${kind} ${id}`);
    expect(await load(release, { sync: true, report })).toMatchObject({ new: 0, withdrawn: 1 });
    expect(reported.filter((line) => !line.startsWith("changed"))).toEqual(["withdrawn taxid:720"]);
    expect(await itemAt("taxid:720")).toMatchObject({ status: "deprecated", revision_id: 2 });
    expect(await itemAt("taxid:722")).not.toHaveProperty("status");
    await load(archive([...TAXA, species(720), species(721)]), { sync: true });
    expect(await itemAt("taxid:720")).not.toHaveProperty("status");
    const partly = bindery.loadAuthority({
      authority: "chebi",
      dump: release,
      only: ["CHEBI:1"],
      sync: true,
    });
    await expect(partly).rejects.toMatchObject({
      code: "PARAMETER_INVALID",
      message: expect.stringContaining("--only"),
    });
  });

  it("keeps what a curator decided, where a load without it keeps titles only", async () => {
    await load(archive([...TAXA, species(730)]), { sync: true });
    const curator = { kind: "operator" } as const;
    const address = { vocabulary: "organisms", id: "taxid:730" };
    await bindery.patchTerm(curator, address, '{"status": "deprecated", "title": {"en": "Ours"}}');
    const release = archive([...TAXA, { ...species(730), name: "Theirs" }]);
    expect(await load(release, { sync: true })).toMatchObject({ changed: 1, kept: 2 });
    const both = { title: { en: "Ours" }, synonyms: [{ name: "Theirs", kind: "title" }] };
    expect(await itemAt("taxid:730")).toMatchObject({ status: "deprecated", ...both });
    expect(await load(release)).toMatchObject({ changed: 1, kept: 0 });
    expect(await itemAt("taxid:730")).toMatchObject(both);
    expect(await itemAt("taxid:730")).not.toHaveProperty("status");
    expect(await bindery.store.history.edited("organisms", "taxid:730")).toMatchObject([{ field: "title.en" }]);
  });
});

const species = (id: number): Taxon => ({ id, parent: 561, rank: "species", name: `Species ${id}` });
const suggestion = (text: string) => ({
  vocabulary: "organisms",
  suggest: text,
  filters: {},
  facetSize: 0,
  lang: "en",
  window: { size: 10, page: 1 },
});

describe("a dump that is refused", () => {
  it("leaves everything as it was, and names file and line", async () => {
    await load(archive(TAXA));
    const [before, dumpsBefore] = [await itemAt("taxid:562"), await bindery.listDumps()];
    const renamed = TAXA.map((taxon) => ({ ...taxon, name: `New ${taxon.name}` }));
    const files = taxdump([...renamed, { ...species(710), parent: 999_999 }, species(711)]);
    const summary = await load(dumps.folder(files));
    expect(summary).toMatchObject({ new: 0, changed: 0 });
    expect(summary.refused).toMatchObject([
      { part: "nodes.dmp", line: 8, reason: expect.stringContaining("the parent 999999 of taxon 710") },
    ]);
    expect(await itemAt("taxid:562")).toEqual(before);
    expect(await bindery.listDumps()).toEqual(dumpsBefore);
    expect(await load(dumps.folder(files), { dryRun: true })).toMatchObject({ new: 1, changed: TAXA.length });
    expect(await itemAt("taxid:711")).toBeUndefined();
    expect(await load(dumps.folder(files), { skipRefused: true })).toMatchObject({ new: 1, changed: TAXA.length });
    expect(await itemAt("taxid:711")).toBeDefined();
  });

  it("is refused where it was cut, also if the valid items were asked for", async () => {
    const whole = gzipSync(makeTar(taxdump(TAXA)));
    const cut = dumps.file("taxdump.tar.gz", whole.subarray(0, whole.length - 200));
    expect((await load(cut)).refused.at(-1)).toMatchObject({ reason: expect.stringContaining("download it again") });
    await expect(load(cut, { skipRefused: true })).rejects.toMatchObject({ code: "PARAMETER_INVALID" });
  });

  it("is one that is not there, of no authority, or of which nothing can be picked", async () => {
    const invalid = { code: "PARAMETER_INVALID" };
    await expect(load("/nowhere/taxdump.tar.gz")).rejects.toMatchObject(invalid);
    await expect(load(archive(TAXA), { authority: "gbif" })).rejects.toThrow(/There is no authority "gbif"/);
    await expect(load(archive(TAXA), { only: ["562"] })).rejects.toThrow(/cannot be picked/);
    await expect(load(archive(TAXA), { vocabulary: "rocks" })).rejects.toMatchObject({ code: "VOCABULARY_NOT_FOUND" });
  });
});

describe("chemicals", () => {
  // No compound of the starter catalog, whose titles stay.
  const KEY = "LFQSCWFLJHTTHZ-DYCDLGHISA-N";
  const INCHI = "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3";
  const pubchem = (title: string) =>
    dumps.folder({
      "CID-InChI-Key": `702\t${INCHI}\t${KEY}\n703\t${INCHI}\t${KEY}\n`,
      "CID-Title": `702\t${title}\n703\tthe same key\n`,
      "CID-SMILES": "702\tCCO\n",
      "CID-Synonym-filtered": "702\tethyl alcohol\n",
    });
  const chebi = () =>
    dumps.file(
      "chebi.obo",
      `format-version: 1.2\n\n[Term]\nid: CHEBI:16236\nname: ethanol\nsynonym: "Alkohol" RELATED [X]\n` +
        `property_value: x:inchikey "${KEY}" s\nproperty_value: x:smiles "OCC" s\n` +
        `property_value: x:formula "C2H6O" s\n`,
    );
  const loadFrom = (authority: string, dump: string) => bindery.loadAuthority({ authority, dump });

  it("come from PubChem and ChEBI together, and neither undoes the other", async () => {
    const first = await loadFrom("pubchem", pubchem("Ethanol"));
    expect(first).toMatchObject({ new: 1, leftOut: { "entries of an id that came before": 1 }, refused: [] });
    expect(await loadFrom("chebi", chebi())).toMatchObject({ changed: 1 });
    const both = {
      title: { en: "Ethanol" },
      synonyms: [
        { name: "ethyl alcohol", kind: "synonym" },
        { name: "Alkohol", kind: "synonym" },
      ],
      props: {
        chemical_formula: "C2H6O",
        additional_identifiers: ["cid:702", "chebi:16236"],
        smiles: "CCO",
        inchi: INCHI,
      },
    };
    expect(await itemAt(`inchikey:${KEY}`, "chemicals")).toMatchObject(both);
    expect(await loadFrom("pubchem", pubchem("Ethanol"))).toMatchObject({ changed: 0, unchanged: 1 });
    expect(await loadFrom("chebi", chebi())).toMatchObject({ changed: 0, unchanged: 1 });
    expect(await loadFrom("pubchem", pubchem("Ethyl hydroxide"))).toMatchObject({ changed: 1 });
    expect(await itemAt(`inchikey:${KEY}`, "chemicals")).toMatchObject({
      ...both,
      title: { en: "Ethyl hydroxide" },
      synonyms: [...both.synonyms, { name: "Ethanol", kind: "synonym" }],
    });
    const sources = (await bindery.listVocabularies()).find(({ id }) => id === "chemicals")!.sources!;
    expect(sources.map(({ authority }) => authority)).toEqual(["chebi", "pubchem"]);
  });
});

describe("a name that an authority has in another form", () => {
  const KEYS = Array.from({ length: 9 }, (_, i) => `AAAAAAAAAAAAAA-UHFFFAOYS${"ABCDEFGHI"[i]}-N`);
  const HEPES = "JKMHFZQWWAIEOD-UHFFFAOYSA-N";
  const dump = (key: string, title: string) =>
    dumps.folder({ "CID-InChI-Key": `1\tInChI=1S/x\t${key}\n`, "CID-Title": `1\t${title}\n` });
  const obo = (key: string, name: string) =>
    dumps.file(
      "chebi.obo",
      `format-version: 1.2\n\n[Term]\nid: CHEBI:1\nname: ${name}\nproperty_value: x:inchikey "${key}" s\n`,
    );
  const pubchem = (key: string, title: string) =>
    bindery.loadAuthority({ authority: "pubchem", dump: dump(key, title) });
  const chebi = (key: string, name: string) => bindery.loadAuthority({ authority: "chebi", dump: obo(key, name) });
  const namesOf = async (key: string) => {
    const { title, synonyms = [] } = (await itemAt(`inchikey:${key}`, "chemicals")) as {
      title: { en: string };
      synonyms?: { name: string }[];
    };
    return [title.en, ...synonyms.map(({ name }) => name)];
  };
  const term = (key: string, title: string) => ({ id: `inchikey:${key}`, title: { en: title }, props: {} });
  const imported = (key: string, title: string, vocabulary = "chemicals") =>
    bindery.importTerms({
      vocabulary,
      skipRefused: false,
      file: bindery.file("own.ndjson", JSON.stringify({ id: `inchikey:${key}`, title: { en: title } })),
    });
  const curator = { kind: "operator" } as const;
  const address = (key: string) => ({ vocabulary: "chemicals", id: `inchikey:${key}` });

  it.each([
    [
      "the starter catalog",
      HEPES,
      (key: string) => bindery.store.loadTerms("chemicals", only({ ...term(key, "HEPES"), status: "active" as const })),
    ],
    ["an import", KEYS[0]!, (key: string) => imported(key, "HEPES")],
    [
      "a curator who added it",
      KEYS[1]!,
      (key: string) => bindery.createTerm(curator, "chemicals", JSON.stringify(term(key, "HEPES"))),
    ],
    [
      "a curator who changed it",
      KEYS[2]!,
      async (key: string) => {
        await pubchem(key, "another name");
        await bindery.patchTerm(curator, address(key), '{"title": {"en": "HEPES"}}');
      },
    ],
    [
      "an import over a load",
      KEYS[3]!,
      async (key: string) => {
        await pubchem(key, "another name");
        await imported(key, "HEPES");
      },
    ],
  ])("stays as %s gave it, and the other one is a synonym, however often it is loaded", async (_, key, name) => {
    await name(key);
    for (const title of ["hepes", "hepes", "2-[4-(2-hydroxyethyl)piperazin-1-yl]ethanesulfonic acid"]) {
      await pubchem(key, title);
      const [title1, ...others] = await namesOf(key);
      expect(title1).toBe("HEPES");
      expect(others.filter((other) => other === title)).toEqual([title]);
    }
    await chebi(key, "name of ChEBI");
    expect(await namesOf(key)).toContain("name of ChEBI");
    expect((await namesOf(key))[0]).toBe("HEPES");
  });

  it("replaces the one that the authority gave before, which stays as a synonym", async () => {
    await pubchem(KEYS[4]!, "first");
    await pubchem(KEYS[4]!, "second");
    expect(await namesOf(KEYS[4]!)).toEqual(["second", "first"]);
  });

  it("keeps a name of ChEBI's that is not the title, in any order of loads", async () => {
    await pubchem(KEYS[5]!, "of PubChem");
    await chebi(KEYS[5]!, "of ChEBI");
    expect(await namesOf(KEYS[5]!)).toEqual(["of PubChem", "of ChEBI"]);
    await chebi(KEYS[6]!, "of ChEBI");
    await pubchem(KEYS[6]!, "of PubChem");
    expect(await namesOf(KEYS[6]!)).toEqual(["of PubChem", "of ChEBI"]);
  });

  it("replaces what a depositor proposed, as long as no curator has confirmed it", async () => {
    await bindery.addUser("proposer", "depositor");
    const { token } = await bindery.createToken({ user: "proposer", scopes: ["records:write"] });
    const depositor = await bindery.authenticate(token);
    for (const key of [KEYS[7]!, KEYS[8]!]) {
      await bindery.createTerm(depositor, "chemicals", JSON.stringify(term(key, "Proposed")));
    }
    await bindery.confirmTerm(curator, address(KEYS[8]!));
    await pubchem(KEYS[7]!, "of PubChem");
    await pubchem(KEYS[8]!, "of PubChem");
    expect(await namesOf(KEYS[7]!)).toEqual(["of PubChem", "Proposed"]);
    expect(await namesOf(KEYS[8]!)).toEqual(["Proposed", "of PubChem"]);
  });
});

async function* only<T>(...items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

it("finds the dumps of a folder, and reads a large one on another thread", async () => {
  const folder = dumps.folder({
    "a/taxdump.tar.gz": gzipSync(makeTar(taxdump(TAXA))),
    "b/nodes.dmp": "",
    "c/v1.0-schema_v1-ror-data.zip": "",
    "c/v2.8-ror-data.zip": "",
    "c/v2.10-ror-data.zip": "",
    "d/CID-InChI-Key.gz": "",
    "d/other.txt": "",
  });
  expect(await bindery.findDumps(folder)).toEqual([
    { authority: "ncbi", dump: `${folder}/a/taxdump.tar.gz` },
    { authority: "pubchem", dump: `${folder}/d` },
    { authority: "ror", dump: `${folder}/c/v2.10-ror-data.zip` },
  ]);
  isElsewhere = false;
  // A folder may hold any number of large files.
  const { refused } = await load(dumps.folder({ ...taxdump(TAXA), "large.txt": " ".repeat(9e6) }));
  expect(refused).toEqual([]);
  expect(isElsewhere).toBe(true);
});
