/** `GET /api/query` over the demo: how texts are read, counted and completed. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Completion, QueryPart, QueryText } from "../../src/client/query-text.js";
import { startDemo } from "../support/demo-server.js";
import type { SearchBody } from "../support/http-client.js";
import type { InProcessServer } from "../support/in-process-server.js";
import { arbitraryQueryText } from "../support/query-arbitraries.js";

let server: InProcessServer;
beforeAll(async () => {
  server = await startDemo();
}, 180_000);
afterAll(() => server.close());

type Parameters = Readonly<Record<string, string>>;

/** Counting ends after a while, which is short on a machine that is busy: then it is asked again. */
async function read(q: string, more: Parameters = {}, tries = 20): Promise<QueryText> {
  const answer = await server.app.inject({ url: "/api/query", query: { q, ...more } });
  expect(answer.statusCode, answer.body).toBe(200);
  const found = answer.json<QueryText>();
  return more.totals === "none" || tries === 0 || isCounted(found) ? found : read(q, more, tries - 1);
}

function isCounted({ parts, completions = [] }: QueryText): boolean {
  const counted = [
    ...allParts(parts)
      .filter(({ without }) => without !== undefined)
      .map(({ total }) => total),
    ...completions.filter(({ kind }) => kind === "value" || kind === "term").map((completion) => completion.doc_count),
  ];
  return counted.every((count) => count !== undefined);
}

async function search(q: string): Promise<SearchBody<unknown>> {
  const answer = await server.app.inject({ url: "/api/search", query: { q, facets: "none", size: "1" } });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<SearchBody<unknown>>();
}

const allParts = (parts: readonly QueryPart[]): readonly QueryPart[] =>
  parts.flatMap((part) => [part, ...allParts(part.parts ?? [])]);

/** Joins characters, without blanks and invisible characters at the ends. */
const visible = (points: readonly string[]): string =>
  points
    .join("")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .trim();

