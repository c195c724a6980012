import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ISSUE_CODES } from "../../src/core/issue.js";
import { startDemo } from "../support/demo-server.js";
import type { SearchBody } from "../support/http-client.js";
import type { InProcessServer } from "../support/in-process-server.js";
import { codeIn, type Row, readTables } from "./markdown-tables.js";

const tables = ["docs/search-syntax.md", "docs/search-card.md"].flatMap((page) => readTables(page));

/** Rows of the tables with these columns, each with the first cell for a name. */
function rowsOf(...columns: readonly string[]): [name: string, row: Row][] {
  const fitting = tables.filter((table) => table.columns.join() === columns.join());
  return fitting.flatMap(({ rows }) => rows.map((row): [string, Row] => [Object.values(row).join(" | "), row]));
}

interface RecordHit {
  readonly id: string;
  readonly highlight?: Readonly<Record<string, readonly string[]>>;
  readonly metadata: { readonly general_parameters: { readonly record_information: { readonly title: string } } };
}

interface ItemHit {
  readonly title: { readonly en: string };
}

let server: InProcessServer;
beforeAll(async () => {
  server = await startDemo();
}, 180_000);
afterAll(() => server.close());

async function get<Hit = RecordHit>(url: string): Promise<SearchBody<Hit>> {
  const answer = await server.app.inject(url);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<SearchBody<Hit>>();
}

const search = (q: string): Promise<SearchBody<RecordHit>> =>
  get(`/api/search/?size=1000&facets=none&q=${encodeURIComponent(q)}`);

const idsOf = ({ hits }: SearchBody<RecordHit>): string[] => hits.hits.map(({ id }) => id).sort();

/** An answer that nothing need be said about; one without hits may hint at others. */
function expectAsWritten({ hits, query, warnings }: SearchBody<RecordHit>): void {
  expect(query.fallback).toBe(false);
  if (hits.total > 0) expect(warnings ?? []).toEqual([]);
}

describe.each([
  ["what is written", rowsOf("Written", "Finds", "Hits")],
  ["what the card says", rowsOf("You type", "You get", "Hits")],
])("%s", (_, rows) => {
  it.each(rows)("finds that many: %s", async (_name, row) => {
    const written = codeIn(row.Written ?? row["You type"]);
    const answers = await Promise.all(written.map(search));
    for (const answer of answers) {
      expectAsWritten(answer);
      expect(answer.hits.total).toBe(Number(row.Hits));
      expect(idsOf(answer)).toEqual(idsOf(answers[0]!));
    }
    expect(answers).not.toEqual([]);
  });
});

it.each(rowsOf("Request", "Finds", "Hits"))("answers the request: %s", async (_, row) => {
  const [url = ""] = codeIn(row.Request);
  const answer = await get(url);
  expectAsWritten(answer);
  expect(answer.hits.total).toBe(Number(row.Hits));
});

it.each(rowsOf("Written", "Read as", "Hits"))("reads what is not valid: %s", async (_, row) => {
  const { hits, query, warnings } = await search(codeIn(row.Written)[0]!);
  expect(query.parsed).toBe(codeIn(row["Read as"])[0] ?? "");
  expect(query.fallback).toBe(true);
  expect(warnings ?? []).not.toEqual([]);
  expect(hits.total).toBe(Number(row.Hits));
});

it.each(rowsOf("Request", "Facet", "Bucket", "Count"))("counts in the request: %s", async (_, row) => {
  const { aggregations } = await get(codeIn(row.Request)[0]!);
  const bucket = aggregations?.[row.Facet!]?.buckets.find(({ label }) => label === row.Bucket);
  expect(bucket?.doc_count).toBe(Number(row.Count));
});

it.each(rowsOf("Written", "Suggests"))("suggests: %s", async (_, row) => {
  const { hits, query } = await search(codeIn(row.Written)[0]!);
  expect(hits.total).toBe(0);
  expect(query.suggestions?.[0]).toBe(codeIn(row.Suggests)[0]);
});

it.each(rowsOf("Written", "Highlighted"))("highlights: %s", async (_, row) => {
  const url = `/api/search/?size=1000&highlight=true&q=${encodeURIComponent(codeIn(row.Written)[0]!)}`;
  const { hits } = await get(url);
  const fragments = hits.hits.flatMap(({ highlight = {} }) => Object.values(highlight).flat());
  expect(fragments).toContain(codeIn(row.Highlighted)[0]);
});

it.each(rowsOf("Written", "Comes first"))("ranks: %s", async (_, row) => {
  const { hits } = await search(codeIn(row.Written)[0]!);
  expect(hits.hits[0]?.metadata.general_parameters.record_information.title).toBe(row["Comes first"]);
});

it.each(rowsOf("Vocabulary", "Written", "Comes first"))("finds in the vocabulary: %s", async (_, row) => {
  const [name, ...text] = codeIn(row.Written)[0]!.split("=");
  const url = `/api/vocabularies/${row.Vocabulary}?${name}=${encodeURIComponent(text.join("="))}`;
  const { hits, query } = await get<ItemHit>(url);
  expect(query.fallback).toBe(false);
  expect(hits.hits[0]?.title.en).toBe(row["Comes first"]);
});

const warnings = rowsOf("Warning", "Given if", "As in");

it.each(warnings.filter(([, row]) => row["As in"] !== ""))("warns: %s", async (_, row) => {
  const answer = await search(codeIn(row["As in"])[0]!);
  expect(answer.warnings?.map(({ code }) => code)).toContain(codeIn(row.Warning)[0]);
});

it("lists every warning about a query that the code knows", () => {
  const known = Object.keys(ISSUE_CODES).filter((code) => code.startsWith("QUERY_"));
  expect(warnings.flatMap(([, row]) => codeIn(row.Warning)).sort()).toEqual(known.sort());
});

it("has no table whose examples are not run", () => {
  const run = ["Written,Finds,Hits", "You type,You get,Hits", "Request,Finds,Hits", "Written,Read as,Hits"];
  const more = ["Request,Facet,Bucket,Count", "Written,Suggests", "Written,Highlighted"];
  const others = ["Written,Comes first", "Vocabulary,Written,Comes first", "Warning,Given if,As in"];
  const columns = new Set(tables.map((table) => table.columns.join()));
  expect([...columns].sort()).toEqual([...run, ...more, ...others].sort());
});
