import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, PUBLIC_URL, startInProcess } from "../../test/support/in-process-server.js";
import { makeRecord } from "../../test/support/records.js";

let server: InProcessServer;
let alice: Record<string, string>;
/** Published ones, oldest first. */
const ids: string[] = [];

const send = (url: string, headers: object = {}) => server.app.inject({ url, headers: { ...headers } });
const post = async (url: string, payload?: object) => {
  const answer = await server.app.inject({
    method: "POST",
    url,
    headers: alice,
    ...(payload === undefined ? {} : { payload }),
  });
  expect(answer.statusCode, answer.body.slice(0, 300)).toBeLessThan(300);
  return answer.json();
};
const publish = async (n: number, title: string): Promise<string> => {
  const { id } = await post("/api/records/mst", makeRecord(n, { title }));
  await post(`/api/records/mst/${id}/draft/actions/publish`);
  return id;
};
const linesOf = (text: string) =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  server = await startInProcess();
  alice = { authorization: `Bearer ${await server.token("alice")}` };
  for (let n = 0; n < 120; n++) ids.push(await publish(n, `${n % 3 === 0 ? "Lysozyme" : "Albumin"} ${n}`));
}, 60_000);
afterAll(() => server.close());

describe("the whole result of a search", () => {
  it("is every hit as it is by itself, in the order asked for, one per line", async () => {
    const newest = await send("/api/records/mst?format=ndjson&size=5&page=3");
    expect(newest.headers).toMatchObject({
      "content-type": "application/x-ndjson; charset=utf-8",
      "content-disposition": 'attachment; filename="mst.ndjson"',
    });
    expect(linesOf(newest.body).map(({ id }) => id)).toEqual([...ids].reverse());
    const [hit] = linesOf(newest.body);
    expect(hit).toEqual((await send(`/api/records/mst/${hit.id}`)).json());
    const oldest = await send("/api/search?sort=oldest", { accept: "application/x-ndjson" });
    expect(linesOf(oldest.body).map(({ id }) => id)).toEqual(ids);
    expect(oldest.headers["content-disposition"]).toContain('"records.ndjson"');
  });

  it("is that of the query, its filters and its scope", async () => {
    const found = linesOf((await send("/api/search?q=lysozyme&format=ndjson")).body).map(({ id }) => id);
    const { hits } = (await send("/api/search?q=lysozyme&size=1000")).json();
    expect(found).toEqual(hits.hits.map((hit: { id: string }) => hit.id));
    expect(found).toHaveLength(40);
    const { id: draft } = await post("/api/records/mst", makeRecord(1, { title: "A draft" }));
    const own = await send("/api/user/search?q=draft&format=ndjson", alice);
    expect(own.headers["cache-control"]).toBe("private, no-store");
    expect(linesOf(own.body)).toMatchObject([{ id: draft, state: "draft" }]);
    expect((await send("/api/user/search?format=ndjson")).statusCode).toBe(401);
    expect((await send("/api/search?q=draft&format=ndjson")).body).toBe("");
  });

  it("is its own where several are read at once", async () => {
    const queries = ["q=lysozyme", "q=albumin"].map((query) => `/api/search?${query}&format=ndjson`);
    const alone = [(await send(queries[0]!)).body, (await send(queries[1]!)).body];
    expect((await Promise.all(queries.map((query) => send(query)))).map(({ body }) => body)).toEqual(alone);
  });

  it("goes on from a cursor", async () => {
    const { links } = (await send("/api/search?cursor=*&size=50")).json();
    const rest = await send(`${links.next.slice(PUBLIC_URL.length)}&format=ndjson`);
    expect(linesOf(rest.body).map(({ id }) => id)).toEqual([...ids].reverse().slice(50));
  });

  it.each([
    ["bibtex", "application/x-bibtex", "bib", /^@misc\{/gm],
    ["ris", "application/x-research-info-systems", "ris", /^TY {2}- DATA/gm],
    ["citation", "text/x-bibliography", "txt", /\.$|http.*$/gm],
  ])("is one document of %s", async (format, type, extension, entry) => {
    const answer = await send(`/api/records/mst?q=lysozyme&format=${format}`);
    expect(answer.headers["content-disposition"]).toBe(`attachment; filename="mst.${extension}"`);
    expect(answer.headers["content-type"]).toBe(`${type}; charset=utf-8`);
    expect(answer.body.match(entry)).toHaveLength(40);
    expect((await send("/api/records/mst?q=lysozyme", { accept: type })).body).toBe(answer.body);
  });

  it("is one list of CSL, of DataCite JSON and of JSON-LD, of any length", async () => {
    for (const format of ["csl", "datacite-json", "jsonld"]) {
      expect(JSON.parse((await send(`/api/search?q=lysozyme&format=${format}`)).body)).toHaveLength(40);
      expect(JSON.parse((await send(`/api/search?q=id:${ids[3]}&format=${format}`)).body)).toHaveLength(1);
      expect(JSON.parse((await send(`/api/search?q=nothingatall&format=${format}`)).body)).toEqual([]);
    }
  });

  it("has citations in any style", async () => {
    const apa = await send(`/api/search?q=id:${ids[0]}&format=citation&style=apa`);
    expect(apa.body).toBe((await send(`/api/records/${ids[0]}?format=citation&style=apa`)).body);
    const styled = await send(`/api/search?q=id:${ids[0]}`, { accept: "text/x-bibliography; style=apa" });
    expect(styled.body).toBe(apa.body);
    expect((await send("/api/search?style=apa")).json().errors[0].field).toBe("style");
  });

  it("says what is wrong before anything is sent", async () => {
    expect((await send("/api/search?format=docx")).json()).toMatchObject({ status: 400, code: "PARAMETER_INVALID" });
    expect((await send("/api/search?format=linkset")).statusCode).toBe(400);
    expect((await send("/api/search?format=ndjson&sort=title")).json().errors[0].field).toBe("sort");
    expect((await send("/api/search?format=ndjson&cursor=x")).json()).toMatchObject({ code: "CURSOR_INVALID" });
    expect((await send("/api/search", { accept: "image/png" })).statusCode).toBe(406);
    expect((await send("/api/records/nmr?format=ndjson")).statusCode).toBe(404);
  });

  it("is a page of JSON for whoever asks for nothing else", async () => {
    for (const accept of [undefined, "*/*", "application/json", "application/vnd.inveniordm.v1+json"]) {
      const answer = await send("/api/search", accept === undefined ? {} : { accept });
      expect(answer.json().hits.total).toBe(120);
      expect(answer.headers.vary).toContain("accept");
    }
    expect((await send("/api/search?format=json", { accept: "application/x-ndjson" })).json().page).toBe(1);
  });

  it("is read by nobody's HEAD", async () => {
    const answer = await server.app.inject({ method: "HEAD", url: "/api/search?format=ndjson" });
    expect([answer.statusCode, answer.body]).toEqual([200, ""]);
    expect(answer.headers["content-type"]).toContain("ndjson");
  });
});

it("is that of the items of a vocabulary, too", async () => {
  const all = linesOf((await send("/api/vocabularies/languages?format=ndjson")).body);
  const { hits } = (await send("/api/vocabularies/languages?size=1000&facets=none")).json();
  expect(all).toEqual(hits.hits);
  const some = await send("/api/vocabularies/languages?ids=en&ids=de", { accept: "application/x-ndjson" });
  expect(linesOf(some.body).map(({ id }) => id)).toEqual(["en", "de"]);
  expect(some.headers["content-disposition"]).toContain('"languages.ndjson"');
  expect((await send("/api/vocabularies/languages?format=bibtex")).statusCode).toBe(400);
});

it("shows one state, whatever is written meanwhile", async () => {
  const { openRecordResult } = server.services as unknown as import("../services/api/searches.js").StreamServices;
  const request = { window: { size: 1 }, filters: {}, facetSize: 0, lang: "en", own: false } as const;
  const opened = await openRecordResult({ kind: "anonymous" }, request);
  const first = await opened.next();
  const late = await publish(900, "Too late to be seen");
  const gone = await publish(901, "Seen by nobody");
  const changed = ids[0]!;
  await post(`/api/records/mst/${changed}/draft`);
  await post(`/api/records/mst/${changed}/draft/actions/publish`);
  await server.app.inject({ method: "DELETE", url: `/api/records/mst/${ids[1]}`, headers: alice });
  const rest: { id: string; revision: number }[] = [];
  for (let hits = await opened.next(); hits.length > 0; hits = await opened.next()) rest.push(...hits);
  opened.close();
  const seen = [...first, ...rest];
  expect(seen.map(({ id }) => id)).toEqual([...ids].reverse());
  expect(seen.find(({ id }) => id === changed)?.revision).toBe(2);
  expect((await send(`/api/records/${changed}`)).json().revision_id).toBeGreaterThan(2);
  for (const id of [late, gone])
    await server.app.inject({ method: "DELETE", url: `/api/records/${id}`, headers: alice });
});
