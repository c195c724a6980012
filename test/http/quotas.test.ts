import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { publish } from "../support/deposit.js";
import type { Client, Problem, RecordShape } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

const DRAFTS = 6;
const BYTES = 1_000_000;
const TERMS = 4;
const CREATE = "/api/records/mst/";

let bindery: Service;
let users = 0;
beforeAll(async () => {
  bindery = await startService({
    env: {
      BINDERY_RATE_LIMITS: "off",
      BINDERY_DRAFTS_PER_USER: String(DRAFTS),
      BINDERY_DRAFT_MB_PER_USER: String(BYTES / 1_000_000),
      BINDERY_UNCITED_TERMS_PER_USER: String(TERMS),
    },
  });
});
afterAll(() => bindery.dispose());

type Body = Problem & RecordShape;

const newUser = (role: "depositor" | "curator" = "depositor"): Promise<TestUser> =>
  bindery.user(`user-${++users}`, { role, scopes: ["records:write", "vocabularies:write"] });
const draftOf = (id: string): string => `${CREATE}${id}/draft`;
/** A draft of about so many bytes; no text of it is too long. */
const sized = (bytes: number) => ({
  metadata: { texts: Array.from({ length: bytes / 10_000 }, () => "x".repeat(9_997)) },
});

async function create(client: Client, body: object = makeRecord(1)): Promise<string> {
  const answer = await client.post<Body>(CREATE, body);
  expect(answer.status, answer.text.slice(0, 500)).toBe(201);
  return answer.body.id;
}
async function fill(client: Client): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < DRAFTS; n++) ids.push(await create(client));
  return ids;
}

const FULL = {
  status: 413,
  code: "QUOTA_EXCEEDED",
  message: expect.stringMatching(
    /has 6 open drafts; the maximum is 6\. Publish or delete drafts, .*\(BINDERY_DRAFTS_PER_USER\)\.$/,
  ),
};

