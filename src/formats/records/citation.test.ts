import { expect, it } from "vitest";
import type { Citable, Person } from "../../core/citable/citable.js";
import { CITATION_STYLES, type CitationStyle, writeCitation } from "./citation.js";

const SITE = { url: "https://data.example.org" };

const person = (familyName: string, givenName: string): Person => ({
  name: `${familyName}, ${givenName}`,
  familyName,
  givenName,
  identifiers: [],
  affiliations: [],
});

const RECORD: Citable = {
  id: "abcde-12345",
  parent: "fghjk-12345",
  model: { name: "mst", title: "Microscale thermophoresis", shortTitle: "MST" },
  version: 2,
  isLatest: true,
  revision: 1,
  year: 2026,
  title: "Binding of A to B",
  issued: "2026-03-05T10:00:00.000000+00:00",
  created: "2026-03-05T10:00:00.000000+00:00",
  updated: "2026-03-05T10:00:00.000000+00:00",
  people: [person("Novák", "Jean-Pierre Karel"), person("de Wit", "Jasper")],
  publisher: "MBDB",
  identifiers: [],
  resourceTypeGeneral: "Dataset",
  dates: {},
  summary: "",
  subjects: [],
  funding: [],
  publications: [],
  references: [],
  results: [],
};

const URL_ = "https://data.example.org/records/abcde-12345";

it.each([
  ["datacite", `Novák, Jean-Pierre Karel; de Wit, Jasper (2026): Binding of A to B. Version 2. MBDB. Dataset. ${URL_}`],
  ["apa", `Novák, J.-P. K., & de Wit, J. (2026). Binding of A to B (Version 2) [Data set]. MBDB. ${URL_}`],
  [
    "vancouver",
    `Novák JPK, de Wit J. Binding of A to B [dataset]. Version 2. MBDB; 2026 Mar 5. Available from: ${URL_}`,
  ],
  ["acs", `Novák, J.-P. K.; de Wit, J. Binding of A to B, version 2; MBDB, 2026. ${URL_}`],
] as const)("cites in the style %s", (style, text) => {
  expect(writeCitation(RECORD, SITE, style)).toBe(text);
});

it.each([
  // family name, given names, APA and ACS, Vancouver
  ["Tolkien", "J. R. R.", "Tolkien, J. R. R.", "Tolkien JRR"],
  ["Tolkien", "J.R.R.", "Tolkien, J. R. R.", "Tolkien JRR"],
  ["Tolkien", "J R R", "Tolkien, J. R. R.", "Tolkien JRR"],
  ["Tolkien", "JRR", "Tolkien, J. R. R.", "Tolkien JRR"],
  ["Tolkien", "John Ronald Reuel", "Tolkien, J. R. R.", "Tolkien JRR"],
  ["SMITH", "ANN", "SMITH, A.", "SMITH A"],
  ["Smith", "MARIE", "Smith, M.", "Smith M"],
  ["Sartre", "J.-P.", "Sartre, J.-P.", "Sartre JP"],
  ["Sartre", "J-P", "Sartre, J.-P.", "Sartre JP"],
  ["Sartre", "Jean\u2010Paul", "Sartre, J.-P.", "Sartre JP"],
  ["Sartre", "Jean\u2011Paul A.", "Sartre, J.-P. A.", "Sartre JPA"],
  ["Novák", "E\u0301va", "Novák, É.", "Novák É"],
  ["Иванов", "Иван Петрович", "Иванов, И. П.", "Иванов ИП"],
  ["王", "小明", "王小明", "王小明"],
  ["山田", "太郎", "山田太郎", "山田太郎"],
  ["김", "민수", "김민수", "김민수"],
  ["Wang", "小明", "Wang, 小明", "Wang 小明"],
  ["王小明", "", "王小明", "王小明"],
  ["King", "Martin Luther, Jr.", "King, M. L., Jr.", "King ML Jr"],
  ["Gates", "William Henry III", "Gates, W. H., III", "Gates WH III"],
  ["Clinton", "William (Bill)", "Clinton, W.", "Clinton W"],
  ["Plato", "", "Plato", "Plato"],
  ["Odd", "1 (", "Odd", "Odd"],
])("abbreviates %s, %s", (family, given, apa, vancouver) => {
  const people = [given === "" ? { ...person(family, ""), givenName: undefined } : person(family, given)] as Person[];
  const cited = (style: CitationStyle): string => writeCitation({ ...RECORD, people }, SITE, style);
  expect(cited("apa").startsWith(apa.endsWith(".") ? `${apa} (2026)` : `${apa}. (2026)`), cited("apa")).toBe(true);
  expect(cited("acs").startsWith(apa.endsWith(".") ? `${apa} Binding` : `${apa}. Binding`), cited("acs")).toBe(true);
  expect(cited("vancouver").startsWith(`${vancouver}. Binding`), cited("vancouver")).toBe(true);
  if (apa === "王小明") expect(cited("datacite")).toMatch(/^王小明 \(2026\)/);
});

