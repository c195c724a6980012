/**
 * Texts that are pasted as queries, as they stand in a record: titles, names, grants and abstracts. Each finds its
 * own record, a title first, or the answer suggests a query that finds it. With TEST_LONG=1: real texts, if there are
 * some.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Actor, ANONYMOUS } from "../../src/core/actor.js";
import type { JsonObject } from "../../src/core/json.js";
import type { SearchRequest } from "../../src/services/api/searches.js";
import { type OpenServices, openServices, refusalOf } from "../support/open-services.js";
import { grantTitles, realWorks, type Work } from "../support/real-texts.js";
import { sharedData } from "../support/shared-data.js";
import { smallRecord } from "../support/small-record.js";

const DATA = process.env.TEST_LONG === "1" ? sharedData() : undefined;
const SEED = Number(process.env.TEST_SEED);
const TEXTS = DATA === undefined ? 600 : 20_000;

let bindery: OpenServices;
let works: readonly Work[];
/** Ids of the records, one for each work. */
const ids: string[] = [];

beforeAll(async () => {
  bindery = await openServices();
  const actor = await bindery.actor("alice", "records:read", "records:write");
  works = DATA === undefined ? generatedWorks() : realWorks(DATA);
  for (const work of works) ids.push(await publish(actor, work));
}, 600_000);
afterAll(() => bindery.dispose());

async function publish(actor: Actor, work: Work): Promise<string> {
  const { record } = await bindery.createDraft(actor, "mst", JSON.stringify(recordOf(work)));
  await bindery.publishDraft(actor, { model: "mst", id: record.id });
  return record.id;
}

function recordOf({ title, abstract, author }: Work): { readonly metadata: JsonObject } {
  const { metadata } = smallRecord({ model: "mst", title, rights: "open", isValid: true });
  const general = metadata.general_parameters as JsonObject & { entities_of_interest: JsonObject[] };
  const [entity] = general.entities_of_interest;
  const entities_of_interest = [{ ...entity, additional_specifications: [abstract] }];
  const person = { given_name: author.given, family_name: author.family };
  const depositors = { depositor: person, principal_contact: { given_name: "Ada", family_name: "Lovelace" } };
  return { metadata: { ...metadata, general_parameters: { ...general, entities_of_interest, depositors } } };
}

/** Pieces of titles that the query language reads as syntax, among words. */
const PIECES = [
  ...["lysozyme", "Binding", "of", "a", "new", "β2-adrenergic", "NF-κB", "IL-6", "Fe(III)", "Immuno\u00adglobulin"],
  ...["life?", "Method:", "KD:", "title:", "Note:", "-a", "- a", "+b", "!c", "NOT", "AND", "OR", "&", "&&", "||", "%"],
  ...["(open", "close)", "[open", "close]", "{x}", '"quoted"', '5"', "x^2", "C*-algebras", "*", "~", "a~b", "p<0.05"],
  ...["KD < 10 nM", "pH 7.4", "pH:7.4", "taxid:562", "2020-2022", "10-100 nM", "\\", "a/b", "A.", "what?!", "why??"],
  ...["[1 TO 2]", "ph:[1 TO 2]", "organism:(a", "kd:<5", "_exists_:title", "model:x", "within:", "=", "“so”", "—"],
];

/** Titles of several pieces, each with a word that no other title has. */
function generatedWorks(): readonly Work[] {
  const pieces = fc.array(fc.constantFrom(...PIECES), { minLength: 2, maxLength: 7 });
  return fc.sample(pieces, { numRuns: 120, seed: SEED }).map((some, n) => ({
    title: some.toSpliced(n % (some.length + 1), 0, `word${n}x`).join(" "),
    abstract: `Does it bind? Method: ${some.toReversed().join(" ")}, number${n}x -a new NOT gate.`,
    author: { given: "Zoë", family: `Müller${n}x` },
  }));
}

