/** A draft that the caller may not read is answered exactly as an id that no record has, at every address. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeRecordId } from "../../src/core/record.js";
import type { Answer, Client, RecordShape, RequestOptions } from "../support/http-client.js";
import { startInProcess } from "../support/in-process-server.js";
import { seeded } from "../support/random.js";
import { makeRecord } from "../support/records.js";
import { SEED } from "../support/seed.js";
import { type Service, startService } from "../support/service.js";

const CREATE = "/api/records/mst";

interface Route {
  readonly method: string;
  readonly path: string;
}

let bindery: Service;
let routes: readonly Route[];
let callers: Readonly<Record<string, Client>>;
/** Ids of drafts that none of the callers may read. */
let foreign: Readonly<Record<string, string>>;
/** An id that was assigned to a draft, which is deleted. */
let deleted: string;

beforeAll(async () => {
  bindery = await startService();
  const owner = await bindery.user("owner");
  const deposit = async (n: number): Promise<RecordShape> =>
    (await owner.client.post<RecordShape>(CREATE, makeRecord(n))).body;
  const draft = await deposit(1);
  const other = await deposit(2);
  const removed = await deposit(3);
  deleted = removed.id;
  await owner.client.delete(`${CREATE}/${deleted}/draft`);
  foreign = { draft: draft.id, parent: draft.parent.id, deleted };
  const [reader, stranger, weak, readonly, disabled] = await Promise.all([
    bindery.user("reader"),
    bindery.user("stranger"),
    bindery.user("weak", { scopes: ["vocabularies:write"] }),
    bindery.user("readonly", { scopes: ["records:read"] }),
    bindery.user("disabled"),
  ]);
  await owner.client.post(`${CREATE}/${other.id}/draft/access/grants`, { user: "reader", permission: "read" });
  await bindery.cli("user", "disable", "disabled");
  const clients = { reader, stranger, weak, readonly, disabled };
  callers = {
    anonymous: bindery.client,
    ...Object.fromEntries(Object.entries(clients).map(([name, { client }]) => [name, client])),
  };
  routes = await listRoutes();
});
afterAll(() => bindery.dispose());

/** Returns each method of each path that names a record, of the API and of the pages. */
async function listRoutes(): Promise<readonly Route[]> {
  const server = await startInProcess();
  const lines = server.app.printRoutes({ commonPrefix: false }).split("\n");
  await server.close();
  const above: string[] = [];
  return lines.flatMap((line) => {
    const [, indent = "", path, methods = ""] = /^([ │]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    if (path === undefined) return [];
    const depth = indent.length / 4;
    above.splice(depth);
    above[depth] = path;
    const paths = pathsOf(above.join(""));
    return paths.flatMap((each) =>
      [...methods.split(", "), "OPTIONS", "PATCH"].map((method) => ({ method, path: each })),
    );
  });
}

/** Completes the path of a line; `{id}` stands for the id of a record. A line may have two names for one parameter. */
function pathsOf(line: string): readonly string[] {
  const withoutRoot = line.replace(/^\/\/?/, "/");
  const path = withoutRoot
    .replace(/:id\|:model/g, ":id")
    .replace(/:id(\([^/]*\))?/g, "{id}")
    .replace("{id}/{id}", "mst/{id}")
    .replace(":model", "mst")
    .replace(":user", "stranger");
  const isOfRecords = /^\/(api\/)?records?\/|^\/(mst|bli|spr|itc)\//.test(path) && path.includes("{id}");
  if (!isOfRecords) return [];
  return ["bibtex", "json", "nonsense"]
    .map((format) => path.replace(":format", format))
    .filter((each, i, all) => all.indexOf(each) === i);
}

const JSON_TYPE = { "content-type": "application/json" };

/** What a request may have beside its address. */
const VARIANTS: Readonly<Record<string, { readonly query?: string; readonly options?: () => RequestOptions }>> = {
  plain: {},
  "a format": { query: "?format=bibtex" },
  "an unknown format": { query: "?format=nonsense" },
  "a wrong parameter": { query: "?expand=perhaps&page=x&lang=%00" },
  "a stale If-Match": { options: () => ({ headers: { "if-match": '"7"' } }) },
  "a current If-Match": { options: () => ({ headers: { "if-match": '"1"' } }) },
  "a broken If-Match": { options: () => ({ headers: { "if-match": "7" } }) },
  "If-None-Match": { options: () => ({ headers: { "if-none-match": '"1"' } }) },
  "another type": { options: () => ({ headers: { accept: "application/x-bibtex" } }) },
  "a type that nothing has": { options: () => ({ headers: { accept: "image/png" } }) },
  "a page": { options: () => ({ headers: { accept: "text/html" } }) },
  "a broken body": { options: () => ({ text: '{"metadata":', headers: JSON_TYPE }) },
  "a body of the wrong type": { options: () => ({ text: "a,b", headers: { "content-type": "text/csv" } }) },
  "a body": { options: () => ({ text: JSON.stringify(makeRecord(1)), headers: JSON_TYPE }) },
  "an Idempotency-Key": {
    options: () => ({ text: "{}", headers: { ...JSON_TYPE, "idempotency-key": randomBytes(8).toString("hex") } }),
  },
  "a broken Idempotency-Key": { options: () => ({ headers: { "idempotency-key": " " } }) },
};

/** What a caller sees of an answer, but for the id that was sent and what differs between any two answers. */
function seen({ status, headers, text }: Answer<unknown>, id: string): unknown {
  const { date: _, "x-request-id": request, ...rest } = headers;
  const plain = (value: string): string =>
    value.replaceAll(id, "{id}").replaceAll(id.toUpperCase(), "{ID}").replaceAll(String(request), "{request}");
  const plainHeaders = Object.entries(rest).map(([name, value]) => [name, plain(String(value))]);
  return { status, headers: Object.fromEntries(plainHeaders), text: plain(text) };
}

/** Methods and callers that are combined with all variants; others only with the plain request. */
const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "DELETE"]);
const ASKING_ALL: ReadonlySet<string> = new Set(["anonymous", "stranger", "weak"]);

