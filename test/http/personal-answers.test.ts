/** Answers that depend on the caller are kept for that caller only, and only as long as the caller has the rights. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, recordWith } from "../support/deposit.js";
import type { RecordShape, SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

const SEARCH = "/api/user/search";

let service: Service;
let ada: TestUser;
let bob: TestUser;
let draft: RecordShape;
let path: string;
let users = 0;
beforeAll(async () => {
  service = await startService({ env: { BINDERY_METRICS: "everyone" } });
});
beforeEach(async () => {
  users += 1;
  ada = await service.user(`ada ${users}`);
  bob = await service.user(`bob ${users}`);
  draft = await deposit(ada.client, recordWith(1, {}, { title: "Draft of Ada" }));
  path = `/api/records/mst/${draft.id}/draft`;
});
afterAll(() => service.dispose());

async function countKept(): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^bindery_answers_total\{source="kept"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** Reads so often that the last answer is a kept one, and returns it. */
async function readKept({ client }: TestUser, url: string) {
  for (const _ of [1, 2]) expect((await client.get(url)).status).toBe(200);
  const before = await countKept();
  const answer = await client.get(url);
  expect([url, (await countKept()) - before]).toEqual([url, 1]);
  return answer;
}

const statusOf = async ({ client }: TestUser, url = path): Promise<number> => (await client.get(url)).status;

const idsOf = async ({ client }: TestUser, url = SEARCH): Promise<readonly unknown[]> =>
  (await client.get<SearchBody>(url)).body.hits.hits.map(({ id }) => id);

/** Runs a command as another process would, on the data of the running service. */
async function run(...args: readonly string[]): Promise<void> {
  const { code, stderr } = await service.cli(...args);
  expect(code, stderr).toBe(0);
}

describe("an answer that depends on the caller", () => {
  it.each(["draft", "search", "search of a model"])("is kept for that caller: a %s", async (kind) => {
    const url = kind === "draft" ? path : kind === "search" ? SEARCH : "/api/user/records/mst?sort=oldest";
    const first = await ada.client.get(url);
    const { text, headers } = await readKept(ada, url);
    expect(text).toBe(first.text);
    expect(headers["cache-control"]).toBe("private, no-store");
    expect(headers.etag).toBe(first.headers.etag);
  });

  it("is not sent to another user, nor without a token", async () => {
    await readKept(ada, path);
    await readKept(ada, SEARCH);
    expect(await statusOf(bob)).toBe(404);
    expect(await idsOf(bob)).toEqual([]);
    for (const url of [path, SEARCH]) expect((await service.client.get(url)).status).toBe(401);
  });

  it("is not sent for a token with other scopes", async () => {
    const created = await service.cli("token", "create", "--user", ada.name, "--scope", "vocabularies:write");
    const [token = ""] = /bnd_\w+/.exec(created.stdout) ?? [];
    await readKept(ada, path);
    await readKept(ada, SEARCH);
    for (const url of [path, SEARCH]) expect((await service.client.as(token).get(url)).status).toBe(403);
  });

  it("is not sent any more once the token is revoked, or the user disabled or deleted", async () => {
    const bobsPath = `/api/records/mst/${(await deposit(bob.client, recordWith(2, {}))).id}/draft`;
    await readKept(ada, path);
    await readKept(bob, bobsPath);
    await run("user", "disable", bob.name);
    expect(await statusOf(bob, bobsPath)).toBe(401);
    await run("user", "enable", bob.name);
    expect(await statusOf(bob, bobsPath)).toBe(200);
    await run("token", "revoke", "--all", "--user", bob.name);
    expect(await statusOf(bob, bobsPath)).toBe(401);
    expect(await statusOf(ada)).toBe(200);
    const cleo = await service.user("cleo");
    await readKept(cleo, SEARCH);
    await run("user", "delete", cleo.name);
    expect(await statusOf(cleo, SEARCH)).toBe(401);
  });

  it("follows the role of the caller", async () => {
    await run("user", "role", bob.name, "curator");
    await readKept(bob, path);
    const everyone = `${SEARCH}?everyone=true`;
    await readKept(bob, everyone);
    await run("user", "role", bob.name, "depositor");
    expect(await statusOf(bob)).toBe(404);
    expect(await statusOf(bob, everyone)).toBe(403);
    await run("user", "role", bob.name, "curator");
    expect(await statusOf(bob)).toBe(200);
  });

  it("follows the grants of a draft", async () => {
    const shared = `${SEARCH}?shared=true`;
    const grants = `${path}/access/grants`;
    await ada.client.post(grants, { user: bob.name, permission: "read" });
    await readKept(bob, path);
    await readKept(bob, shared);
    expect(await idsOf(bob, shared)).toEqual([draft.id]);
    await ada.client.delete(`${grants}/${encodeURIComponent(bob.name)}`);
    expect(await statusOf(bob)).toBe(404);
    expect(await idsOf(bob, shared)).toEqual([]);
    await ada.client.post(grants, { user: bob.name, permission: "write" });
    expect(await idsOf(bob, shared)).toEqual([draft.id]);
  });

  it("follows a transfer by the operator", async () => {
    await readKept(ada, path);
    await readKept(ada, SEARCH);
    await run("user", "transfer", ada.name, bob.name);
    expect(await statusOf(ada)).toBe(404);
    expect(await idsOf(ada)).toEqual([]);
    expect(await idsOf(bob)).toEqual([draft.id]);
  });

  it("follows each write of the draft, and another user's", async () => {
    await ada.client.post(`${path}/access/grants`, { user: bob.name, permission: "write" });
    await readKept(ada, path);
    await readKept(ada, SEARCH);
    const { status } = await bob.client.put(path, recordWith(1, {}, { title: "Changed by Bob" }));
    expect(status).toBe(200);
    expect((await ada.client.get(path)).text).toContain("Changed by Bob");
    expect((await ada.client.get(SEARCH)).text).toContain("Changed by Bob");
    await readKept(ada, path);
    await ada.client.delete(path);
    expect(await statusOf(ada)).toBe(404);
    expect(await idsOf(ada)).toEqual([]);
  });

  it("follows a publication, and the draft of an edit", async () => {
    const drafts = `${SEARCH}?is_draft=true`;
    await readKept(ada, path);
    await readKept(ada, drafts);
    expect((await ada.client.post(`${path}/actions/publish`)).status).toBe(202);
    expect(await statusOf(ada)).toBe(404);
    expect(await idsOf(ada, drafts)).toEqual([]);
    await ada.client.post(path);
    expect(await statusOf(ada)).toBe(200);
    expect(await idsOf(ada, drafts)).toEqual([draft.id]);
  });
});
