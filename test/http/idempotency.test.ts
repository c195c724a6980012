import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Sqlite } from "../../src/engines/sqlite/connection/database.js";
import type { TestUser } from "../support/bindery.js";
import { eventually } from "../support/deposit.js";
import type { Problem, RecordShape, SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { ON_POSTGRES, type Service, startService } from "../support/service.js";

const CREATE = "/api/records/mst/";
let bindery: Service;
let ada: TestUser;

beforeAll(async () => {
  bindery = await startService();
  ada = await bindery.user("ada");
});
afterAll(() => bindery.dispose());

const keyed = (key: string) => ({ headers: { "idempotency-key": key } });
const countDrafts = async (): Promise<number> =>
  (await ada.client.get<SearchBody>("/api/user/search/?size=1")).body.hits.total;

describe("the same request with the same Idempotency-Key", () => {
  it("gets the first answer, and makes one draft", async () => {
    const before = await countDrafts();
    const first = await ada.client.post<RecordShape>(CREATE, makeRecord(1), keyed("create 1"));
    const again = await ada.client.post<RecordShape>(CREATE, makeRecord(1), keyed("create 1"));
    expect(first.status).toBe(201);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect([again.headers.location, again.headers.etag]).toEqual([first.headers.location, '"1"']);
    expect(await countDrafts()).toBe(before + 1);
  });

  it("gets it with and without a slash at the end, and without the key a draft of its own", async () => {
    const first = await ada.client.post<RecordShape>(CREATE, makeRecord(2), keyed("slash"));
    const again = await ada.client.post<RecordShape>(CREATE.slice(0, -1), makeRecord(2), keyed("slash"));
    expect(again.body.id).toBe(first.body.id);
    expect((await ada.client.post<RecordShape>(CREATE, makeRecord(2))).body.id).not.toBe(first.body.id);
  });

  it("gets it for a body of 2 MB, which differs from another one of that length", async () => {
    const bodyWith = (title: string) => ({ ...makeRecord(5, { title }), padding: "é".repeat(1_000_000) });
    const first = await ada.client.post<RecordShape>(CREATE, bodyWith("A long body"), keyed("long"));
    const again = await ada.client.post<RecordShape>(CREATE, bodyWith("A long body"), keyed("long"));
    expect([first.status, again.body]).toEqual([201, first.body]);
    const other = await ada.client.post<Problem>(CREATE, bodyWith("B long body"), keyed("long"));
    expect([other.status, other.body.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
  });

  it("gets what was first answered, also when the draft was changed since", async () => {
    const first = await ada.client.post<RecordShape>(CREATE, makeRecord(3), keyed("changed"));
    await ada.client.put(`${CREATE}${first.body.id}/draft`, makeRecord(4));
    const again = await ada.client.post<RecordShape>(CREATE, makeRecord(3), keyed("changed"));
    expect(again.body).toEqual(first.body);
  });

  it("is published once: 202 both times, though the draft is gone", async () => {
    const { body } = await ada.client.post<RecordShape>(CREATE, makeRecord(5));
    const path = `${CREATE}${body.id}/draft/actions/publish`;
    const first = await ada.client.post<RecordShape>(path, undefined, keyed("publish"));
    const again = await ada.client.post<RecordShape>(path, undefined, keyed("publish"));
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.etag).toBe(first.headers.etag);
    expect((await ada.client.post(path)).status).toBe(404);
  });

  it("gets the first refusal, also where it would be granted by now", async () => {
    const { body } = await ada.client.post<RecordShape>(CREATE, {});
    const path = `${CREATE}${body.id}/draft/actions/publish`;
    const first = await ada.client.post<Problem>(path, undefined, keyed("refused"));
    expect([first.status, first.body.code]).toEqual([400, "DRAFT_INVALID"]);
    await ada.client.put(`${CREATE}${body.id}/draft`, makeRecord(6));
    const again = await ada.client.post<Problem>(path, undefined, keyed("refused"));
    expect([again.status, again.body.errors]).toEqual([400, first.body.errors]);
    expect((await ada.client.post(path, undefined, keyed("refused 2"))).status).toBe(202);
  });
});

describe("a key", () => {
  it("with another body or path is a 409", async () => {
    await ada.client.post(CREATE, makeRecord(10), keyed("bound"));
    const others = [
      [CREATE, makeRecord(11)],
      ["/api/records/spr/", makeRecord(10)],
      [`${CREATE}?expand=true`, makeRecord(10)],
      ["/api/user/tokens", makeRecord(10)],
    ] as const;
    for (const [path, sent] of others) {
      const { status, body } = await ada.client.post<Problem>(path, sent, keyed("bound"));
      expect([status, body.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
    }
  });

  it("that was refused for its body is bound to that body too", async () => {
    const first = await ada.client.send<Problem>("POST", CREATE, { text: "{", ...keyed("broken") });
    const again = await ada.client.send<Problem>("POST", CREATE, { text: "{", ...keyed("broken") });
    expect([first.body.code, again.body.code]).toEqual(["BODY_NOT_JSON", "BODY_NOT_JSON"]);
    const other = await ada.client.post<Problem>(CREATE, makeRecord(12), keyed("broken"));
    expect(other.body.code).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  it("belongs to one token", async () => {
    const ben = await bindery.user("ben");
    const other = await bindery.user("ada");
    const ids = [];
    for (const { client } of [ada, other, ben]) {
      const { status, body } = await client.post<RecordShape>(CREATE, makeRecord(13), keyed("mine"));
      expect(status).toBe(201);
      ids.push(body.id);
    }
    expect(new Set(ids).size).toBe(3);
  });

  it.each(["", " ", "ä", "a".repeat(256)])("%j is a 400 that names it", async (key) => {
    const { status, body } = await ada.client.post<Problem>(CREATE, makeRecord(14), keyed(key));
    expect([status, body.code]).toEqual([400, "PARAMETER_INVALID"]);
    expect(body.errors).toMatchObject([{ field: "Idempotency-Key" }]);
  });

  it("of 255 characters is taken, and on other methods than POST it means nothing", async () => {
    const key = "k".repeat(255);
    const { body } = await ada.client.post<RecordShape>(CREATE, makeRecord(15), keyed(key));
    const path = `${CREATE}${body.id}/draft`;
    expect((await ada.client.get(path, keyed(key))).status).toBe(200);
    expect((await ada.client.put<RecordShape>(path, makeRecord(16), keyed(key))).body.revision_id).toBe(2);
  });
});

describe("a kept answer", () => {
  /** Creates a draft of a user with a key. */
  async function create(owner: TestUser, key: string, title: string) {
    const send = () => owner.client.post<RecordShape & Problem>(CREATE, makeRecord(30, { title }), keyed(key));
    const { status, body } = await send();
    expect(status).toBe(201);
    return { id: body.id, send, path: `${CREATE}${body.id}` };
  }

  it("goes with its draft: the request is a 404 from then on, and makes no other draft", async () => {
    const { id, send, path } = await create(ada, "deleted", "Zirconium answers");
    const invalid = await ada.client.post<RecordShape>(CREATE, { metadata: { nonsense: "Zirconium values" } });
    const publish = `${CREATE}${invalid.body.id}/draft/actions/publish`;
    expect((await ada.client.post<Problem>(publish, undefined, keyed("deleted 2"))).body.code).toBe("DRAFT_INVALID");
    await ada.client.delete(`${path}/draft`);
    await ada.client.delete(`${CREATE}${invalid.body.id}/draft`);
    const before = await countDrafts();
    const again = await send();
    expect([again.status, again.body.code]).toEqual([404, "DRAFT_NOT_FOUND"]);
    expect(again.body.message).toContain(id);
    const refused = await ada.client.post<Problem>(publish, undefined, keyed("deleted 2"));
    expect([refused.status, refused.body.code]).toEqual([404, "DRAFT_NOT_FOUND"]);
    expect(await countDrafts()).toBe(before);
    if (ON_POSTGRES) return;
    const db = new Sqlite(join(bindery.data, "bindery.sqlite"), { readonly: true });
    expect(db.prepare("SELECT count(*) FROM answer WHERE outcome LIKE '%Zirconium%'").pluck().get()).toBe(0);
    db.close();
  });

  it("of a draft that was published stays, until the record is retracted", async () => {
    const { send, path } = await create(ada, "retracted", "To be retracted");
    const publish = () => ada.client.post<Problem>(`${path}/draft/actions/publish`, undefined, keyed("retracted 2"));
    expect((await publish()).status).toBe(202);
    expect((await send()).status).toBe(201);
    await ada.client.delete(path);
    for (const again of [await send(), await publish()]) {
      expect([again.status, again.body.code]).toEqual([410, "RECORD_GONE"]);
    }
  });

  it("is not for a user who gave the draft away", async () => {
    const giver = await bindery.user("giver");
    await bindery.user("taker");
    const { send } = await create(giver, "given", "Given away");
    const moved = await bindery.cli("user", "transfer", "giver", "taker");
    expect(moved.code).toBe(0);
    const again = await send();
    expect([again.status, again.body.code]).toEqual([404, "DRAFT_NOT_FOUND"]);
  });

  it("is not for a curator who is one no longer, nor for a disabled user", async () => {
    const { path } = await create(ada, "curated", "Edited by a curator");
    await ada.client.post(`${path}/draft/actions/publish`);
    const curator = await bindery.user("curator", { role: "curator" });
    const edit = () => curator.client.post<Problem>(`${path}/draft`, undefined, keyed("edit"));
    const version = () => curator.client.post<Problem>(`${path}/versions`, undefined, keyed("version"));
    expect([(await edit()).status, (await edit()).status, (await version()).status]).toEqual([201, 201, 201]);
    await bindery.cli("user", "role", "curator", "depositor");
    const edited = await edit();
    expect([edited.status, edited.body.code]).toEqual([403, "ACCESS_DENIED"]);
    const versioned = await version();
    expect([versioned.status, versioned.body.code]).toEqual([404, "DRAFT_NOT_FOUND"]);
    await bindery.cli("user", "disable", "curator");
    expect((await edit()).status).toBe(401);
  });
});

describe("two requests with one key at once", () => {
  it("make one draft", async () => {
    const before = await countDrafts();
    const send = () => ada.client.post<RecordShape & Problem>(CREATE, makeRecord(20), keyed("at once"));
    const answers = await Promise.all(Array.from({ length: 8 }, send));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    for (const { status, body } of answers) if (status !== 201) expect(body.code).toBe("IDEMPOTENCY_KEY_BUSY");
    expect(await countDrafts()).toBe(before + 1);
  });

  it.skipIf(ON_POSTGRES)("answer the second 409 with Retry-After while the first still runs", async () => {
    const db = new Sqlite(join(bindery.data, "bindery.sqlite"));
    db.exec("BEGIN IMMEDIATE");
    const first = ada.client.post<RecordShape>(CREATE, makeRecord(21), keyed("busy"));
    try {
      await eventually(async () => {
        const second = await ada.client.post<Problem>(CREATE, makeRecord(21), keyed("busy"));
        expect([second.status, second.body.code]).toEqual([409, "IDEMPOTENCY_KEY_BUSY"]);
        expect(Number(second.headers["retry-after"])).toBeGreaterThan(0);
      });
    } finally {
      db.exec("ROLLBACK");
      db.close();
    }
    const { status, body } = await first;
    expect(status).toBe(201);
    const third = await ada.client.post<RecordShape>(CREATE, makeRecord(21), keyed("busy"));
    expect([third.status, third.body.id]).toEqual([201, body.id]);
  });
});