/** What an answer shows of a search: ids of its hits, the texts that they have, and queries in its place. */
async function search(q: string) {
  const request: SearchRequest = { q, window: { size: 10 }, filters: {}, facetSize: 0, lang: "en" };
  const { hits, total, query } = await bindery.searchRecords(ANONYMOUS, { ...request, own: false });
  return { ids: hits.map(({ id }) => id), json: hits.map(({ json }) => json), total, ...query };
}

type Pasted = { readonly kind: "title" | "abstract" | "sentence" | "name"; readonly n: number; readonly text: string };

const SENTENCE = /[^.!?]+[.!?]*/gu;

function textsOf({ title, abstract, author }: Work, n: number): readonly Pasted[] {
  const sentences = [...abstract.matchAll(SENTENCE)]
    .map(([text]) => text.trim())
    .filter((text) => /\p{L}.*\s.*\p{L}/su.test(text));
  return [
    { kind: "title", n, text: title },
    { kind: "title", n, text: title.toUpperCase() },
    { kind: "abstract", n, text: abstract },
    { kind: "name", n, text: `${author.given} ${author.family}` },
    ...sentences.map((text): Pasted => ({ kind: "sentence", n, text })),
  ];
}

/** Syntax that makes a text an ordinary query if fewer than four words are outside of it. */
const QUERY_SYNTAX = /(?:\bNOT\b|\s[-+!](?=\p{L})|:(?=\s|$))\s*\S*/gu;
const PHRASES_AND_FIELDS = /"[^"]*"|\S*:\S*/gu;

/** Returns whether a text is an ordinary query such as `lysozyme NOT trypsin`, which means what it says. */
function isQuery(text: string): boolean {
  const words =
    text
      .replace(QUERY_SYNTAX, " ")
      .replace(PHRASES_AND_FIELDS, " ")
      .match(/\S*\p{L}\S*/gu) ?? [];
  return text.search(QUERY_SYNTAX) >= 0 && words.length < 4;
}

/** How the answer to a pasted text leads to its record; "silent" if it does not. */
async function leadOf({ kind, n, text }: Pasted): Promise<string> {
  const own = ids[n]!;
  const isOwn = (found: Awaited<ReturnType<typeof search>>): boolean => found.ids.includes(own) || found.total > 10;
  try {
    const found = await search(text);
    const isFirst = found.ids[0] === own || found.json[0]?.includes(JSON.stringify(works[n]!.title));
    if (kind === "title" ? isFirst : isOwn(found)) return "hit";
    for (const q of found.suggestions ?? []) if (isOwn(await search(q))) return "suggestion";
    return "silent";
  } catch {
    const { message, params } = await refusalOf(search(text));
    return /quotes/u.test(`${message} ${JSON.stringify(params)}`) ? "refused with a way" : "silent";
  }
}

it("lead to their records", { timeout: 3_000_000 }, async () => {
  const all = works.flatMap(textsOf).filter(({ text }) => !isQuery(text));
  const step = Math.max(1, all.length / TEXTS);
  const texts = Array.from({ length: Math.min(TEXTS, all.length) }, (_, i) => all[Math.floor(i * step)]!);
  const counts = new Map<string, number>();
  const silent: string[] = [];
  for (const pasted of texts) {
    const lead = await leadOf(pasted);
    counts.set(`${pasted.kind}: ${lead}`, (counts.get(`${pasted.kind}: ${lead}`) ?? 0) + 1);
    if (lead === "silent") silent.push(`${pasted.kind} ${pasted.text}`);
  }
  if (DATA !== undefined)
    process.stdout.write(`${texts.length} texts: ${JSON.stringify(Object.fromEntries(counts))}\n`);
  expect(silent.slice(0, 20)).toEqual([]);
});

it("lead to the grants that have them as titles", async () => {
  const silent: string[] = [];
  for (const title of grantTitles()) {
    const request = { vocabulary: "grants", q: title, window: { size: 10 }, filters: {}, facetSize: 0, lang: "en" };
    const { hits, query } = await bindery.searchTerms(ANONYMOUS, request);
    if (!hits[0]?.json.includes(JSON.stringify(title)) && query.suggestions === undefined) silent.push(title);
  }
  expect(silent).toEqual([]);
});
