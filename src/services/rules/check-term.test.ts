import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { REAL_VOCABULARIES, vocabularyFile } from "../../../test/support/real-data.js";
import { LIMITS } from "../../core/limits.js";
import { checkTerm } from "./check-term.js";

const { vocabularies } = builtInCatalog();
const check = (vocabulary: string, value: unknown) => checkTerm(vocabularies.get(vocabulary)!, value);

const WATER = {
  id: "inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N",
  title: { en: "Water" },
  props: {
    chemical_formula: "H2O",
    molecular_weight: { value: 18.02, unit: "g/mol" },
    additional_identifiers: ["cid:962"],
  },
};
const COLI = { id: "taxid:562", title: { en: "Escherichia coli" }, props: { rank: "species" } };

it("may have so many words in all, whatever it has them in", () => {
  const of = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join(" ");
  const withWords = (count: number) => check("organisms", { ...COLI, synonyms: [of(count)] });
  const besides = LIMITS.termWordsMax - 8;
  expect(withWords(besides - 1).reasons).toBeUndefined();
  expect(withWords(LIMITS.termWordsMax).reasons).toEqual([
    expect.stringMatching(
      /^"synonyms" has 10000 of the 100\d\d words of this term; the maximum is 10000 words in all$/,
    ),
  ]);
});

describe("an item is read", () => {
  it("with its props under `props` or at the top level alike", () => {
    const { props, ...rest } = WATER;
    expect(check("chemicals", WATER)).toEqual({ content: { ...WATER, status: "active" } });
    expect(check("chemicals", { ...rest, ...props })).toEqual(check("chemicals", WATER));
  });

  it("with a title by language, in declared order, or as plain text", () => {
    const titles = { id: "en", title: { fr: "anglais", cs: "angličtina", en: "English" } };
    expect(Object.keys(check("languages", titles).content?.title ?? {})).toEqual(["en", "cs", "fr"]);
    expect(check("languages", { id: "en", title: "English" }).content?.title).toEqual({ en: "English" });
  });

  it("with synonyms as texts or objects", () => {
    const synonyms = ["E. coli", { name: "Bacterium coli", kind: "basonym", lang: "la" }];
    expect(check("organisms", { ...COLI, synonyms }).content?.synonyms).toEqual([
      { name: "E. coli", kind: "synonym" },
      { name: "Bacterium coli", kind: "basonym", lang: "la" },
    ]);
  });

  it("with the key order of its file left behind", () => {
    const turned = Object.fromEntries(Object.entries(WATER.props).reverse());
    expect(JSON.stringify(check("chemicals", { ...WATER, props: turned }))).toBe(
      JSON.stringify(check("chemicals", WATER)),
    );
  });

  it("as the service wrote it, without what the service owns", () => {
    const written = {
      ...COLI,
      type: "organisms",
      "@v": "x::1",
      created: "c",
      updated: "u",
      revision_id: 1,
      links: {},
      parent: { id: "taxid:561", title: { en: "Escherichia" } },
      ancestors: [],
      status: "active",
    };
    expect(check("organisms", written)).toEqual({ content: { ...COLI, parent: "taxid:561", status: "active" } });
  });

  it("as deprecated where another replaced it", () => {
    expect(check("organisms", { ...COLI, replaced_by: "taxid:561" }).content).toMatchObject({
      status: "deprecated",
      replaced_by: "taxid:561",
    });
  });

  it("without what is null or empty", () => {
    const empty = { ...COLI, props: { rank: null }, synonyms: null, parent: null, status: null, replaced_by: null };
    expect(check("organisms", empty)).toEqual({ content: { ...COLI, props: {}, status: "active" } });
  });
});