it.each(["Does A bind B?", "A binds B!", "On A and B.", "And so on…", "A 能结合 B 吗？", "Is it “A?”"])(
  "sets no second mark after %s",
  (title) => {
    for (const style of CITATION_STYLES) {
      const text = writeCitation({ ...RECORD, title, publisher: "Who knows?" }, SITE, style);
      expect(text).toContain(`${title} `);
      expect(text).not.toContain("knows?.");
    }
  },
);

it.each(CITATION_STYLES)("leads to the record's own DOI in the style %s", (style) => {
  const url = "https://doi.org/10.5072/a.b_1";
  const identifiers = [
    { text: "https://example.org/1" },
    { text: "doi:10.5072/a.b_1", identifier: { scheme: "doi", value: "10.5072/a.b_1", url } },
  ] as const;
  expect(writeCitation({ ...RECORD, identifiers }, SITE, style).endsWith(` ${url}`)).toBe(true);
});

it.each([
  ["2028-01-01", "2028 Jan 1"],
  ["2028-01", "2028 Jan"],
  ["2028", "2028"],
])("cites a record that is issued on %s", (issued, date) => {
  const record = { ...RECORD, issued, year: 2028 };
  expect(writeCitation(record, SITE, "vancouver")).toContain(`MBDB; ${date}. `);
  for (const style of CITATION_STYLES) expect(writeCitation(record, SITE, style)).not.toContain("2026");
});

it.each(CITATION_STYLES)("cites what has neither people nor a publisher: %s", (style: CitationStyle) => {
  const { publisher: _, ...rest } = RECORD;
  const text = writeCitation({ ...rest, people: [] }, SITE, style);
  expect(text).toMatch(/2026/);
  expect(text).not.toMatch(/undefined|\(\s*\)|^[.,;(]* ?,|\s[.,;]|\.\.(?!\s\.)/);
});

it("names some of many people", () => {
  const people = Array.from({ length: 25 }, (_, i) => person(`Name${i}`, "A"));
  expect(writeCitation({ ...RECORD, people }, SITE, "apa")).toMatch(/Name18, A\., \. \. \. Name24, A\. \(2026\)/);
  expect(writeCitation({ ...RECORD, people }, SITE, "vancouver")).toMatch(/^Name0 A, .*Name5 A, et al\. /);
});

it("leads to the persistent address where the operator has one", () => {
  expect(writeCitation(RECORD, { ...SITE, citeUrl: "https://w3id.org/mbdb/" }, "apa")).toMatch(
    / https:\/\/w3id\.org\/mbdb\/abcde-12345$/,
  );
});

it("abbreviates a name with thousands of blanks", { timeout: 5_000 }, () => {
  const people = [person("Smith", `A${" \u00a0".repeat(60_000)}.`)];
  expect(writeCitation({ ...RECORD, people }, SITE, "vancouver")).toMatch(/^Smith A\. /);
});
