import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Scope } from "../../src/core/actor.js";
import type { TestUser } from "../support/bindery.js";
import type { Problem, SearchBody } from "../support/http-client.js";
import { ON_POSTGRES, type Service, startService } from "../support/service.js";

const TOKENS = "/api/user/tokens";
const DAY_MS = 86_400_000;

interface Token {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly created: string;
  readonly expires?: string;
  readonly last_used?: string;
  readonly revoked?: string;
  readonly parent?: string;
  readonly token?: string;
}

let bindery: Service;
let ada: TestUser;
let ben: TestUser;

beforeAll(async () => {
  bindery = await startService();
  ada = await bindery.user("ada");
  ben = await bindery.user("ben", { scopes: ["records:read"], expires: "30d" });
});
afterAll(() => bindery.dispose());

const make = async (body: object, who = ada): Promise<Token> => {
  const answer = await who.client.post<Token>(TOKENS, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
};
const list = async (who = ada, query = ""): Promise<SearchBody<Token>> =>
  (await who.client.get<SearchBody<Token>>(`${TOKENS}${query}`)).body;

describe("making a token", () => {
  it("answers 201 with the token, which works at once", async () => {
    const { status, body, headers } = await ada.client.post<Token>(TOKENS, {
      name: "laptop",
      scopes: ["records:read"],
      expires: "7d",
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: "laptop", scopes: ["records:read"], token: expect.stringMatching(/^bnd_\w+$/) });
    expect(Date.parse(body.expires!) - Date.parse(body.created)).toBeCloseTo(7 * DAY_MS, -4);
    expect(headers["cache-control"]).toContain("no-store");
    expect((await bindery.client.as(body.token!).get("/api/user/search/")).status).toBe(200);
  });

  it("names it after the user and lets it last for ever, where nothing else is said", async () => {
    const made = await make({ scopes: ["records:write", "records:read"] });
    expect(made).toMatchObject({ name: "ada", scopes: ["records:read", "records:write"] });
    expect(made).not.toHaveProperty("expires");
  });

  it.each([
    [{}, "scopes", "REQUIRED"],
    [{ scopes: [] }, "scopes", "TOO_FEW_ITEMS"],
    [{ scopes: "records:read" }, "scopes", "WRONG_TYPE"],
    [{ scopes: ["records:read", "all"] }, "scopes.1", "NOT_ALLOWED"],
    [{ scopes: ["records:read"], name: " x" }, "name", "INVALID"],
    [{ scopes: ["records:read"], name: 1 }, "name", "WRONG_TYPE"],
    [{ scopes: ["records:read"], expires: 90 }, "expires", "WRONG_TYPE"],
    [{ scopes: ["records:read"], expires: "soon" }, "expires", "PARAMETER_INVALID"],
    [{ scopes: ["records:read"], expires: "2001-01-01" }, "expires", "PARAMETER_INVALID"],
    [{ scopes: ["records:read"], expire: "90d" }, "expire", "UNKNOWN_MEMBER"],
  ])("refuses %j, naming the field", async (sent, field, code) => {
    const { status, body } = await ada.client.post<Problem>(TOKENS, sent);
    expect([status, body.code]).toEqual([400, "BODY_INVALID"]);
    expect(body.errors).toMatchObject([{ field, code }]);
  });
});

describe("what a token gives away", () => {
  it.each<[Scope[], Scope[], number]>([
    [["records:write"], ["records:read"], 201],
    [["records:read"], ["records:write"], 403],
    [["records:write"], ["admin"], 403],
    [["records:write"], ["vocabularies:write"], 403],
    [["vocabularies:write"], ["records:read"], 403],
    [["admin"], ["admin", "vocabularies:write", "records:write"], 201],
  ])("by a token with %j, one with %j: %i", async (own, asked, status) => {
    const user = await bindery.user("cleo", { scopes: own });
    const answer = await user.client.post<Problem>(TOKENS, { scopes: asked });
    expect(answer.status, answer.text).toBe(status);
    if (status === 403) {
      expect(answer.body.code).toBe("TOKEN_EXCEEDED");
      expect(answer.body.errors).toMatchObject([{ field: "scopes", allowed: expect.arrayContaining([own[0]]) }]);
    }
  });

  it("ends no later than itself, and just then where nothing is said", async () => {
    const own = (await list(ben)).hits.hits[0]!;
    const inherited = await make({ scopes: ["records:read"] }, ben);
    expect(inherited.expires).toBe(own.expires);
    const later = await ben.client.post<Problem>(TOKENS, { scopes: ["records:read"], expires: "31d" });
    expect([later.status, later.body.code]).toEqual([403, "TOKEN_EXCEEDED"]);
    expect(later.body.errors).toMatchObject([{ field: "expires" }]);
    expect(later.body.errors![0]!.messages[0]).toContain(own.expires);
    const earlier = await make({ scopes: ["records:read"], expires: "29d" }, ben);
    expect(Date.parse(earlier.expires!)).toBeLessThan(Date.parse(own.expires!));
  });

  it("is said all at once", async () => {
    const { body } = await ben.client.post<Problem>(TOKENS, { scopes: ["admin"], expires: "1y" });
    expect(body.errors!.map(({ field }) => field)).toEqual(["scopes", "expires"]);
  });
});

describe("listing tokens", () => {
  it("shows the caller's own, newest first, never the secret", async () => {
    const made = await make({ name: "newest", scopes: ["records:read"] });
    const { hits, page } = await list();
    expect(page).toBe(1);
    const { token, ...rest } = made;
    expect(hits.hits[0]).toEqual(rest);
    expect(hits.total).toBeGreaterThan(1);
    expect(JSON.stringify(hits)).not.toContain(token!.slice(4, 20));
    expect((await list(ben)).hits.hits.map(({ id }) => id)).not.toContain(made.id);
  });

  it("has pages", async () => {
    const first = await list(ada, "?s=1");
    expect(first.hits.hits).toHaveLength(1);
    expect(first.links).toEqual({
      self: `${bindery.url}${TOKENS}?page=1&size=1`,
      next: `${bindery.url}${TOKENS}?page=2&size=1`,
    });
    const second = await list(ada, first.links.next!.slice(`${bindery.url}${TOKENS}`.length));
    expect(second.hits.hits[0]!.id).not.toBe(first.hits.hits[0]!.id);
    expect(second.links).toHaveProperty("prev");
    expect((await ada.client.get<Problem>(`${TOKENS}?size=1001`)).body.code).toBe("PAGE_SIZE_TOO_LARGE");
    expect((await ada.client.get<Problem>(`${TOKENS}?p=0`)).body.errors).toMatchObject([{ field: "p" }]);
  });

  it("needs a token, of any scope", async () => {
    expect((await bindery.client.get(TOKENS)).status).toBe(401);
    const narrow = await bindery.user("dora", { scopes: ["vocabularies:write"] });
    expect((await list(narrow)).hits.total).toBe(1);
  });
});

describe("revoking a token", () => {
  it("answers 204, and the token is a 401 from then on", async () => {
    const made = await make({ scopes: ["records:read"] });
    const client = bindery.client.as(made.token!);
    expect((await client.get(TOKENS)).status).toBe(200);
    expect((await ada.client.delete(`${TOKENS}/${made.id}`)).status).toBe(204);
    expect((await client.get<Problem>("/api/search/")).body.code).toBe("TOKEN_REVOKED");
    expect((await ada.client.delete(`${TOKENS}/${made.id}`)).status).toBe(204);
    expect((await list()).hits.hits[0]).toMatchObject({ id: made.id, revoked: expect.any(String) });
  });

  it("ends what was made by it, as the answer said", async () => {
    const child = await make({ scopes: ["records:read"] });
    const { body: grandchild } = await bindery.client
      .as(child.token!)
      .post<Token>(TOKENS, { scopes: ["records:read"] });
    expect(grandchild.parent).toBe(child.id);
    const { hits } = (await list()).hits;
    expect(hits.find(({ id }) => id === child.parent)).not.toHaveProperty("parent");
    expect(hits[0]).toMatchObject({ id: grandchild.id, parent: child.id });
    expect((await ada.client.delete(`${TOKENS}/${child.id}`)).status).toBe(204);
    const refused = await bindery.client.as(grandchild.token!).get<Problem>(TOKENS);
    expect([refused.status, refused.body.code]).toEqual([401, "TOKEN_REVOKED"]);
  });

  it("can be done by the token itself", async () => {
    const made = await make({ scopes: ["records:read"] });
    const client = bindery.client.as(made.token!);
    expect((await client.delete(`${TOKENS}/${made.id}`)).status).toBe(204);
    expect((await client.delete(`${TOKENS}/${made.id}`)).status).toBe(401);
  });

  it("is a 404 for somebody else's, which goes on", async () => {
    const { id } = (await list(ben)).hits.hits[0]!;
    for (const wrong of [id, "0", "x", "9".repeat(30), "a".repeat(5_000)]) {
      const { status, body } = await ada.client.delete<Problem>(`${TOKENS}/${wrong}`);
      expect([status, body.code]).toEqual([404, "TOKEN_NOT_FOUND"]);
    }
    expect((await list(ben)).hits.total).toBeGreaterThan(0);
  });
});

it.skipIf(ON_POSTGRES)("keeps no token: not for an Idempotency-Key, not in the database, not in the log", async () => {
  const headers = { "idempotency-key": "make-one" };
  const body = { name: "once", scopes: ["records:read"] };
  const first = await ada.client.post<Token>(TOKENS, body, { headers });
  const again = await ada.client.post<Token>(TOKENS, body, { headers });
  const { token, ...rest } = first.body;
  expect(token).toMatch(/^bnd_/);
  expect([again.status, again.body]).toEqual([201, rest]);
  expect((await list()).hits.hits.filter(({ name }) => name === "once")).toHaveLength(1);
  const files = ["bindery.sqlite", "bindery.sqlite-wal"].map((name) =>
    readFileSync(join(bindery.data, name), "latin1"),
  );
  for (const file of files) expect(file.includes(token!.slice(4))).toBe(false);
  expect(bindery.output()).not.toContain(token!.slice(4));
});