/**
 * Each variant is combined with one in so many of the methods, paths and callers, each day with others; in the long
 * tests with all of them.
 */
const ONE_IN = process.env.TEST_LONG === "1" ? 1 : 4;
const { next: random } = seeded(SEED);

const unused = (): string => makeRecordId(randomBytes(5));

describe("somebody else's draft", () => {
  it("has routes to be asked for at", () => {
    const names = new Set(routes.map(({ method, path }) => `${method} ${path}`));
    expect([...names]).toEqual(
      expect.arrayContaining([
        "GET /api/records/mst/{id}/draft",
        "PUT /api/records/{id}/draft",
        "DELETE /api/records/{id}/draft/access/grants/stranger",
        "POST /api/records/mst/{id}/draft/actions/publish",
        "HEAD /records/{id}/export/bibtex",
        "GET /records/mst/{id}/versions",
        "GET /mst/{id}",
      ]),
    );
    expect(names.size).toBeGreaterThan(100);
  });

  it.each(Object.keys(VARIANTS))("is answered as an id that nothing has, with %s", async (name) => {
    const { query = "", options = () => ({}) } = VARIANTS[name]!;
    const differences: unknown[] = [];
    const isPlain = name === "plain";
    const asked = isPlain ? routes : routes.filter(({ method }) => METHODS.has(method));
    const asking = Object.entries(callers).filter(([caller]) => isPlain || ASKING_ALL.has(caller));
    for (const { method, path } of asked) {
      for (const [caller, client] of asking) {
        if (!isPlain && random() * ONE_IN >= 1) continue;
        const ask = async (id: string): Promise<unknown> =>
          seen(await client.send(method, path.replace("{id}", id) + query, options()), id);
        const nothing = JSON.stringify(await ask(unused()));
        for (const [kind, id] of Object.entries(isPlain ? foreign : { draft: foreign.draft! })) {
          const there = JSON.stringify(await ask(id));
          if (there !== nothing) differences.push({ caller, method, path, kind, there, nothing });
        }
      }
    }
    expect(differences).toEqual([]);
  });

  it("of a published or retracted record is answered as if the record had no draft", async () => {
    const owner = await bindery.user("owner");
    const publish = async (n: number): Promise<string> => {
      const { body } = await owner.client.post<RecordShape>(CREATE, makeRecord(n));
      await owner.client.post(`${CREATE}/${body.id}/draft/actions/publish`);
      return body.id;
    };
    const [bare, edited, buried, buriedEdited] = [
      await publish(4),
      await publish(5),
      await publish(6),
      await publish(7),
    ];
    for (const id of [edited, buriedEdited]) await owner.client.post(`${CREATE}/${id}/draft`);
    for (const id of [buried, buriedEdited]) await owner.client.delete(`${CREATE}/${id}`);
    const asked = routes.filter(({ path }) => path.includes("/draft"));
    for (const { method, path } of asked) {
      for (const [caller, client] of Object.entries(callers)) {
        const ask = async (id: string) => seen(await client.send(method, path.replace("{id}", id)), id);
        const place = `${caller} ${method} ${path}`;
        expect(await ask(edited), place).toEqual(await ask(bare));
        // This one is about the record, and shows the tombstone, which says when it was made.
        if (!(method === "POST" && path.endsWith("/draft"))) {
          expect(await ask(buriedEdited), place).toEqual(await ask(buried));
        }
      }
    }
  });
});
