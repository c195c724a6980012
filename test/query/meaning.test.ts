/** What queries find: every row of the grammar on a few records, by the reference evaluator. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import { recordFields, termFields } from "../../src/query/fields/field-lookup.js";
import { recordLeaves } from "../../src/query/index-model/record-leaves.js";
import { parseQuery } from "../../src/query/parse/parse.js";
import { printQuery } from "../../src/query/parse/print.js";
import { resolveQuery } from "../../src/query/resolve/resolve.js";
import { builtInCatalog } from "../support/catalog.js";
import { bestmatchStep, matches, termAsRecord } from "../support/reference-evaluator.js";
import { tinyModel, tinyRecord, tinyVocabulary } from "../support/tiny-catalog.js";

const NOW = Date.UTC(2026, 10, 21) * 1000;

const RECORDS: Readonly<Record<string, JsonObject>> = {
  a: {
    title: "Lysozyme binding to TNFα",
    depositor: { name: "Müller", identifiers: ["orcid:0000-0002-1825-0097", "10.5281/zenodo.7"] },
    ph: 7.4,
    measured: "2024-05-17",
    organism: { id: "sp:562", title: { en: "Escherichia coli" } },
    samples: [
      { name: "buffer", concentration: { value: 5 }, steps: [{ name: "stir", duration: 3 }, { name: "heat" }] },
      { name: "protein", concentration: { value: 50 }, source: { id: "sp:7" }, steps: [{ name: "heat", duration: 9 }] },
    ],
  },
  b: {
    title: "Binding of monolith lysozyme",
    ph: 2,
    measured: "2024-12-31",
    keywords: ["serum", "albumin", "10 µM"],
    is_calibrated: true,
    organism: { id: "sp:561" },
    samples: [{ name: "protein buffer", steps: [{ name: "stir", duration: 30 }] }],
  },
  c: {
    title: "国立東京大学",
    ph: -1,
    keywords: ["serum albumin", "Tris:HCl"],
    measured: "2025",
    undeclared: { name: "lysozyme hides here" },
  },
  d: { keywords: ["water"], samples: [] },
};

const fields = recordFields([tinyModel()], [tinyVocabulary()]);
const leaves = new Map(
  Object.entries(RECORDS).map(([id, metadata]) => {
    const termOf = (_: string, term: string) => {
      return { id: term, successors: [], titles: [], names: term === "sp:7" ? ["mono"] : [] };
    };
    return [id, recordLeaves(tinyRecord(id, metadata), tinyModel(), termOf)];
  }),
);
const world = { parentOf: (_: string, id: string) => (id === "sp:562" ? "sp:561" : undefined) };

function found(query: string): string {
  const { clause } = resolveQuery(parseQuery(query, fields).tree, fields, NOW);
  return [...leaves].flatMap(([id, record]) => (matches(clause, record, world) ? [id] : [])).join("");
}

describe("a query of records finds", () => {
  it.each([
    ["", "abcd"],
    ["*", "abcd"],
    ["lysozyme binding", "ab"],
    ["LYSOZYME", "abc"],
    ['"serum albumin"', "c"],
    ["serum albumin", "bc"],
    ["monolith OR serum", "bc"],
    ["binding NOT monolith", "a"],
    ["lysozyme -binding", "c"],
    ["NOT lysozyme", "d"],
    ["-(serum OR binding)", "d"],
    ["mono*", "ab"],
    ["mono?ith", "b"],
    ["m*th", "b"],
    ["lyzosyme~2", "abc"],
    ["lyszoyme~1", "abc"],
    ["lyzosyem~2", ""],
    ["TNFα", "a"],
    ['"tnf alpha"', "a"],
    ["10µM", ""],
    ["10 uM", "b"],
    ["東京大学", "c"],
    ["京東", ""],
    ["muller", "a"],
    ["0000-0002-1825-0097", "a"],
    ["10.5281/zenodo.7", "a"],
    ["Tris:HCl", "c"],
    ["title:lysozyme", "ab"],
    ["keywords:(serum OR water)", "bcd"],
    ["metadata.title:binding", "ab"],
    ["samples:heat", "a"],
    ["samples.name:buffer", "ab"],
    ["name:lysozyme", ""],
    ["ph:2", "b"],
    ["ph:7", ""],
    ["ph:7.4", "a"],
    ['ph:"7"', "a"],
    ["ph:[2 TO 7.4]", "ab"],
    ["ph:{2 TO 7.4]", "a"],
    ["ph:<5", "b"],
    ["ph:-1", ""],
    ["ph:(>=1 AND <3)", "b"],
    ["samples.concentration.value:(>10 AND <20)", ""],
    ["samples.concentration.value:>10 AND samples.concentration.value:<20", "a"],
    ["measured:2024", "ab"],
    ["measured:2024-05", "a"],
    ["measured:[2024-05-17 TO 2024]", "ab"],
    ["measured:{2024 TO *]", "c"],
    ["measured:<2024-12-31", "a"],
    ["created:>=now-1d", "abcd"],
    ["title:[b TO lyso]", "b"],
    ["is_calibrated:true", "b"],
    ["_exists_:ph", "ab"],
    ["NOT samples:*", "cd"],
    ["id:a", "a"],
    ["state:published model:tiny", "abcd"],
    ["sp:562", "a"],
    ["organism:sp:7", ""],
    ["organism.within:sp:561", "ab"],
    ["samples:(name:protein AND steps.name:stir)", "b"],
    ["samples:(name:protein AND steps:(name:heat AND duration:>5))", "a"],
    ["samples:(steps:(name:heat AND duration:3))", ""],
    ["samples:(NOT name:protein)", "a"],
    ["-samples.name:protein", "cd"],
    ["samples:(heat AND buffer)", "a"],
    ["samples:(sp:7)", "a"],
    ["samples:(lysozyme)", ""],
  ])("%s: %s", (query, ids) => {
    expect(found(query)).toBe(ids);
  });
});

describe("a query of a vocabulary finds", () => {
  const vocabulary = tinyVocabulary();
  const names = termFields(vocabulary);
  const item = termAsRecord(
    {
      id: "sp:562",
      title: { en: "Escherichia coli", la: "Bacterium coli" },
      synonyms: [{ name: "gut germ", kind: "common name" }],
      parent: "sp:561",
      status: "active",
      props: { rank: "species", genome_size: 4.6, codes: ["ECO"] },
    },
    vocabulary,
  );

  it.each([
    ["coli", true],
    ["germ", true],
    ["562", true],
    ["sp:562", true],
    ["id:sp:562", true],
    ['id:"sp:562"', true],
    ["sp:561", false],
    ["parent:sp:561", true],
    ["title:bacterium", true],
    ["title.en:bacterium", false],
    ["synonyms:coli", false],
    ["rank:species props.rank:species", true],
    ["genome_size:[4 TO 5]", true],
    ["status:deprecated", false],
  ])("by %s: %s", (query, expected) => {
    const { clause } = resolveQuery(parseQuery(query, names).tree, names, NOW);
    expect(matches(clause, item)).toBe(expected);
  });
});

describe("bestmatch", () => {
  it.each([
    ["orcid:0000-0002-1825-0097", "a", 1],
    ["Lysozyme binding to TNF-alpha", "a", 2],
    ["lysozyme binding", "a", 3],
    ["lysozyme binding", "b", 4],
    ["binding OR lysozyme", "b", 4],
    ["müller lysozyme", "a", 5],
    ["lysozyme", "c", 6],
    ["coli lysozyme", "a", 6],
    ["lysozyme -coli", "b", 4],
  ])("of %s places %s in step %d", (query, id, step) => {
    const { clause, plain } = resolveQuery(parseQuery(query, fields).tree, fields, NOW);
    const record = leaves.get(id)!;
    expect(matches(clause, record)).toBe(true);
    expect(bestmatchStep(clause, plain, record)).toBe(step);
  });
});

describe("a label that pages show names its field", () => {
  const { models, vocabularies } = builtInCatalog();
  const fields = recordFields([...models.values()], vocabularies.values());
  const chemicals = termFields(vocabularies.get("chemicals")!);

  it.each([
    ...[
      ["dh", "ΔH"],
      ["dh", "∆H"],
      ["dh", "deltaH"],
      ["dh", "δh"],
      ["dh", "Delta_H"],
      ["ds", "ΔS"],
      ["dg", "ΔG"],
    ],
    ...[
      ["kon", "k_on"],
      ["kon", "k-on"],
      ["kon", "kₒₙ"],
      ["koff", "k_off"],
      ["koff", "KOFF"],
      ["kd", "K_D"],
    ],
    ...[
      ["ka", "K_A"],
      ["ec50", "EC_50"],
      ["ph", "p_H"],
      ["hill", "Hill_coefficient"],
      ["collected", "year_of_measurement"],
    ],
    ...[
      ["molecular_weight", "Molecular-Weight"],
      ["title", "ti\u00adtle"],
      ["technique", "Method_"],
    ],
  ])("%s: %s", (name, label) => {
    expect(fields.find(label!)).toEqual(fields.find(name!));
    expect(fields.find(name!)).toBeDefined();
  });

  it("but a path, a text and a name of its own do not", () => {
    for (const other of ["results.k_on", "tris", "-", "Δ", "deltaX"]) expect(fields.find(other)).toBeUndefined();
    expect(chemicals.find("molecularWeight")).toEqual(chemicals.find("molecular_weight"));
  });

  it.each([
    ["ΔH:<-40kJ/mol", "dh:<-40kJ/mol"],
    ["k_on:>1000 M^-1 s^-1", "kon:>1000 M^-1 s^-1"],
    ["ΔH:<-40kJ/mol OR K_D:*", "dh:<-40kJ/mol OR kd:*"],
    ["K_D < 10 nM", "KD < 10 nM"],
  ])("in the query %s", (labelled, named) => {
    const clauseOf = (q: string) => resolveQuery(parseQuery(q, fields).tree, fields, NOW).clause;
    expect(clauseOf(labelled)).toEqual(clauseOf(named));
  });
});

describe("a question", () => {
  const { models, vocabularies } = builtInCatalog();
  const fields = recordFields([...models.values()], vocabularies.values());

  it.each([
    ["Does drug X bind target Y?", "Does AND drug AND X AND bind AND target AND Y"],
    ["what is life??", "what AND is AND life"],
    ["Is it so?!  ", "Is AND it AND so"],
    ["calm? dulin", "calm? AND dulin"],
    ["lysozym?", "lysozym?"],
    ["human lysozym?", "human AND lysozym?"],
    ["pept?de of lysozym?", "pept?de AND of AND lysozym?"],
    ["a AND lysozym?", "a AND lysozym?"],
    ["title:a b lysozym?", "title:a AND b AND lysozym?"],
    ["is it lysozym\\?", "is AND it AND lysozym\\?"],
  ])("%s is read as %s", (q, read) => {
    expect(printQuery(parseQuery(q, fields).tree)).toBe(read);
  });
});