describe("reading a query", () => {
  it("shows each part as it was read, with its field, its unit, its term and its hits", async () => {
    const found = await read("kd:<10nM -organism.within:taxid:561 lyzozyme");
    expect(found).toMatchObject({ parsed: "kd:<10nM AND NOT organism.within:taxid:561 AND lyzozyme", fallback: false });
    expect(found.parts).toMatchObject([
      {
        ...{ from: 0, to: 8, kind: "quantity", text: "kd:<10nM", field: "kd", label: "KD", total: 71 },
        ...{ bounds: [{ op: "<", value: "10", unit: "nM" }], canonical: { to: 1e-8, unit: "M" } },
      },
      { from: 9, to: 10, kind: "operator", operator: "NOT" },
      {
        ...{ from: 10, to: 35, kind: "term", match: "within", field: "organism", label: "Organism", total: 15 },
        term: { id: "taxid:561", title: "Escherichia" },
      },
      { from: 36, to: 44, kind: "word", text: "lyzozyme", total: 0 },
    ]);
    expect(found.warnings).toEqual([]);
  });

  it("tells what rows of a form are made of: field, comparison, value and unit, in groups of an element", async () => {
    const [group] = (await read("results:(type:KD AND value:<10nM)")).parts;
    expect(group).toMatchObject({
      ...{ kind: "group", field: "results", element: "metadata.general_parameters.results", total: 66 },
      parts: [
        {
          kind: "field",
          field: "type",
          label: "Kind of result",
          match: "words",
          value: "KD",
          parsed: "results:(type:KD)",
        },
        { kind: "operator", operator: "AND" },
        { kind: "quantity", field: "value", bounds: [{ op: "<", value: "10", unit: "nM" }], canonical: { unit: "M" } },
      ],
    });
    const nested = await read("chemical_environments:(ph:<3 AND solvent:(name:water AND concentration.value:>90))");
    expect(allParts(nested.parts).map(({ kind, field }) => [kind, field])).toEqual([
      ["group", "chemical_environments"],
      ["range", "ph"],
      ["operator", undefined],
      ["group", "solvent"],
      ["field", "name"],
      ["operator", undefined],
      ["quantity", "concentration.value"],
    ]);
  });

  it.each([
    [
      "collected:2024",
      { kind: "range", bounds: [{ op: "=", value: "2024" }], canonical: { to: "2025-01-01T00:00:00.000Z" } },
    ],
    ["KD < 10 nM", { kind: "quantity", field: "KD", parsed: "KD:<10nM" }],
    ["pH 7.4", { kind: "range", field: "pH", bounds: [{ op: "=", value: "7.4" }] }],
    [
      "kd:[1 TO 100 nM]",
      {
        bounds: [
          { op: ">=", value: "1" },
          { op: "<=", value: "100", unit: "nM" },
        ],
        canonical: { from: 1e-9 },
      },
    ],
    ["temperature:37°C", { kind: "quantity", canonical: { from: 310.15, to: 310.15, unit: "K" } }],
    ["hill:>1", { kind: "quantity", bounds: [{ op: ">", value: "1" }] }],
    ["IL-6", { kind: "phrase", match: "phrase", value: "IL-6" }],
    ['title:"serum albumin"', { kind: "field", match: "phrase", value: "serum albumin" }],
    ["nanob*", { kind: "word", match: "prefix", value: "nanob" }],
    ["title:c?lm*lin", { kind: "field", match: "wildcard", value: "c?lm*lin" }],
    ["lyzozyme~", { kind: "word", match: "fuzzy", value: "lyzozyme" }],
    ["results:*", { kind: "field", match: "exists", field: "results" }],
    ["*", { kind: "word", match: "everything" }],
    ["taxid:562", { kind: "term", match: "id", term: { title: "Escherichia coli" } }],
    ["kd:<10kDa", { kind: "quantity", total: 0, bounds: [{ op: "<", value: "10", unit: "kDa" }] }],
    ["title:(lysozyme trypsin)", { kind: "group", field: "title", label: "Title" }],
  ])("says what stands in one part: %s", async (q, expected) => {
    const { parts } = await read(q);
    expect(parts).toHaveLength(1);
    expect(parts[0]).toMatchObject(expected);
  });

  it("counts places in code points", async () => {
    const { parts, warnings } = await read("𝛼𝛽 lysozyme) kd:>1mM");
    expect(parts.map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [3, 11],
      [11, 12],
      [13, 20],
    ]);
    expect(warnings).toMatchObject([{ code: "QUERY_BRACKET_DROPPED", from: 11, to: 12 }]);
  });

  it("counts nothing where nothing is to be counted, and no part of very many", async () => {
    const none = await read("kd:<10nM lysozyme", { totals: "none" });
    expect(none).not.toHaveProperty("total");
    expect(none.parts.every((part) => !("total" in part))).toBe(true);
    const many = await read(Array.from({ length: 21 }, (_, i) => `w${i}`).join(" OR "));
    expect(many.total).toBeTypeOf("number");
    expect(allParts(many.parts).every((part) => !("total" in part))).toBe(true);
  });

  it("reads a query over one model, and over a vocabulary", async () => {
    expect((await read("kd:<10nM", { model: "spr" })).total).toBeLessThan(66);
    const terms = await read("within:taxid:562 rank:serotype", { vocabulary: "organisms" });
    expect(terms.parts).toMatchObject([
      { kind: "term", match: "within", term: { title: "Escherichia coli" } },
      { kind: "field", field: "rank", value: "serotype" },
    ]);
    const wrong = await server.app.inject("/api/query?q=a&vocabulary=organisms&model=mst");
    expect(wrong.json()).toMatchObject({ errors: [{ code: "PARAMETERS_CONFLICT", field: "vocabulary" }] });
    expect((await server.app.inject("/api/query?q=a&model=nmr")).json()).toMatchObject({ code: "MODEL_NOT_FOUND" });
  });

  it("reads any text, in parts that make it up, and counts as a search does", async () => {
    const anyText = fc.oneof(arbitraryQueryText, fc.string({ unit: "binary", maxLength: 40 }));
    await fc.assert(
      fc.asyncProperty(anyText, async (q) => {
        const { parsed, fallback, total, parts } = await read(q);
        const found = await search(q);
        expect([parsed, fallback, total]).toEqual([found.query.parsed, found.query.fallback, found.hits.total]);
        // Half a surrogate pair cannot be sent.
        const points = [...new TextDecoder().decode(new TextEncoder().encode(q))];
        let at = 0;
        for (const { from, to, text } of parts) {
          expect(from >= at && to > from).toBe(true);
          expect([visible(points.slice(at, from)), points.slice(from, to).join("")]).toEqual(["", text]);
          at = to;
        }
        expect(visible(points.slice(at))).toBe("");
        const said = new Set((found.warnings ?? []).map(({ code }) => code));
        for (const { without } of allParts(parts)) {
          const left = without === undefined ? undefined : await search(without);
          expect([without, (left?.warnings ?? []).filter(({ code }) => !said.has(code))]).toEqual([without, []]);
        }
        for (const part of allParts(parts)) {
          if (part.total !== undefined)
            expect([part, (await search(part.parsed!)).hits.total]).toEqual([part, part.total]);
        }
      }),
      { numRuns: 150 },
    );
  }, 120_000);
});

