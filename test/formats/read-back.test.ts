/** What is written is read back by libraries that others use. */
import { createRequire } from "node:module";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Citable, Person } from "../../src/core/citable/citable.js";
import { jsonLd } from "../../src/formats/records/json-ld.js";
import { bibtex, ris } from "../../src/formats/records/reference-managers.js";
import { describedAlike, publishedExamples } from "../support/described.js";

const SITE = { url: "https://data.example.org" };
const load = createRequire(import.meta.url);

interface Reference {
  readonly title: string;
  readonly author?: readonly { readonly family?: string; readonly given?: string }[];
  readonly URL?: string;
  readonly publisher?: string;
}

let examples: readonly Citable[];
let readAll: (text: string) => readonly Reference[];

beforeAll(async () => {
  examples = (await publishedExamples()).map(describedAlike);
  load("@citation-js/plugin-bibtex");
  load("@citation-js/plugin-ris");
  const { Cite } = load("@citation-js/core") as { Cite: new (text: string) => { data: readonly Reference[] } };
  readAll = (text) => new Cite(text).data;
});

describe.each([
  ["BibTeX", bibtex],
  ["RIS", ris],
] as const)("%s", (_, format) => {
  it("says who, what, when and where", () => {
    for (const record of examples) {
      const [read] = readAll(format.write(record, SITE));
      expect(read).toMatchObject({ title: record.title, publisher: "MBDB", URL: `${SITE.url}/records/${record.id}` });
      const people = record.people.map(({ familyName, givenName }) => `${familyName}, ${givenName}`);
      // A reader of BibTeX takes a particle from the family name; it belongs to the name all the same.
      expect(read?.author?.map(nameOf)).toEqual(people);
    }
  });

  it("keeps any title on one line, and a whole search one reference after the other", () => {
    const text = fc.string({ unit: "grapheme-ascii", minLength: 1 }).map((each) => `A ${each} z`);
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (titles) => {
        const { between } = format.join!;
        const all = titles.map((title, i) => format.write({ ...examples[0]!, id: `abcde-${10 + i}`, title }, SITE));
        const read = readAll(all.join(between));
        expect(read.map(({ title }) => plain(title))).toEqual(titles.map(plain));
      }),
      { numRuns: 60 },
    );
  });
});

it("keeps names whole that have a word which separates names", () => {
  const person = (familyName: string, givenName?: string): Person => ({
    ...{ name: familyName, familyName, identifiers: [], affiliations: [] },
    ...(givenName === undefined ? {} : { givenName }),
  });
  const publisher = "Institute of Chemistry and Physics";
  const people = [
    person("Smith and Sons"),
    person("Black AND White", "Ann"),
    person("Otto", "Carl and Eva"),
    person("others"),
    { name: "Committee for Data and Software", identifiers: [], affiliations: [] },
    person("Land", "Edwin"),
  ];
  const record: Citable = { ...examples[0]!, people, publisher };
  const [read] = readAll(bibtex.write(record, SITE));
  const names = read?.author?.map((author) => Object.values(author).map(plain).sort().join(" | "));
  expect(names).toEqual([
    "Smith and Sons",
    "Ann | Black AND White",
    "Carl and Eva | Otto",
    "others",
    "Committee for Data and Software",
    "Edwin | Land",
  ]);
  // Literal lists of biblatex are separated by the same word.
  expect(plain(read?.publisher ?? "")).toBe(publisher);
  expect(bibtex.write(record, SITE)).toContain(`publisher = {{${publisher}}},`);
  const [reference] = readAll(ris.write(record, SITE));
  expect([reference?.author?.length, reference?.publisher]).toEqual([people.length, publisher]);
});

/** BibTeX readers write text with HTML of their own (`<span>`, `&amp;`), and TeX knows no runs of blanks. */
function plain(text: string): string {
  const unmarked = text.replaceAll(/<\/?(?:span|i|b|sc|sup|sub)\b[^>]*>/g, "");
  return unmarked
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function nameOf(name: { readonly family?: string; readonly given?: string }): string {
  const { family, given, "non-dropping-particle": particle } = name as Record<string, string | undefined>;
  return `${[particle, family].filter((part) => part !== undefined).join(" ")}, ${given}`;
}

it("is JSON-LD without any document from the network", async () => {
  const jsonld = load("jsonld") as {
    expand(document: object, options: object): Promise<readonly Record<string, unknown>[]>;
  };
  const documentLoader = (url: string): never => {
    throw new Error(`${url} was asked for`);
  };
  for (const record of examples) {
    const [dataset] = await jsonld.expand(JSON.parse(jsonLd.write(record, SITE)) as object, {
      documentLoader,
      safe: true,
    });
    expect(dataset).toMatchObject({
      "@type": ["https://schema.org/Dataset"],
      "@id": `${SITE.url}/records/${record.id}`,
      "https://schema.org/name": [{ "@value": record.title }],
    });
  }
});
