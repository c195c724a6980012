import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEMO_QUERIES } from "../../src/cli/demo.js";
import { ROOT } from "../support/bindery.js";
import { startDemo } from "../support/demo-server.js";
import type { SearchBody } from "../support/http-client.js";
import type { InProcessServer } from "../support/in-process-server.js";

/** `# 39: what it shows`, and below it the request. */
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const examples = [...README.matchAll(/^# (\d+): .*\ncurl -G "\$BASE\/api\/search\/" (.*)$/gm)].map((match) => ({
  hits: Number(match[1]),
  parameters: [...match[2]!.matchAll(/--data-urlencode '([^']+)'/g)].map(([, parameter]) => parameter!),
}));

let server: InProcessServer;
beforeAll(async () => {
  server = await startDemo();
}, 180_000);
afterAll(() => server.close());

async function search(parameters: readonly string[]): Promise<SearchBody> {
  const pairs = parameters.map((parameter) => parameter.split(/=(.*)/s).slice(0, 2) as [string, string]);
  return (await server.app.inject(`/api/search/?${new URLSearchParams(pairs)}`)).json<SearchBody>();
}

it("shows the queries that `bindery demo` prints", () => {
  expect(examples.map(({ parameters }) => parameters)).toEqual(DEMO_QUERIES);
});

it.each(examples)("finds $hits by $parameters", async ({ hits, parameters }) => {
  const answer = await search(parameters);
  expect(answer.hits.total).toBe(hits);
  expect(answer.query.fallback).toBe(false);
  expect(answer.warnings).toBeUndefined();
});

it("has a histogram beside the hits, of which the filter is one bar", async () => {
  const { aggregations, hits } = await search(examples.find(({ parameters }) => parameters.length > 1)!.parameters);
  const bars = aggregations!.kd!.buckets;
  expect(bars.length).toBeGreaterThan(3);
  expect(bars.filter((bar) => bar.is_selected).map((bar) => bar.doc_count)).toEqual([hits.total]);
});

it("suggests what a misspelt word of the README means", async () => {
  const { hits, query } = await search(["q=stauresporine"]);
  expect(hits.total).toBe(0);
  expect(query.suggestions).toEqual(["staurosporine"]);
});