describe("cures", () => {
  it.each([
    ["(lysozyme", ["(lysozyme)", "\\(lysozyme"]],
    ["a ((lysozyme", ["a ((lysozyme))"]],
    ['"serum albumin', ['"serum albumin"', '\\"serum albumin']],
    ["lysozyme)", ["lysozyme", "lysozyme\\)"]],
    ["lysozyme AND", ["lysozyme ", "lysozyme \\AND"]],
    ["titel:lysozyme", ["title:lysozyme", "titel\\:lysozyme"]],
    ["*zyme", ["\\*zyme"]],
    ["(a b)^2", ["(a b)"]],
    ["KD < 10 nM", ["KD:<10nM"]],
    ["title = lysozyme", ["title:lysozyme"]],
    ["title:", ["title:*"]],
    ["kd:<10", ["kd:<10M", "kd:<10mM", "kd:<10µM", "kd:<10nM", "kd:<10pM", "kd:<10fM", "kd:<10aM"]],
    ["instrument.within:ins:36", ["instrument:ins:36"]],
    ["lyzozyme~3 x", ["lyzozyme~2 x"]],
    ["kd:* stated:yes", ["kd:* stated:true", "kd:* stated:false"]],
    ["kd:<10 nm", ["kd:<10 nM"]],
    ["kd:10 nm", ["kd:10 nM"]],
    ["created:2024-13", ["created:2024"]],
    ["created:2024-02-31", ["created:2024-02-29", "created:2024-02"]],
    ['created:"17 May 2024"', ["created:2024-05-17"]],
    ["created:>2024-13", ["created:>2024"]],
    ["created:[2024-05 TO 2024-06-31]", ["created:[2024-05 TO 2024-06-30]", "created:[2024-05 TO 2024-06]"]],
    ["created:2020..2024", ["created:[2020 TO 2024]"]],
    ["year:(2024/5 OR 2023)", ["year:(2024-05 OR 2023)"]],
    ["created:yesterday", []],
  ])("are queries that say what was meant: %s", async (q, expected) => {
    const { warnings } = await read(q, { totals: "none" });
    expect((warnings[0]?.cures ?? []).map((cure) => cure.q)).toEqual(expected);
  });

  it("say no more than what they cure, whatever was typed", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryQueryText, async (q) => {
        const { warnings } = await read(q, { totals: "none" });
        for (const warning of warnings) {
          for (const cure of warning.cures ?? []) {
            const left = (await read(cure.q, { totals: "none" })).warnings;
            expect(left.length, cure.q).toBeLessThanOrEqual(warnings.length);
            expect(left.some(({ code, value }) => code === warning.code && value === warning.value)).toBe(false);
          }
        }
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});

it.each(['created:"now-1d"', 'created:"2026–11"', 'created:"2026-11-01"'])("reads %s as a date", async (q) => {
  const [quoted, plain] = [await read(q), await read(q.replaceAll('"', ""))];
  expect(quoted.warnings).toEqual(plain.warnings);
  expect(quoted.total).toBe(plain.total);
});

describe("completing a query", () => {
  const complete = async (q: string, more: Parameters = {}): Promise<readonly Completion[]> =>
    (await read(q, { at: String([...q].length), ...more })).completions ?? [];
  const inserted = async (q: string, more?: Parameters) => (await complete(q, more)).map(({ insert }) => insert);

  it("names fields by their name, an alias or their label, with an example", async () => {
    expect((await complete("k"))[0]).toEqual({
      ...{ kind: "field", insert: "kd:", from: 0, to: 1, label: "KD", detail: "kd:>0M" },
    });
    expect((await inserted("lysozyme -spec")).at(-1)).toBe("organism:");
    expect(await inserted("results:(ty")).toEqual(["type:"]);
    expect(await inserted("results.ty")).toEqual(["results.type:"]);
    expect(await inserted("results:(k")).toEqual(expect.arrayContaining(["kd:", "kon:"]));
    expect(await inserted("ran", { vocabulary: "organisms" })).toEqual(["rank:"]);
  });

  it("replaces the whole name that it stands in, with its colon", async () => {
    const { completions } = await read("lysozyme k:<10nM", { at: "10" });
    expect(completions).toContainEqual(expect.objectContaining({ insert: "kd:", from: 9, to: 11 }));
  });

  it("names the values of a field with their hits", async () => {
    expect(await complete("access_rights:")).toEqual(
      [
        { kind: "value", insert: "open", from: 14, to: 14, label: "open", doc_count: expect.any(Number) },
        { kind: "value", insert: "embargoed", from: 14, to: 14, label: "embargoed", doc_count: expect.any(Number) },
        { kind: "value", insert: "restricted", from: 14, to: 14, label: "restricted", doc_count: expect.any(Number) },
      ].filter(({ label }) => label !== "none"),
    );
    expect(await complete('results:(type:"constant of diss')).toEqual([
      expect.objectContaining({ insert: '"Constant of dissociation KD"', from: 14, to: 31, doc_count: 161 }),
    ]);
    expect(await inserted("model:")).toEqual(["bli", "itc", "mst", "spr"]);
    expect(await inserted("country:Cz", { vocabulary: "affiliations" })).toEqual(["Czechia"]);
  });

  it("names terms whose names begin so, those with most records first, and where nothing is typed", async () => {
    expect((await complete("organism:esch")).slice(0, 2)).toEqual([
      {
        ...{ kind: "term", insert: "taxid:83333", from: 9, to: 13, label: "Escherichia coli K-12" },
        ...{ detail: "taxid:83333", doc_count: 9 },
      },
      {
        ...{ kind: "term", insert: "taxid:562", from: 9, to: 13, label: "Escherichia coli", detail: "taxid:562" },
        doc_count: 4,
      },
    ]);
    expect((await complete("organism.within:esch"))[0]).toMatchObject({ insert: "taxid:562", doc_count: 15 });
    expect((await complete("organism:"))[0]).toMatchObject({ insert: "taxid:9606", doc_count: 92 });
    expect((await complete("organism:", { lang: "de" }))[0]?.label).toBeTruthy();
  });

  it("names terms of records first, those of most records, and none without records if others have some", async () => {
    for (const q of ["organism:hum", "organism:ho", "organism.within:hum", "hum"]) {
      const terms = (await complete(q)).filter(({ kind }) => kind === "term");
      expect(terms[0], q).toMatchObject({ label: "Homo sapiens", doc_count: expect.any(Number) });
      const counts = terms.map(({ doc_count: count }) => count ?? 0);
      expect(Math.min(...counts), q).toBeGreaterThan(0);
      if (q !== "hum") expect(counts, q).toEqual(counts.toSorted((a, b) => b - a));
    }
    // No record cites the class itself.
    expect((await complete("organism:mammalia"))[0]).toMatchObject({ label: "Mammalia", doc_count: 0 });
  });

  it("names people by the number of their records in fields of people", async () => {
    const all = await complete("author:");
    expect(all[0]).toMatchObject({ kind: "value", insert: '"Dvořák, Jiří"', label: "Dvořák, Jiří" });
    const counts = all.map(({ doc_count: count }) => count ?? 0);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts.at(-1)).toBeGreaterThan(0);
    expect(await inserted("contact:mull")).toEqual(['"Müller, Zoë"']);
    expect(await inserted('lysozyme author:"zoe mu')).toEqual(['"Müller, Zoë"']);
    // Nobody has this name, but an institution does.
    expect((await complete("author:karolinska"))[0]).toMatchObject({ kind: "term" });
  });

  it("names molecules, terms and people for plain words, then fields", async () => {
    expect((await complete("calmod"))[0]).toEqual({
      ...{ kind: "value", insert: 'molecule:"uniprot:P0DP23"', from: 0, to: 6, label: "Calmodulin" },
      ...{ detail: "uniprot:P0DP23", field_label: "Molecule", doc_count: expect.any(Number) },
    });
    expect(await complete("homo sap")).toContainEqual({
      ...{ kind: "term", insert: "organism.within:taxid:9606", from: 0, to: 8, label: "Homo sapiens" },
      ...{ detail: "taxid:9606", field_label: "Organism", doc_count: 92 },
    });
    expect(await complete("kd:<10nM -müll")).toContainEqual(
      expect.objectContaining({ insert: 'depositors:"Müller, Zoë"', from: 10, to: 14, label: "Müller, Zoë" }),
    );
    // The name of two words, and the last word alone.
    expect((await complete("binds serum alb"))[0]).toMatchObject({
      label: expect.stringMatching(/serum albumin/),
      from: 6,
      to: 15,
    });
    expect((await complete("binds NOT calmod"))[0]).toMatchObject({ label: "Calmodulin", from: 10, to: 16 });
    const kinds = (await complete("con")).map(({ kind, field_label: label }) => label ?? kind);
    expect(kinds.at(-1)).toBe("field");
    expect(kinds.indexOf("field")).toBe(kinds.filter((kind) => kind !== "field").length);
  });

  it("names a molecule once, and nothing inside of a group or after one letter", async () => {
    const molecules = (await complete("lysozyme c")).filter(({ field_label: label }) => label === "Molecule");
    expect(molecules.map(({ insert }) => insert)).toEqual(['molecule:"uniprot:P00698"']);
    // Typos of names are for the search to correct, and no rank is a name.
    expect((await complete("human ser")).map(({ detail = "" }) => detail).join()).not.toContain("serotype");
    expect((await complete("-müll")).map(({ label }) => label)).not.toContain("Mollusca");
    for (const q of ["results:(calmod", "title:calmod", "c"]) {
      expect((await complete(q)).filter(({ field_label: label }) => label !== undefined)).toEqual([]);
    }
    expect(await complete("homo sap", { totals: "none" })).not.toContainEqual(
      expect.objectContaining({ doc_count: expect.anything() }),
    );
  });

  it("names the unit of most records first", async () => {
    expect((await inserted("kd:<10")).slice(0, 2)).toEqual(["nM", "µM"]);
    expect(await inserted("dh:<10")).not.toContain("nM");
  });

  it("names the units of a quantity, with and without a blank or a colon", async () => {
    for (const q of ["kd:<10", "kd:<10 ", "KD < 10 ", "kd:[1nM TO 10", "results:(type:KD AND value:<10 "]) {
      expect(await inserted(q), q).toEqual(expect.arrayContaining(["nM"]));
    }
    expect((await complete("kd:<10 n"))[0]).toMatchObject({ kind: "unit", insert: "nM", from: 7, to: 8 });
    expect(await inserted("temperature:<37")).toEqual(["°C", "K", "°F"]);
  });

  it("names the operators after an operand, in capitals", async () => {
    expect((await inserted("lysozyme ")).slice(0, 3)).toEqual(["AND ", "OR ", "NOT "]);
    expect((await inserted("lysozyme A"))[0]).toBe("AND ");
    expect(await inserted("lysozyme AND ")).not.toContain("AND ");
    expect(await inserted('lysozyme "A')).toEqual([]);
  });

  it("offers nothing that says something new, and everything is read as what it is", async () => {
    const texts = [
      ...[
        "lysozyme kd:<10 nM",
        "results:(type:Con AND value:<10 n)",
        "-organism:taxid:562 OR title:(lys tryp)",
        "ph:7 ",
        "binding of serum alb OR homo sap",
      ],
      ...[
        'entities_of_interest:(organism.within:taxid:9989 AND name:"anti',
        "KD < 10 pM collected:2024",
        "(a b) A",
        "*",
      ],
    ];
    const places = texts.flatMap((q) => Array.from({ length: [...q].length + 1 }, (_, at) => [q, at] as const));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), async ([q, at]) => {
        const { completions = [], warnings } = await read(q, { at: String(at) });
        expect(completions.length).toBeLessThanOrEqual(12);
        for (const completion of completions) await expectRead(q, completion, warnings);
      }),
      { numRuns: 120 },
    );
  }, 120_000);
});

