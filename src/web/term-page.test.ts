import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BROWSER, linksOf, textOf } from "../../test/support/demo-server.js";
import { type InProcessServer, startInProcess } from "../../test/support/in-process-server.js";

const names = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `name ${n}`, kind: "synonym" }));
const SKELETON = "AAAAAAAAAAAAAA";
const TERMS: Readonly<Record<string, readonly object[]>> = {
  affiliations: [
    { id: "ror:00000aa11", title: { en: "Whole Institute" }, props: { related: ["ror:00000aa12", "ror:00000aa99"] } },
    { id: "ror:00000aa12", title: { en: "Part of the Institute" } },
  ],
  chemicals: [
    { id: `inchikey:${SKELETON}-BBBBBBBBBB-N`, title: { en: "Left form" }, synonyms: names(12) },
    { id: `inchikey:${SKELETON}-CCCCCCCCCC-N`, title: { en: "Right form" }, props: { chemical_formula: "C2H6" } },
    { id: `inchikey:ZZZZZZZZZZZZZZ-BBBBBBBBBB-N`, title: { en: "Another" }, props: { smiles: "CC", inchi: SKELETON } },
    { id: `inchikey:YYYYYYYYYYYYYY-BBBBBBBBBB-N`, title: { en: "Withdrawn one" }, status: "deprecated" },
  ],
};

let server: InProcessServer;
beforeAll(async () => {
  server = await startInProcess();
  for (const [vocabulary, terms] of Object.entries(TERMS)) {
    const file = join(mkdtempSync(join(tmpdir(), "terms-")), "terms.ndjson");
    writeFileSync(file, terms.map((term) => JSON.stringify(term)).join("\n"));
    await server.services.importTerms({ vocabulary, file, skipRefused: false });
  }
});
afterAll(() => server.close());

const page = async (path: string) => (await server.app.inject({ url: `/vocabularies/${path}`, headers: BROWSER })).body;

it("links the terms whose ids are in its properties by their titles", async () => {
  const body = await page("affiliations/ror:00000aa11");
  expect(textOf(body)).toContain("Related organisations Part of the Institute , ror:00000aa99");
  expect(linksOf(body)).toContain("../../vocabularies/affiliations/ror:00000aa12");
});

it("lists compounds with the same skeleton, and only those", async () => {
  const text = textOf(await page(`chemicals/inchikey:${SKELETON}-BBBBBBBBBB-N`));
  const [, list = ""] = text.split("Same skeleton: stereoisomers, isotopes and charged forms");
  expect(list).toMatch(/^ Right form C₂H₆|^ Right form C2H6/);
  expect(list).not.toContain("Another");
  expect(textOf(await page("chemicals/inchikey:ZZZZZZZZZZZZZZ-BBBBBBBBBB-N"))).not.toContain("Same skeleton");
});

it("shows the citing records before its names, of which it folds all but eight", async () => {
  const body = await page(`chemicals/inchikey:${SKELETON}-BBBBBBBBBB-N`);
  const text = textOf(body);
  expect(text.indexOf("Records that cite it")).toBeLessThan(text.indexOf("Also known as"));
  expect(body.slice(0, body.indexOf("<summary>all 12"))).toContain("name 7");
  expect(body.slice(0, body.indexOf("<summary>all 12"))).not.toContain("name 8");
  expect(text).toContain("name 11");
});

it("of a vocabulary lists the most cited terms first, and formulas and masses instead of structures", async () => {
  const text = textOf(await page("chemicals?q=another OR form"));
  expect(text).toContain("Right form C2H6 inchikey:");
  expect(text).not.toContain("CC inchikey:");
  const sorts = await page("chemicals");
  expect(sorts).toMatch(/<option value="mostcited" selected[^>]*>most cited/);
  expect(await page("chemicals?sort=title")).toMatch(/<option value="title" selected/);
});

it("says that a term was withdrawn, and to choose another one", async () => {
  const withdrawn = await page("chemicals/inchikey:YYYYYYYYYYYYYY-BBBBBBBBBB-N");
  expect(textOf(withdrawn)).toContain("Withdrawn. Choose another term for new records.");
});
