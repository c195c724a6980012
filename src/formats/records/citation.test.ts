import { expect, it } from "vitest";
import type { Citable, Person } from "../../core/citable/citable.js";
import { CITATION_STYLES, type CitationStyle, cite } from "./citation.js";

const SITE = { url: "https://data.example.org" };

const person = (familyName: string, givenName: string): Person => ({
  ...{ name: `${familyName}, ${givenName}`, familyName, givenName },
  ...{ identifiers: [], affiliations: [] },
});

const RECORD: Citable = {
  id: "abcde-12345",
  parent: "fghjk-12345",
  model: { name: "mst", title: "Microscale thermophoresis" },
  ...{ version: 2, isLatest: true, revision: 1, year: 2026, title: "Binding of A to B" },
  created: "2026-03-05T10:00:00.000000+00:00",
  updated: "2026-03-05T10:00:00.000000+00:00",
  people: [person("Novák", "Jean-Pierre Karel"), person("de Wit", "Jasper")],
  publisher: "MBDB",
  ...{ identifiers: [], resourceTypeGeneral: "Dataset", dates: {}, summary: "", subjects: [], funding: [] },
  ...{ publications: [], references: [], results: [] },
};

const URL_ = "https://data.example.org/records/abcde-12345";

it.each([
  ["datacite", `Novák, Jean-Pierre Karel; de Wit, Jasper (2026): Binding of A to B. Version 2. MBDB. Dataset. ${URL_}`],
  ["apa", `Novák, J-P. K., & de Wit, J. (2026). Binding of A to B (Version 2) [Data set]. MBDB. ${URL_}`],
  [
    "vancouver",
    `Novák JPK, de Wit J. Binding of A to B [dataset]. Version 2. MBDB; 2026 Mar 5. Available from: ${URL_}`,
  ],
  ["acs", `Novák, J-P. K.; de Wit, J. Binding of A to B, version 2; MBDB, 2026. ${URL_}`],
] as const)("cites in the style %s", (style, text) => {
  expect(cite(RECORD, SITE, style)).toBe(text);
});

it.each(CITATION_STYLES)("cites what has neither people nor a publisher: %s", (style: CitationStyle) => {
  const { publisher: _, ...rest } = RECORD;
  const text = cite({ ...rest, people: [] }, SITE, style);
  expect(text).toMatch(/2026/);
  expect(text).not.toMatch(/undefined|\(\s*\)|^[.,;(]* ?,|\s[.,;]|\.\.(?!\s\.)/);
});

it("names some of many people", () => {
  const people = Array.from({ length: 25 }, (_, i) => person(`Name${i}`, "A"));
  expect(cite({ ...RECORD, people }, SITE, "apa")).toMatch(/Name18, A\., \. \. \. Name24, A\. \(2026\)/);
  expect(cite({ ...RECORD, people }, SITE, "vancouver")).toMatch(/^Name0 A, .*Name5 A, et al\. /);
});

it("leads to the persistent address where the operator has one", () => {
  expect(cite(RECORD, { ...SITE, citeUrl: "https://w3id.org/mbdb/" }, "apa")).toMatch(
    / https:\/\/w3id\.org\/mbdb\/abcde-12345$/,
  );
});
