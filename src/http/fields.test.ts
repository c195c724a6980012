import { afterAll, beforeAll, expect, it } from "vitest";
import { type InProcessServer, PUBLIC_URL, startInProcess } from "../../test/support/in-process-server.js";

let server: InProcessServer;
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server.close());

it.each(["/api/models/spr/fields", "/api/search/fields"])("lists what queries may name: %s", async (path) => {
  const answer = await server.app.inject(path);
  const { hits, links } = answer.json();
  expect([answer.statusCode, links.self]).toEqual([200, PUBLIC_URL + path]);
  expect(hits.total).toBe(hits.hits.length);
  expect(hits.hits.map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining(["id", "title", "kd", "organism"]),
  );
  for (const { example } of hits.hits) {
    const { warnings = [], query } = (
      await server.app.inject({ url: "/api/search", query: { q: example, size: "1" } })
    ).json();
    expect([example, warnings, query.fallback]).toEqual([example, [], false]);
  }
  const again = await server.app.inject({ url: path, headers: { "if-none-match": String(answer.headers.etag) } });
  expect(again.statusCode).toBe(304);
});

it("lists the units, each with what converts it", async () => {
  const { hits } = (await server.app.inject("/api/units")).json();
  expect(hits.hits).toContainEqual({
    id: "nM",
    dimension: "molarity",
    dimension_title: "Molarity",
    factor: 1e-9,
    offset: 0,
    synonyms: expect.arrayContaining(["nanomolar"]),
  });
  expect(hits.hits.find(({ id }: { id: string }) => id === "°C")).toMatchObject({ factor: 1, offset: 273.15 });
});

it("says which models there are", async () => {
  expect((await server.app.inject("/api/models/nmr/fields")).json()).toMatchObject({ code: "MODEL_NOT_FOUND" });
});