describe("an item is refused", () => {
  it.each<[string, string, unknown, string]>([
    ["that is no object", "organisms", [], "a term must be an object, but this is a list"],
    ["that is nothing", "organisms", undefined, "a term must be an object, but this is missing"],
    ["without an id", "organisms", { title: "x" }, '"id" must be text, but it is missing'],
    ["with a number for an id", "organisms", { ...COLI, id: 562 }, '"id" must be text, but it is a number'],
    [
      "with an id of another form",
      "organisms",
      { ...COLI, id: "562" },
      'the id "562" does not have the form taxid:[1-9][0-9]*',
    ],
    [
      "without a title",
      "organisms",
      { id: "taxid:1" },
      '"title" must be text, or an object with text by language, but it is missing',
    ],
    ["with a blank title", "organisms", { ...COLI, title: { en: " " } }, '"title.en" must be text, but it is empty'],
    ["with no title at all", "organisms", { ...COLI, title: {} }, '"title" must have a text in at least one language'],
    [
      "with a bad language",
      "organisms",
      { ...COLI, title: { English: "x" } },
      '"English" in "title" is not a language tag',
    ],
    [
      "with half a character",
      "organisms",
      { ...COLI, title: "a\uD800" },
      '"title.en" contains half of a surrogate pair; it must be one line without tabs',
    ],
    ["with an unknown key", "organisms", { ...COLI, titel: "x" }, 'unknown key "titel"; did you mean "title"?'],
    [
      "with an unknown prop",
      "organisms",
      { ...COLI, props: { rnak: "x" } },
      'unknown key "props.rnak"; did you mean "rank"?',
    ],
    [
      "with a prop of a wrong type",
      "grants",
      { id: `oa:corda_______::${"0".repeat(32)}`, title: "x", props: { grant_id: 7 } },
      '"grant_id" must be text, but it is a number; put it in quotes',
    ],
    [
      "with a list that is none",
      "chemicals",
      { ...WATER, props: { additional_identifiers: "cid:962" } },
      '"additional_identifiers" must be a list of texts or numbers, but it is text',
    ],
    [
      "with a part of a wrong type",
      "chemicals",
      { ...WATER, props: { molecular_weight: { value: "18" } } },
      '"molecular_weight.value" must be a number, but it is text',
    ],
    [
      "with an unknown part",
      "chemicals",
      { ...WATER, props: { molecular_weight: { vlaue: 18 } } },
      'unknown key "molecular_weight.vlaue"',
    ],
    [
      "with a prop twice",
      "organisms",
      { ...COLI, rank: "genus" },
      '"rank" is both inside and outside of "props"; send it once',
    ],
    [
      "with a parent where there is no hierarchy",
      "chemicals",
      { ...WATER, parent: WATER.id },
      '"parent" is not allowed: this vocabulary has no hierarchy',
    ],
    [
      "that is its own parent",
      "organisms",
      { ...COLI, parent: "taxid:562" },
      '"parent" must not be the id of the term itself',
    ],
    ["with an unknown status", "organisms", { ...COLI, status: "gone" }, '"status" must be active or deprecated'],
    [
      "that is active but replaced",
      "organisms",
      { ...COLI, status: "active", replaced_by: "taxid:1" },
      'an active term cannot have "replaced_by"',
    ],
    [
      "with synonyms that are no list",
      "organisms",
      { ...COLI, synonyms: "x" },
      '"synonyms" must be a list, but it is text',
    ],
    [
      "with a synonym without a name",
      "organisms",
      { ...COLI, synonyms: [{ kind: "x" }] },
      '"synonyms.0.name" must be text, but it is missing',
    ],
  ])("%s", (_, vocabulary, value, reason) => {
    expect(check(vocabulary, value).reasons).toEqual([reason]);
  });

  it("with all reasons at once", () => {
    expect(check("organisms", { id: "x", title: 1, a: 2 }).reasons).toHaveLength(3);
  });

  it("for keys that JavaScript gives every object", () => {
    const value = JSON.parse('{"id": "taxid:1", "title": "root", "__proto__": {"rank": "x"}, "constructor": 1}');
    expect(check("organisms", value).reasons).toEqual(['unknown key "__proto__"', 'unknown key "constructor"']);
    expect(check("organisms", JSON.parse('{"__proto__": {"id": "taxid:1", "title": "root"}}')).reasons).toHaveLength(3);
  });
});

describe("starter items", () => {
  it.each([...vocabularies])("of %s are all good, each id once", (name, { starterFile }) => {
    const items = readFileSync(starterFile!, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    const verdicts = items.map((item) => check(name, item));
    expect(verdicts.flatMap(({ reasons }) => reasons ?? [])).toEqual([]);
    expect(new Set(verdicts.map(({ content }) => content?.id)).size).toBe(items.length);
  });

  it("of a hierarchy name parents that are there", () => {
    const lines = readFileSync(vocabularies.get("organisms")!.starterFile!, "utf8").trim().split("\n");
    const items = lines.map((line) => JSON.parse(line) as { id: string; parent?: string });
    const ids = new Set(items.map(({ id }) => id));
    expect(items.filter(({ parent }) => parent !== undefined && !ids.has(parent))).toEqual([]);
  });
});

describe("the files of MBDB's vocabularies", () => {
  it.each(REAL_VOCABULARIES)("%s has nothing to refuse", (vocabulary) => {
    const documents = parseAllDocuments(readFileSync(vocabularyFile(vocabulary), "utf8"));
    const items = (documents as { toJS(): unknown }[])
      .map((document) => document.toJS())
      .filter((item) => item !== null);
    expect(items.length).toBeGreaterThan(3);
    expect(items.flatMap((item) => check(vocabulary, item).reasons ?? [])).toEqual([]);
  });
});
