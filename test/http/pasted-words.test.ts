/** Words as papers, web pages and PDFs have them: invisible characters, Greek letters, titles that look like syntax. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importItems, publish, recordWith } from "../support/deposit.js";
import type { SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
/** Ids of the records by their titles. */
const ids = new Map<string, string>();

const TITLES = [
  "Immuno\u00adglobulin pasted from a PDF",
  "Zero\u200bwidth and right\u200fto\u200eleft in\ufeffside",
  ...["β2-adrenergic receptor", "beta2-adrenergic agonist", "NF-κB first", "NF-kappaB second", "NFkappaB third"],
  ...["ΔG of unfolding", "deltaG of binding", "delta G of folding", "∆G of transfer", "ΔΔG of a mutant"],
  ...["TGF-β1 one", "TGFbeta1 two", "TNFα one", "TNFalpha two", "αβ-tubulin dimer"],
  ...["Does drug X bind target Y?", "What is life? A physicist's view", "KD: a primer", "pH: the measure of acids"],
  ...["Flying Gaussian Method: Numerical Proof", "A method -a new approach", "Proteins that do NOT fold"],
  ...["TO BE OR NOT TO BE", "STRUCTURE AND FUNCTION OF OPSINS", "50 % of salt & sugar (a mixture", "Title: a title"],
  ...["Lists [1, 2 and {3}", "See taxid:562 and model:mst", 'A 5" gun and "its" barrel', "C*-algebras ~ a^2"],
];

beforeAll(async () => {
  bindery = await startService();
  const { client } = await bindery.user("alice");
  const deposits = TITLES.map(async (title, n) =>
    ids.set(title, (await publish(client, recordWith(n, {}, { title }))).id),
  );
  await Promise.all(deposits);
  const grants = [
    ...["Why? A study of questions", "Host: a model -an outlook", "TGF-β1 in disease", "Immuno\u00adtherapy"],
    ...["Control of NOT gates", "MODEL ORGANISMS AND MAN"],
  ];
  await importItems(
    bindery,
    "grants",
    grants.map((title, n) => ({ id: `oa:test________::${String(n).padStart(32, "0")}`, title: { en: title } })),
  );
}, 300_000);
afterAll(() => bindery.dispose());

async function search(q: string, path = "/api/search/"): Promise<SearchBody> {
  const { status, body, text } = await bindery.client.get<SearchBody>(
    `${path}?${new URLSearchParams({ q, size: "40" })}`,
  );
  expect(status, text.slice(0, 300)).toBe(200);
  return body;
}

/** Titles of the hits, in the order of `TITLES`. */
async function titlesFor(q: string): Promise<readonly string[]> {
  const found = new Set((await search(q)).hits.hits.map(({ id }) => id));
  return TITLES.filter((title) => found.has(ids.get(title)!));
}

const ADRENERGIC = ["β2-adrenergic receptor", "beta2-adrenergic agonist"];
const NF = ["NF-κB first", "NF-kappaB second", "NFkappaB third"];
const DELTA_G = ["ΔG of unfolding", "deltaG of binding", "delta G of folding", "∆G of transfer"];
const TGF = ["TGF-β1 one", "TGFbeta1 two"];
const TNF = ["TNFα one", "TNFalpha two"];

