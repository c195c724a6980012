import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit } from "../support/deposit.js";
import type { Problem, SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

interface Grant {
  readonly user: string;
  readonly permission: string;
  readonly created: string;
}

let bindery: Service;
let ada: TestUser;
let ben: TestUser;
let cleo: TestUser;
let root: TestUser;
let grants: string;

beforeAll(async () => {
  bindery = await startService();
  ada = await bindery.user("ada");
  ben = await bindery.user("Ben Müller/2");
  cleo = await bindery.user("cleo", { role: "curator" });
  root = await bindery.user("root", { role: "admin" });
});
afterAll(() => bindery.dispose());

beforeEach(async () => {
  const { id } = await deposit(ada.client, makeRecord(1));
  grants = `/api/records/mst/${id}/draft/access/grants`;
});

const listed = async (who = ada): Promise<readonly Grant[]> =>
  (await who.client.get<SearchBody<Grant>>(grants)).body.hits.hits;
const grantPath = (user: string): string => `${grants}/${encodeURIComponent(user)}`;

describe("sharing a draft", () => {
  it("answers 201 with the grant, and lists it", async () => {
    const { status, body, headers } = await ada.client.post<Grant>(grants, { user: ben.name, permission: "read" });
    expect(status).toBe(201);
    expect(body).toEqual({ user: ben.name, permission: "read", created: expect.stringMatching(/^\d{4}-.*\+00:00$/) });
    expect(headers["cache-control"]).toContain("no-store");
    const list = await ada.client.get<SearchBody<Grant>>(`${grants}/`);
    expect(list.status).toBe(200);
    expect(list.body).toMatchObject({ hits: { hits: [body], total: 1 }, page: 1 });
    expect(list.body.links).toEqual({ self: `${bindery.url}${grants}` });
  });

  it("with the same user again answers 200 with what it now permits, since when it was first shared", async () => {
    const first = await ada.client.post<Grant>(grants, { user: ben.name, permission: "read" });
    const second = await ada.client.post<Grant>(grants, { user: ben.name, permission: "write" });
    expect([second.status, second.body]).toEqual([200, { ...first.body, permission: "write" }]);
    const third = await ada.client.post<Grant>(grants, second.body);
    expect([third.status, third.body]).toEqual([200, second.body]);
    expect(await listed()).toEqual([second.body]);
  });

  it("takes an id for a name, and lists by name", async () => {
    const { body } = await cleo.client.post<{ parent: { owner: { user: string } } }>("/api/records/mst/", {});
    const { user: id } = body.parent.owner;
    expect((await ada.client.post<Grant>(grants, { user: id, permission: "read" })).body.user).toBe("cleo");
    await ada.client.post(grants, { user: ben.name, permission: "read" });
    expect((await listed()).map(({ user }) => user)).toEqual([ben.name, "cleo"]);
  });

  it("ends with DELETE: 204, and then 404", async () => {
    await ada.client.post(grants, { user: ben.name, permission: "read" });
    expect((await ada.client.delete(grantPath("nobody"))).status).toBe(404);
    expect((await ada.client.delete(grantPath(ben.name))).status).toBe(204);
    const again = await ada.client.delete<Problem>(grantPath(ben.name));
    expect([again.status, again.body.code]).toEqual([404, "GRANT_NOT_FOUND"]);
    expect(again.body.message).toContain(ben.name);
    expect(await listed()).toEqual([]);
  });

  it("ends with the draft", async () => {
    await ada.client.post(grants, { user: ben.name, permission: "read" });
    await ada.client.delete(grants.replace("/access/grants", ""));
    expect((await ada.client.get<Problem>(grants)).body.code).toBe("DRAFT_NOT_FOUND");
  });

  it.each([
    [{ permission: "read" }, ["user"], "REQUIRED"],
    [{ user: 7, permission: "read" }, ["user"], "WRONG_TYPE"],
    [{ user: "nobody", permission: "read" }, ["user"], "USER_UNKNOWN"],
    [{ user: "ada", permission: "read" }, ["user"], "NOT_ALLOWED"],
    [{ user: "cleo" }, ["permission"], "REQUIRED"],
    [{ user: "cleo", permission: "delete" }, ["permission"], "NOT_ALLOWED"],
    [{ user: "cleo", permission: "read", permision: "write" }, ["permision"], "UNKNOWN_MEMBER"],
    [{ user: "", permission: null }, ["user", "permission"], "USER_UNKNOWN"],
    ["cleo", [""], "WRONG_TYPE"],
  ])("refuses %j and names what is wrong", async (sent, fields, code) => {
    const { status, body } = await ada.client.post<Problem>(grants, sent);
    expect([status, body.code]).toEqual([400, "BODY_INVALID"]);
    expect(body.errors!.map(({ field }) => field)).toEqual(fields);
    expect(body.errors![0]!.code).toBe(code);
    expect(await listed()).toEqual([]);
  });

  it("refuses a body that is none", async () => {
    expect((await ada.client.post<Problem>(grants)).body.code).toBe("BODY_MISSING");
    expect((await ada.client.send<Problem>("POST", grants, { text: "{" })).body.code).toBe("BODY_NOT_JSON");
  });
});

describe("who may share", () => {
  const attempt = (who: TestUser) =>
    Promise.all([
      who.client.get<Problem>(grants),
      who.client.post<Problem>(grants, { user: "cleo", permission: "write" }),
      who.client.delete<Problem>(grantPath("cleo")),
    ]);

  it("is the owner and an admin", async () => {
    expect((await root.client.post(grants, { user: ben.name, permission: "write" })).status).toBe(201);
    expect(await listed(root)).toMatchObject([{ user: ben.name }]);
    expect((await root.client.delete(grantPath(ben.name))).status).toBe(204);
  });

  it("is nobody else who may read the draft: 403", async () => {
    await ada.client.post(grants, { user: ben.name, permission: "write" });
    for (const who of [ben, cleo]) {
      for (const { status, body } of await attempt(who)) {
        expect([status, body.code], who.name).toEqual([403, "ACCESS_DENIED"]);
      }
    }
    expect(await listed()).toHaveLength(1);
  });

  it("is not told to those who may not read the draft: 404", async () => {
    for (const { status, body } of await attempt(ben)) {
      expect([status, body.code]).toEqual([404, "DRAFT_NOT_FOUND"]);
    }
    expect((await bindery.client.get(grants)).status).toBe(401);
  });

  it("needs a scope: to list one to read, to share one to write", async () => {
    const reading = await bindery.user("ada", { scopes: ["records:read"] });
    const [list, ...writes] = await attempt(reading);
    expect(list.status).toBe(200);
    for (const { status, body } of writes) expect([status, body.code]).toEqual([403, "SCOPE_MISSING"]);
    const other = await bindery.user("ada", { scopes: ["vocabularies:write"] });
    expect((await attempt(other)).map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

describe("a shared draft", () => {
  const path = (): string => grants.replace("/access/grants", "");
  const share = (permission: string) => ada.client.post(grants, { user: ben.name, permission });
  const shared = async (): Promise<number> =>
    (await ben.client.get<SearchBody>("/api/user/search/?shared=true")).body.hits.total;
  const statuses = async (who = ben) => ({
    read: (await who.client.get(path())).status,
    replace: (await who.client.put(path(), makeRecord(2))).status,
    publish: (await who.client.post(`${path()}/actions/publish`)).status,
    delete: (await who.client.delete(path())).status,
  });

  it("is read by whom it is shared with for reading, and changed by nobody else", async () => {
    expect(await statuses()).toEqual({ read: 404, replace: 404, publish: 404, delete: 404 });
    await share("read");
    expect(await statuses()).toEqual({ read: 200, replace: 403, publish: 403, delete: 403 });
  });

  it("is replaced by whom it is shared with for writing, who never publishes or deletes it", async () => {
    await share("write");
    expect(await statuses()).toEqual({ read: 200, replace: 200, publish: 403, delete: 403 });
    expect((await ada.client.get(path())).body).toMatchObject({ revision_id: 2 });
  });

  it("is found with shared=true, until it is not shared any more", async () => {
    const before = await shared();
    await share("read");
    expect(await shared()).toBe(before + 1);
    await ada.client.delete(grantPath(ben.name));
    expect(await shared()).toBe(before);
    expect((await ben.client.get(path())).status).toBe(404);
  });

  it("is no longer shared once it is published, nor is a later edit of it", async () => {
    await share("write");
    expect((await ada.client.post(`${path()}/actions/publish`)).status).toBe(202);
    expect((await ada.client.post(path())).status).toBe(201);
    expect(await listed()).toEqual([]);
    expect((await ben.client.get(path())).status).toBe(404);
  });
});
