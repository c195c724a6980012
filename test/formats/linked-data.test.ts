/** Hostile texts as linked data and in `Link` headers are read back by other parsers: as many, with the same texts. */
import { createRequire } from "node:module";
import fc from "fast-check";
import { Parser, type Quad } from "n3";
import { beforeAll, expect, it } from "vitest";
import type { Citable } from "../../src/core/citable/citable.js";
import type { TermBody } from "../../src/core/terms/term-version.js";
import { jsonLd } from "../../src/formats/records/json-ld.js";
import { linkHeader, signposts } from "../../src/formats/records/signposting.js";
import { skosJsonLd, type TermFormat, turtle } from "../../src/formats/terms/term-formats.js";
import { builtInCatalog } from "../support/catalog.js";
import { describedAlike, publishedExamples } from "../support/described.js";
import { hostileText } from "../support/hostile-texts.js";

const SITE = { url: "https://data.example.org" };
const RUNS = process.env.TEST_LONG === "1" ? 2_500 : 40;
/** A run of 10,000 texts takes minutes where processors are shared. */
const timeout = 900_000;
const SKOS = "http://www.w3.org/2004/02/skos/core#";
const vocabulary = builtInCatalog().vocabularies.get("organisms")!;

type Node = Readonly<Record<string, readonly { readonly "@value"?: string }[]>>;

const { expand } = createRequire(import.meta.url)("jsonld") as {
  expand(document: unknown, options: object): Promise<readonly Node[]>;
};

/** Expands a document by the algorithm of JSON-LD, which refuses what it would drop. */
const expanded = (text: string): Promise<readonly Node[]> =>
  expand(JSON.parse(text), {
    documentLoader: (url: string) => Promise.reject(new Error(`${url} was asked for`)),
    safe: true,
  });

let example: Citable;
beforeAll(async () => {
  example = describedAlike((await publishedExamples())[0]!);
});

/** A text as it reaches a client: in UTF-8. */
const sent = (text: string): string => Buffer.from(text).toString("utf8");

const terms = fc
  .array(fc.tuple(hostileText, hostileText), { minLength: 1, maxLength: 4 })
  .map((texts) =>
    texts.map(
      ([title, name], i) =>
        ({ id: `taxid:${i + 2}`, title: { en: title }, synonyms: [{ name, kind: "synonym" }] }) as TermBody,
    ),
  );

/** Labels as they are read: the titles and the synonyms, but for synonyms that are equal to the title. */
const labelsOf = (written: readonly TermBody[]): string[] =>
  written.flatMap(({ title, synonyms = [] }) => [
    sent(title.en!),
    ...synonyms.filter(({ name }) => name !== title.en).map(({ name }) => sent(name)),
  ]);

async function documentOf(format: TermFormat, written: readonly TermBody[]): Promise<string> {
  const document = await format.begin(vocabulary, SITE);
  return sent(document.open + written.map((term) => document.write(term)).join("") + document.close);
}

const isLabel = ({ predicate }: Quad): boolean => /#(pref|alt)Label$/.test(predicate.value);

it("Turtle has one concept for each term, with the same labels", { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(terms, async (written) => {
      const quads = new Parser().parse(await documentOf(turtle, written));
      expect(quads.filter(isLabel).map(({ object }) => object.value)).toEqual(labelsOf(written));
      const subjects = new Set(quads.map(({ subject }) => subject.value));
      expect(subjects.size).toBe(written.length + 1);
    }),
    { numRuns: RUNS },
  );
});

it("JSON-LD of terms has one concept for each term, with the same labels", { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(terms, async (written) => {
      const [, ...concepts] = await expanded(await documentOf(skosJsonLd, written));
      expect(concepts).toHaveLength(written.length);
      const labels = concepts.flatMap((concept) =>
        ["prefLabel", "altLabel"].flatMap((name) =>
          (concept[`${SKOS}${name}`] ?? []).map((each) => sent(each["@value"]!)),
        ),
      );
      expect(labels).toEqual(labelsOf(written));
    }),
    { numRuns: RUNS },
  );
});

it("JSON-LD of a record is one dataset with the same texts", { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, hostileText, async (title, label) => {
      const record: Citable = { ...example, title, summary: label, subjects: [{ label, field: "keyword" }] };
      const nodes = await expanded(sent(jsonLd.write(record, SITE)));
      expect(nodes).toHaveLength(1);
      const textsAt = (name: string) => nodes[0]![`https://schema.org/${name}`]?.map((each) => sent(each["@value"]!));
      expect([textsAt("name"), textsAt("description")]).toEqual([[sent(title)], [sent(label)]]);
    }),
    { numRuns: RUNS },
  );
});

/** Returns a character as a URI has it: brackets and percent signs stay, as in an address that is encoded already. */
const encodeForUri = (character: string): string => (/[%[\]]/.test(character) ? character : encodeURI(character));

it("a Link header has the same links, whatever the address of a licence is", { timeout }, () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const url = `https://example.org/${text.slice(0, 500)}`;
      const links = signposts({ ...example, license: { name: "x", url } }, SITE, [jsonLd]);
      const header = linkHeader(links, 100_000);
      // What a header may hold (RFC 9110, 5.5), and what a URI may.
      expect(header).toMatch(/^[\x20-\x7e]*$/);
      const read = [...header.matchAll(/<([^<>\s]*)>((?:; \w+="[^"]*")*)(?:, |$)/g)];
      expect(read.map(([whole]) => whole).join("")).toBe(header);
      expect(read.map(([, , attributes]) => /rel="([^"]*)"/.exec(attributes!)?.[1])).toEqual(
        links.map(({ rel }) => rel),
      );
      const licence = read.find(([, , attributes]) => attributes!.includes('rel="license"'))?.[1];
      expect(licence).toBe(Array.from(sent(url), encodeForUri).join(""));
    }),
    { numRuns: RUNS },
  );
});
