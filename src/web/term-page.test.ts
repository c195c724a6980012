import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BROWSER, linksOf, textOf } from "../../test/support/demo-server.js";
import { type InProcessServer, startInProcess } from "../../test/support/in-process-server.js";
import type { Actor } from "../core/actor.js";

const names = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `name ${n}`, kind: "synonym" }));
const SKELETON = "AAAAAAAAAAAAAA";
const TERMS: Readonly<Record<string, readonly object[]>> = {
  organisms: [
    { id: "taxid:83333", title: { en: "Escherichia coli K-12" }, parent: "taxid:562" },
    { id: "taxid:83334", title: { en: "Escherichia coli O157:H7" }, parent: "taxid:562" },
    { id: "taxid:564", title: { en: "Escherichia fergusonii" }, parent: "taxid:561" },
  ],
  affiliations: [
    {
      id: "ror:00000aa11",
      title: { en: "Whole Institute" },
      props: { children: ["ror:00000aa12"], related: ["ror:00000aa13", "ror:00000aa99"] },
    },
    { id: "ror:00000aa12", title: { en: "Department of the Institute" } },
    { id: "ror:00000aa13", title: { en: "Hospital" } },
  ],
  chemicals: [
    { id: `inchikey:${SKELETON}-BBBBBBBBBB-N`, title: { en: "Left form" }, synonyms: names(12) },
    { id: `inchikey:${SKELETON}-CCCCCCCCCC-N`, title: { en: "Right form" }, props: { chemical_formula: "C2H6" } },
    { id: `inchikey:ZZZZZZZZZZZZZZ-BBBBBBBBBB-N`, title: { en: "Another" }, props: { smiles: "CC", inchi: SKELETON } },
    { id: `inchikey:YYYYYYYYYYYYYY-BBBBBBBBBB-N`, title: { en: "Withdrawn one" }, status: "deprecated" },
    { id: `inchikey:WWWWWWWWWWWWWW-BBBBBBBBBB-N`, title: { en: "Coumadin" } },
    { id: `inchikey:VVVVVVVVVVVVVV-BBBBBBBBBB-N`, title: { en: "Warfarin" } },
  ],
};

const ANNA: Actor = {
  kind: "user",
  user: "7",
  name: "anna-the-curator",
  role: "curator",
  token: "1",
  scopes: ["vocabularies:write"],
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

it("links the terms whose ids are in its properties by their titles, by relation", async () => {
  const body = await page("affiliations/ror:00000aa11");
  expect(textOf(body)).toContain("Parts Department of the Institute Related organisations Hospital , ror:00000aa99");
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

it("shows its status, source and dates, and its changes without the names of users", async () => {
  const id = `inchikey:${SKELETON}-CCCCCCCCCC-N`;
  const text = textOf(await page(`chemicals/${id}`));
  expect(text).toMatch(/Source and history Status active Source files loaded as “import” Added \d+ \w+ 20\d\d/);
  expect(text).not.toContain("Last changed");
  await server.services.patchTerm(ANNA, { vocabulary: "chemicals", id }, '{"title": {"en": "Right hand"}}');
  const changed = textOf(await page(`chemicals/${id}`));
  expect(changed).toMatch(/Last changed \d+ \w+ 20\d\d, revision 2/);
  expect(changed).toContain('changed, revision 2 title.en: "Right form" -> "Right hand"');
  expect(changed).not.toContain("anna-the-curator");
});

it("names the ids that were merged into it, with the date", async () => {
  const [from, into] = ["WWWWWWWWWWWWWW", "VVVVVVVVVVVVVV"].map((block) => `inchikey:${block}-BBBBBBBBBB-N`);
  expect(textOf(await page(`chemicals/${into}`))).not.toContain("Ids merged into this term");
  await server.services.mergeTerm(ANNA, { vocabulary: "chemicals", id: from! }, JSON.stringify({ into }));
  const text = textOf(await page(`chemicals/${into}`));
  expect(text).toMatch(new RegExp(`Ids merged into this term Coumadin ${from} \\(merged on \\d+ \\w+ 20\\d\\d\\)`));
});

it("offers lists by status, and keeps the query", async () => {
  const all = await page("chemicals?q=form OR withdrawn");
  expect(textOf(all)).toContain("Status any active withdrawn unconfirmed");
  const withdrawn = linksOf(all).find((link) => link.includes("status%3Adeprecated"))!;
  const list = await page(withdrawn.replace("../vocabularies/", ""));
  expect(textOf(list)).toContain("Withdrawn one");
  expect(textOf(list)).not.toContain("Right hand");
  expect(linksOf(list)).toContain("../vocabularies/chemicals?q=form+OR+withdrawn");
  expect(await page("chemicals?q=status:active")).toMatch(/<option value="mostcited" selected/);
});

it("finds a term in the tree by its name or id, and lists several", async () => {
  const tree = (q: string) =>
    server.app.inject({ url: `/vocabularies/organisms?view=tree&q=${encodeURIComponent(q)}`, headers: BROWSER });
  for (const q of ["taxid:562", "escherichia coli"]) {
    const { statusCode, headers } = await tree(q);
    expect([statusCode, headers.location], q).toEqual([
      302,
      expect.stringMatching(/organisms\?view=tree&at=taxid%3A562#at-taxid:562$/),
    ]);
  }
  const several = await tree("escher");
  expect(linksOf(several.body)).toContain("../vocabularies/organisms?view=tree&at=taxid%3A561");
  expect(textOf((await tree("nothing-is-called-so")).body)).toContain("Nothing found.");
});

it("opens the roots that are too general to be of use, and keeps siblings of a term and of its parent", async () => {
  const roots = textOf(await page("organisms?view=tree"));
  expect(roots).toMatch(/▾ root .*▸ Bacteria/s);
  const branch = textOf(await page("organisms?view=tree&at=taxid:83334"));
  expect(branch).toMatch(/▾ Escherichia coli taxid:562 .*K-12 taxid:83333 .*O157:H7 taxid:83334 .*fergusonii/s);
});