/** The text with a completion is read as it says, and no warning is there that was not before. */
async function expectRead(q: string, completion: Completion, before: QueryText["warnings"]): Promise<void> {
  const { kind, insert, from, to, label, doc_count: count, field_label: field } = completion;
  const points = [...q];
  const rest = points.slice(to).join("");
  // What must be followed by something is.
  const next = (kind === "field" || kind === "operator") && /^\s*(?:$|\))/u.test(rest) ? "*" : "";
  const text = points.slice(0, from).join("") + insert + next + rest;
  const { warnings, parts } = await read(text, { totals: "none" });
  const codes = (some: QueryText["warnings"]): readonly string[] => some.map(({ code }) => code).sort();
  expect([text, codes(warnings).filter((code) => !codes(before).includes(code))]).toEqual([text, []]);
  const inside = allParts(parts).filter((part) => part.from <= from + 1 && part.to > from && part.parts === undefined);
  const part = inside.at(-1);
  if (field !== undefined) expect(part?.label).toBe(field);
  else if (kind === "term") expect(part?.term).toEqual({ id: insert, title: label });
  else if (kind === "value") expect(part?.value ?? part?.bounds?.[0]?.value).toBe(label);
  else if (kind === "unit") expect([text, part?.bounds?.at(-1)?.unit]).toEqual([text, insert.trim()]);
  else if (kind === "operator") expect(part).toMatchObject({ kind: "operator", operator: label });
  if (count !== undefined && part?.parsed !== undefined) expect((await search(part.parsed)).hits.total).toBe(count);
}
