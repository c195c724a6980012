import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, eventually, publish } from "../support/deposit.js";
import type { Client, Problem, RecordShape, SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
let alice: TestUser;
let bob: TestUser;
let reader: TestUser;
let draft: RecordShape;
let published: RecordShape;
const WORD = "Xylophonic";

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
  bob = await bindery.user("bob");
  reader = await bindery.user("alice", { scopes: ["records:read"] });
  draft = await deposit(alice.client, makeRecord(1, { title: `${WORD} draft` }));
  published = await publish(alice.client, makeRecord(2, { title: `${WORD} record` }));
});
afterAll(() => bindery.dispose());

const idsOf = async (client: Client, path: string): Promise<string[]> => {
  const { status, body } = await client.get<SearchBody<RecordShape>>(path);
  expect(status).toBe(200);
  expect(body.hits.total).toBe(body.hits.hits.length);
  return body.hits.hits.map(({ id }) => id);
};

describe("a draft", () => {
  it("is found by its owner and by nobody else, by whatever query", async () => {
    const { id } = draft;
    for (const q of [
      WORD,
      id,
      `id:${id}`,
      `"${id}"`,
      "*",
      "state:draft",
      "NOT nothing",
      `parent.id:${draft.parent.id}`,
    ]) {
      const query = `?s=100&q=${encodeURIComponent(q)}`;
      expect(await idsOf(bob.client, `/api/user/search/${query}`), q).not.toContain(id);
      expect(await idsOf(bob.client, `/api/search/${query}`), q).not.toContain(id);
      expect(await idsOf(bindery.client, `/api/records/mst/${query}`), q).not.toContain(id);
      expect(await idsOf(alice.client, `/api/search/${query}`), q).not.toContain(id);
      expect(await idsOf(alice.client, `/api/user/search/${query}`), q).toContain(id);
      expect(await idsOf(alice.client, `/api/user/records/mst/${query}`), q).toContain(id);
      expect(await idsOf(alice.client, `/api/user/records/spr/${query}`), q).toEqual([]);
    }
  });

  it("does not exist for another user, whatever the method, as one that was never there", async () => {
    const path = `/api/records/mst/${draft.id}/draft`;
    const never = "/api/records/mst/zv0gv-btp27/draft";
    const tries = (at: string) => [
      bob.client.get<Problem>(at),
      bob.client.put<Problem>(at, makeRecord(3)),
      bob.client.delete<Problem>(at),
      bob.client.post<Problem>(`${at}/actions/publish`),
    ];
    const mine = await Promise.all(tries(path));
    const none = await Promise.all(tries(never));
    for (const [i, answer] of mine.entries()) {
      expect(answer.status).toBe(404);
      expect(answer.body.code).toBe(none[i]!.body.code);
      expect(answer.body.message.replace(draft.id, "")).toBe(none[i]!.body.message.replace("zv0gv-btp27", ""));
    }
    expect((await alice.client.get<RecordShape>(path)).body.revision_id).toBe(1);
  });

  it("needs a token on every path", async () => {
    const path = `/api/records/mst/${draft.id}/draft`;
    const answers = [
      await bindery.client.get<Problem>(path),
      await bindery.client.put<Problem>(path, makeRecord(3)),
      await bindery.client.delete<Problem>(path),
      await bindery.client.post<Problem>(`${path}/actions/publish`),
      await bindery.client.post<Problem>("/api/records/mst/", makeRecord(3)),
    ];
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect(body.code).toBe("TOKEN_MISSING");
      expect(headers["www-authenticate"]).toMatch(/^Bearer/);
    }
  });

  it("is not counted in the facets, totals and suggestions of the public", async () => {
    const open = await bindery.client.get<SearchBody>("/api/search/");
    expect(open.body.hits.total).toBe(1);
    for (const { buckets } of Object.values(open.body.aggregations!)) {
      for (const { doc_count } of buckets) expect(doc_count).toBe(1);
    }
    expect(await idsOf(bindery.client, `/api/search/?suggest=${WORD.slice(0, 6)}`)).toEqual([published.id]);
  });

  it("is no published record", async () => {
    for (const client of [alice.client, bob.client, bindery.client]) {
      expect((await client.get(`/api/records/mst/${draft.id}`)).status).toBe(404);
      expect((await client.get(`/api/records/${draft.id}`)).status).toBe(404);
    }
  });
});

