/** Records of texts that break formats are read back by libraries that others use: as many, with the same texts. */
import { createRequire } from "node:module";
import fc from "fast-check";
import { XmlDocument } from "libxml2-wasm";
import { beforeAll, expect, it } from "vitest";
import type { Citable } from "../../src/core/citable/citable.js";
import { dataciteXml } from "../../src/formats/records/datacite-xml.js";
import { dublinCore } from "../../src/formats/records/dublin-core.js";
import { resultsCsv } from "../../src/formats/records/formats.js";
import { jsonLd } from "../../src/formats/records/json-ld.js";
import type { RecordFormat } from "../../src/formats/records/record-format.js";
import { bibtex, csl, ris } from "../../src/formats/records/reference-managers.js";
import { describedAlike, publishedExamples } from "../support/described.js";
import { hostileText } from "../support/hostile-texts.js";

const SITE = { url: "https://data.example.org" };
const RUNS = process.env.TEST_LONG === "1" ? 2_500 : 40;
const load = createRequire(import.meta.url);

let example: Citable;
beforeAll(async () => {
  example = describedAlike((await publishedExamples())[0]!);
  load("@citation-js/plugin-bibtex");
  load("@citation-js/plugin-ris");
});

/** Some records of hostile texts, each with an id of its own. */
const records = (): fc.Arbitrary<readonly Citable[]> =>
  fc.array(fc.tuple(hostileText, hostileText, hostileText, hostileText), { minLength: 1, maxLength: 4 }).map((some) =>
    some.map(([title, familyName, givenName, label], i): Citable => {
      const name = `${familyName}, ${givenName}`;
      const affiliations = [{ name: label }];
      return {
        ...example,
        ...{ id: `abcde-${10 + i}`, title, summary: label, publisher: familyName },
        people: [{ name, familyName, givenName, identifiers: [], affiliations }],
        subjects: [{ label, field: "keyword" }],
        results: [{ kind: title, name: label, value: 1, unit: familyName, of: [givenName] }],
      };
    }),
  );

function checkAll(format: RecordFormat, read: (text: string, written: readonly Citable[]) => void): void {
  fc.assert(
    fc.property(records(), (written) => {
      const { open, between, close, isAlways = false } = format.join ?? { open: "", between: "\n", close: "" };
      const all = written.map((record) => format.write(record, SITE)).join(between);
      // What reaches a client is UTF-8.
      const text = written.length > 1 || isAlways ? `${open}${all}${close}` : all;
      read(Buffer.from(text).toString("utf8"), written);
    }),
    { numRuns: RUNS },
  );
}

/** Text as a reader of lines has it: no controls, one blank for any number of them, no halves of surrogates. */
const onLine = (text: string): string =>
  text
    .replaceAll(/\p{Surrogate}/gu, "\ufffd")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();

/** Text without what the reader of BibTeX makes of it beside its letters: HTML, ligatures, composed letters. */
const plain = (text = ""): string =>
  onLine(text)
    .replaceAll(/<\/?(?:span|i|b|sc|sup|sub)\b[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, "")
    .normalize("NFKC");

const LINE_ENDS = /\r\n|[\p{Cc}\u2028\u2029]/u;

interface Reference {
  readonly title?: string;
  readonly author?: readonly unknown[];
}

type Cite = new (text: string, options: object) => { readonly data: readonly Reference[] };

/** @param forceType the library guesses a format by what stands anywhere in a text, so it is named */
const citations = (text: string, forceType: string): readonly Reference[] => {
  const { Cite } = load("@citation-js/core") as { readonly Cite: Cite };
  return new Cite(text, { forceType }).data;
};

it.each([
  ["BibTeX", bibtex, "@bibtex/text"],
  ["RIS", ris, "@ris/file"],
] as const)("%s has as many entries, with these titles and one author each", (_, format, type) => {
  checkAll(format, (text, written) => {
    const read = citations(text, type);
    expect(read.map(({ title }) => plain(title))).toEqual(written.map(({ title }) => plain(title)));
    for (const { author = [] } of read) expect(author).toHaveLength(1);
  });
});

it("BibTeX has balanced braces, and RIS one tag on each line, for readers that look at nothing else", () => {
  checkAll(bibtex, (text, written) => {
    const depths: number[] = [];
    let depth = 0;
    for (const [sign] of text.matchAll(/[{}]/g)) {
      depth += sign === "{" ? 1 : -1;
      depths.push(depth);
    }
    expect([Math.min(...depths), depth]).toEqual([0, 0]);
    expect(depths.filter((each) => each === 0)).toHaveLength(written.length);
  });
  checkAll(ris, (text, written) => {
    // As Python's splitlines ends them, which is at some controls, and at all others too.
    const lines = text.split(LINE_ENDS).filter((line) => line !== "");
    for (const line of lines) expect(line).toMatch(/^[A-Z][A-Z0-9] {2}- /);
    expect(lines.filter((line) => line.startsWith("ER  -"))).toHaveLength(written.length);
  });
});

it("CSL and JSON-LD are JSON of the same texts", () => {
  const itemsOf = <T>(text: string): readonly T[] => [JSON.parse(text) as T | T[]].flat() as readonly T[];
  const same = (text: string): string => Buffer.from(text).toString("utf8");
  checkAll(csl, (text, written) => {
    expect(itemsOf<Reference>(text).map(({ title }) => same(title!))).toEqual(written.map(({ title }) => same(title)));
  });
  checkAll(jsonLd, (text, written) => {
    expect(itemsOf<{ name: string }>(text).map(({ name }) => same(name))).toEqual(
      written.map(({ title }) => same(title)),
    );
  });
});

it.each([
  ["DataCite XML", dataciteXml],
  ["Dublin Core", dublinCore],
] as const)("%s is XML of one title, which is the same but for what XML cannot say", (_, format) => {
  const possible = (text: string): string =>
    text.replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd");
  checkAll({ ...format, join: { open: "", between: "\u0000", close: "" } }, (text, written) => {
    const titles = text.split("\u0000").map((one) => {
      const document = XmlDocument.fromString(one);
      try {
        return document.find("//*[local-name()='title']").map(({ content }) => content);
      } finally {
        document.dispose();
      }
    });
    expect(titles).toEqual(written.map(({ title }) => [possible(title)]));
  });
});

it("CSV has one row for each result, with the same cells and no formula", () => {
  const rows = (text: string): string[][] => {
    const cells = text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g);
    const all: string[][] = [[]];
    for (const [, quoted, bare, end] of cells) {
      all.at(-1)!.push(quoted?.replaceAll('""', '"') ?? bare!);
      if (end === "\r\n") all.push([]);
    }
    return all.slice(0, -1);
  };
  checkAll(resultsCsv, (text, written) => {
    const read = rows(text).slice(1);
    const same = (each: string): string => Buffer.from(each).toString("utf8");
    expect(read.map(([, kind, name]) => [kind, name])).toEqual(
      written.map(({ results: [result] }) => [same(result!.kind), same(result!.name!)]),
    );
    for (const cell of read.flat()) expect(cell).not.toMatch(/^[=+@-]/);
  });
});