describe("a user with as many drafts as there may be", () => {
  it("gets no further draft in any way, gets the reason, and hinders nobody else", async () => {
    const { client } = await newUser();
    const published = await publish(client, makeRecord(1));
    const address = `${CREATE}${published.id}`;
    await fill(client);
    for (const path of [CREATE, draftOf(published.id), `${address}/versions`]) {
      expect([path, (await client.post<Problem>(path, path === CREATE ? makeRecord(2) : undefined)).body]).toEqual([
        path,
        expect.objectContaining(FULL),
      ]);
    }
    expect((await client.get<{ hits: { total: number } }>(`/api/records/mst/${published.id}`)).status).toBe(200);
    await create((await newUser()).client);
  });

  it("may save, publish and delete the existing drafts, which frees their place", async () => {
    const { client } = await newUser();
    const [first, second] = await fill(client);
    expect((await client.put(draftOf(first!), makeRecord(3))).status).toBe(200);
    expect((await client.post(`${draftOf(first!)}/actions/publish`)).status).toBe(202);
    const third = await create(client);
    expect((await client.post<Problem>(CREATE, makeRecord(2))).body).toMatchObject(FULL);
    expect((await client.delete(draftOf(second!))).status).toBe(204);
    await create(client);
    expect((await client.post<Problem>(CREATE, makeRecord(2))).body).toMatchObject(FULL);
    expect((await client.delete(draftOf(third))).status).toBe(204);
    expect((await client.post(draftOf(first!))).status).toBe(201);
  });

  it("gets the draft that is open already, by edit and new version", async () => {
    const { client } = await newUser();
    const { id } = await publish(client, makeRecord(1));
    const edit = await client.post<Body>(draftOf(id));
    const version = await client.post<Body>(`${CREATE}${id}/versions`);
    for (let n = 2; n < DRAFTS; n++) await create(client);
    expect((await client.post<Body>(draftOf(id))).body.id).toBe(edit.body.id);
    expect((await client.post<Body>(`${CREATE}${id}/versions`)).body.id).toBe(version.body.id);
  });

  it("cannot pass the limit by many requests at once", async () => {
    const { client } = await newUser();
    const all = await Promise.all(Array.from({ length: 30 }, () => client.post(CREATE, makeRecord(1))));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(DRAFTS);
    expect(all.filter(({ status }) => status === 413)).toHaveLength(30 - DRAFTS);
  });

  it("gets the answer of a request that succeeded again, and may repeat one that was refused", async () => {
    const { client } = await newUser();
    const key = { headers: { "idempotency-key": "first" } };
    const first = await client.post<Body>(CREATE, makeRecord(1), key);
    for (let n = 1; n < DRAFTS; n++) await create(client);
    const again = await client.post<Body>(CREATE, makeRecord(1), key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    const late = { headers: { "idempotency-key": "late" } };
    expect((await client.post<Problem>(CREATE, makeRecord(2), late)).body).toMatchObject(FULL);
    expect((await client.delete(draftOf(first.body.id))).status).toBe(204);
    expect((await client.post(CREATE, makeRecord(2), late)).status).toBe(201);
  });

  it("gets what the operator transfers to them, and then no more", async () => {
    const [giver, taker] = [await newUser(), await newUser()];
    await fill(giver.client);
    await fill(taker.client);
    const done = await bindery.cli("user", "transfer", giver.name, taker.name);
    expect([done.code, done.stderr]).toEqual([0, expect.anything()]);
    expect((await taker.client.post<Problem>(CREATE, makeRecord(2))).body.message).toContain("has 12 open drafts");
    await create(giver.client);
  });

  it("cannot put more into drafts by sharing them: they count for their owner", async () => {
    const [owner, other] = [await newUser(), await newUser()];
    const id = await create(owner.client);
    const grant = { user: other.name, permission: "write" };
    expect((await owner.client.post(`${draftOf(id)}/access/grants`, grant)).status).toBeLessThan(300);
    expect((await other.client.put(draftOf(id), sized(900_000))).status).toBe(200);
    expect((await owner.client.post<Problem>(CREATE, sized(110_000))).body.code).toBe("QUOTA_EXCEEDED");
    await create(other.client, sized(110_000));
  });
});

describe("a user whose drafts are as large as they may be", () => {
  const TOO_LARGE =
    /have (\d+) bytes together, and this request adds (\d+); the maximum is 1000000\. .*\(BINDERY_DRAFT_MB_PER_USER\)\.$/;

  it("gets no further one, and none that grows, with the bytes that are used", async () => {
    const { client } = await newUser();
    await create(client, sized(500_000));
    const second = await create(client, sized(400_000));
    const refused = (await client.post<Problem>(CREATE, sized(200_000))).body;
    expect(refused).toMatchObject({ status: 413, code: "QUOTA_EXCEEDED", message: expect.stringMatching(TOO_LARGE) });
    const [, used, added] = TOO_LARGE.exec(refused.message)!.map(Number);
    expect(used).toBeGreaterThan(899_000);
    expect(used! + added!).toBeGreaterThan(BYTES);
    expect((await client.put<Problem>(draftOf(second), sized(600_000))).body.code).toBe("QUOTA_EXCEEDED");
    expect((await client.put(draftOf(second), sized(450_000))).status).toBe(200);
    expect((await client.put(draftOf(second), sized(10_000))).status).toBe(200);
    await create(client, sized(400_000));
  });

  it("may save what becomes smaller after the limit was passed by a transfer", async () => {
    const [giver, taker] = [await newUser(), await newUser()];
    const large = await create(giver.client, sized(700_000));
    await create(taker.client, sized(700_000));
    expect((await bindery.cli("user", "transfer", giver.name, taker.name)).code).toBe(0);
    expect((await taker.client.put<Problem>(draftOf(large), sized(710_000))).body.code).toBe("QUOTA_EXCEEDED");
    expect((await taker.client.put(draftOf(large), sized(690_000))).status).toBe(200);
  });
});

describe("a user with as many terms that nothing cites as there may be", () => {
  const TERMS_PATH = "/api/vocabularies/instruments";
  const add = async (client: Client, number: number) =>
    client.post<Problem>(TERMS_PATH, { id: `ins:${number}`, title: { en: `Instrument ${number}` } });

  it("adds no further one until some are cited or deleted", async () => {
    const { client } = await newUser("curator");
    for (let n = 0; n < TERMS; n++) {
      const answer = await add(client, 9000 + n);
      expect(answer.status, answer.text).toBe(201);
    }
    const refused = await add(client, 9100);
    expect(refused.body).toMatchObject({ status: 413, code: "QUOTA_EXCEEDED" });
    expect(refused.body.message).toMatch(
      /created 4 terms that no record cites; .*\(BINDERY_UNCITED_TERMS_PER_USER\)\.$/,
    );
    // A wrong id is named first, and another user has a quota of their own.
    expect((await add(client, 9000)).body.code).toBe("TERM_EXISTS");
    expect((await add((await newUser("curator")).client, 9200)).status).toBe(201);

    const citing = { metadata: { general_parameters: { instrument: { id: "ins:9000" } } } };
    const draft = await create(client, citing);
    expect((await add(client, 9101)).status).toBe(201);
    expect((await add(client, 9102)).body.code).toBe("QUOTA_EXCEEDED");
    expect((await client.delete(`${TERMS_PATH}/ins:9001`)).status).toBe(204);
    expect((await add(client, 9001)).status).toBe(201);
    expect((await add(client, 9103)).body.code).toBe("QUOTA_EXCEEDED");
    expect((await client.delete(draftOf(draft))).status).toBe(204);
    expect((await add(client, 9104)).body.message).toContain("created 5 terms");
  });
});