describe("the user scopes", () => {
  it("show what the caller owns, drafts and published, whatever the role", async () => {
    const admin = await bindery.user("root", { role: "admin", scopes: ["admin"] });
    const curator = await bindery.user("carla", { role: "curator", scopes: ["records:write"] });
    expect((await idsOf(alice.client, "/api/user/search/")).sort()).toEqual([draft.id, published.id].sort());
    for (const { client } of [bob, admin, curator]) expect(await idsOf(client, "/api/user/search/")).toEqual([]);
  });

  it("filter by state, is_draft and is_published", async () => {
    const mine = (query: string) => idsOf(alice.client, `/api/user/search/?${query}`);
    expect(await mine("state=draft")).toEqual([draft.id]);
    expect(await mine("state=published")).toEqual([published.id]);
    expect(await mine("is_draft=true")).toEqual([draft.id]);
    expect(await mine("is_draft=false")).toEqual([published.id]);
    expect(await mine("is_published=true")).toEqual([published.id]);
    expect(await mine("q=state:published")).toEqual([published.id]);
    const { body } = await alice.client.get<SearchBody>("/api/user/search/");
    expect(body.aggregations!.state!.buckets.map(({ key, doc_count }) => [key, doc_count])).toEqual([
      ["draft", 1],
      ["published", 1],
    ]);
  });

  it("give a draft as its own GET gives it, with its errors", async () => {
    const broken = await deposit(bob.client, { metadata: { general_parameters: 3 } });
    const { body } = await bob.client.get<SearchBody<RecordShape>>("/api/user/search/");
    const read = await bob.client.get<RecordShape>(`/api/records/mst/${broken.id}/draft`);
    expect(body.hits.hits).toEqual([read.body]);
    expect(read.body.errors!.length).toBeGreaterThan(0);
  });
});

describe("a token", () => {
  it("that only reads may not write", async () => {
    expect((await reader.client.get(`/api/records/mst/${draft.id}/draft`)).status).toBe(200);
    const answers = [
      await reader.client.post<Problem>("/api/records/mst/", makeRecord(4)),
      await reader.client.put<Problem>(`/api/records/mst/${draft.id}/draft`, makeRecord(4)),
      await reader.client.post<Problem>(`/api/records/mst/${draft.id}/draft/actions/publish`),
      await reader.client.delete<Problem>(`/api/records/mst/${draft.id}/draft`),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(403);
      expect(body.code).toBe("SCOPE_MISSING");
      expect(body.message).toContain("records:write");
    }
  });

  it("without any record scope may not search the caller's records", async () => {
    const other = await bindery.user("dora", { role: "curator", scopes: ["vocabularies:write"] });
    const { status, body } = await other.client.get<Problem>("/api/user/search/");
    expect(status).toBe(403);
    expect(body.message).toContain("records:read");
    expect((await other.client.get("/api/search/")).status).toBe(200);
  });

  it.each([
    "Bearer nonsense",
    "Bearer bnd_",
    "Bearer ",
    "Bearer",
    "Basic YTpi",
    "bnd_x",
    "Bearer a b",
    "Bearer \u00e9",
  ])("that is wrong (%s) is a 401 anywhere, also where none is needed", async (authorization) => {
    for (const path of ["/api/user/search/", "/api/search/", "/api/vocabularies/organisms/taxid:562"]) {
      const { status, body, headers } = await bindery.client.get<Problem>(path, { headers: { authorization } });
      expect(status, path).toBe(401);
      expect(body.code).toMatch(/^TOKEN_/);
      expect(headers["www-authenticate"]).toMatch(/^Bearer/);
    }
  });

  it("may be named in any case of the word Bearer", async () => {
    const headers = { authorization: `bearer ${alice.token}` };
    expect((await bindery.client.get("/api/user/search/", { headers })).status).toBe(200);
  });

  it("ends when it is revoked, at once, and is never shown again", async () => {
    const gone = await bindery.user("eve");
    expect((await gone.client.get("/api/user/search/")).status).toBe(200);
    const list = await bindery.cli("token", "list", "--user", "eve", "--json");
    expect(list.stdout).not.toContain(gone.token);
    const [{ id }] = JSON.parse(list.stdout) as [{ id: string }];
    expect((await bindery.cli("token", "revoke", id)).code).toBe(0);
    const { status, body } = await gone.client.get<Problem>("/api/search/");
    expect([status, body.code]).toEqual([401, "TOKEN_REVOKED"]);
    expect(bindery.output()).not.toContain(gone.token);
  });

  it("ends when its time is over", async () => {
    const expires = new Date(Date.now() + 2_500).toISOString();
    const late = await bindery.user("fred", { expires });
    expect((await late.client.get("/api/search/")).status).toBe(200);
    await eventually(async () => {
      const { status, body } = await late.client.get<Problem>("/api/search/");
      expect([status, body?.code]).toEqual([401, "TOKEN_EXPIRED"]);
    }, 12_000);
  });

  it("cannot be made for a time that is over", async () => {
    const args = ["token", "create", "--user", "alice", "--scope", "records:read", "--expires", "2020-01-01"];
    const refused = await bindery.cli(...args);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("past");
  });
});