describe("one spelling finds the others", () => {
  it.each([
    ...[
      "β2-adrenergic",
      "beta2-adrenergic",
      "beta-2-adrenergic",
      "beta2 adrenergic",
      "β2 adrenergic",
      '"β2-adrenergic"',
    ].map((q) => [q, ADRENERGIC] as const),
    ...["title:beta2-adrenergic", "beta2-adren*", "BETA2-ADRENERGIC", "ß2-adrenergic".replace("ß", "β")].map(
      (q) => [q, ADRENERGIC] as const,
    ),
    ...[
      "NF-κB",
      "NF-kappaB",
      "nf-kappab",
      "NFκB",
      "NFkappaB",
      "NF kappa B",
      "NF-kappa-B",
      '"NF κB"',
      "title:NF-κB",
    ].map((q) => [q, NF] as const),
    ...["ΔG", "∆G", "deltaG", "delta G", "delta-G", "deltag", '"delta G"', "title:(delta G)"].map(
      (q) => [q, DELTA_G] as const,
    ),
    ...["ΔΔG", "∆∆G", "deltadeltaG", '"delta delta G"', "ΔΔG mutant"].map((q) => [q, ["ΔΔG of a mutant"]] as const),
    ...["TGF-β1", "TGFβ1", "TGF-beta1", "TGFbeta1", "TGF beta 1", "tgfbeta1"].map((q) => [q, TGF] as const),
    ...["TNFα", "TNF-α", "TNFalpha", "TNF alpha", "tnfalpha"].map((q) => [q, TNF] as const),
    ...["αβ-tubulin", "alphabeta tubulin", "alpha-beta-tubulin"].map((q) => [q, ["αβ-tubulin dimer"]] as const),
    ...[
      "immunoglobulin",
      "immuno\u00adglobulin",
      "immu\u200bno\u2060globulin",
      '"immunoglobulin pasted"',
      "immunoglob*",
    ].map((q) => [q, [TITLES[0]!]] as const),
    ...[
      "immunoglobulinn~1",
      "immunoglo?ulin",
      "\u200etitle\u200b:immunoglobulin",
      "pdf \ufeffAND\u200d immunoglobulin",
    ].map((q) => [q, [TITLES[0]!]] as const),
    ...["zerowidth", "righttoleft", "inside"].map((q) => [q, [TITLES[1]!]] as const),
  ])("%s", async (q, titles) => {
    expect(await titlesFor(q)).toEqual(titles);
  });

  it.each(["TGFbeta1", "tgf-β1", "immunotherapy", "immuno\u200btherapy"])("in vocabularies: %s", async (typed) => {
    const found = await search(typed, "/api/vocabularies/grants");
    expect(found.hits.total).toBe(1);
    const { body } = await bindery.client.get<SearchBody>(
      `/api/vocabularies/grants?${new URLSearchParams({ suggest: typed })}`,
    );
    expect(body.hits.hits.map(({ id }) => id)).toEqual(found.hits.hits.map(({ id }) => id));
  });
});

it("does not take words for Greek letters that they only contain", async () => {
  expect(await titlesFor("alpha")).toEqual(["TNFα one"]);
  expect(await titlesFor("delta")).toEqual(DELTA_G.filter((title) => title !== "deltaG of binding"));
});

describe("a pasted title", () => {
  it.each(TITLES)("%s leads to its record", async (title) => {
    const { hits, query } = await search(title);
    if (hits.hits[0]?.id === ids.get(title)) return;
    const first = await Promise.all((query.suggestions ?? []).map(async (q) => (await search(q)).hits.hits[0]?.id));
    expect(first).toContain(ids.get(title));
  });

  it.each([
    ["Does drug X bind target Y?", undefined],
    ["STRUCTURE AND FUNCTION OF OPSINS", undefined],
    ["KD: a primer", ['"KD: a primer"']],
    ["A method -a new approach", ['"A method -a new approach"']],
    ["receptor -agonist", undefined],
    ["title:tubulin ph:7", undefined],
  ])("%s has the suggestions %j", async (q, suggestions) => {
    expect((await search(q)).query.suggestions).toEqual(suggestions);
  });

  it.each([
    "Why? A study of questions",
    "Host: a model -an outlook",
    "Control of NOT gates",
    "MODEL ORGANISMS AND MAN",
  ])("leads to the grant that has it: %s", async (title) => {
    const { hits, query } = await search(title, "/api/vocabularies/grants");
    const [q = title] = query.suggestions ?? [];
    const first = hits.hits[0] ?? (await search(q, "/api/vocabularies/grants")).hits.hits[0];
    expect(first).toMatchObject({ title: { en: title } });
  });

  it("is found within the filters of the request only", async () => {
    const { body } = await bindery.client.get<SearchBody>(
      `/api/search/?${new URLSearchParams({ q: "KD: a primer", instrument: "ins:54" })}`,
    );
    expect(body.query).not.toHaveProperty("suggestions");
  });
});

it.each([
  ["words", "word ".repeat(300), "put it in quotes"],
  ["characters", "word ".repeat(900), "send a part of it in quotes"],
])("says of a text with too many %s how to search for it", async (_, q, way) => {
  const { status, text } = await bindery.client.get(`/api/search/?${new URLSearchParams({ q })}`);
  expect([status, text]).toEqual([400, expect.stringContaining(way)]);
});
