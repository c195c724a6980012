import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, publish } from "../support/deposit.js";
import type { Problem, RecordShape, SearchBody } from "../support/http-client.js";
import {
  draftPath,
  edit,
  flagsOf,
  newVersion,
  publishDraft,
  readRecord,
  recordPath,
  retract,
} from "../support/life.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

const versionsOf = async (id: string, query = ""): Promise<SearchBody<RecordShape>> => {
  const answer = await bindery.client.get<SearchBody<RecordShape>>(`${recordPath(id)}/versions${query}`);
  expect(answer.status, answer.text.slice(0, 500)).toBe(200);
  return answer.body;
};
const flags = async (id: string) => flagsOf(await readRecord(bindery.client, id));

describe("a new version", () => {
  it("begins as a draft with an id of its own, a copy of the latest version", async () => {
    const first = await publish(alice.client, makeRecord(1));
    const answer = await alice.client.post<RecordShape>(`${recordPath(first.id)}/versions`, {});
    const { body: draft } = answer;
    expect(answer.status).toBe(201);
    expect(draft.id).not.toBe(first.id);
    expect(draft).toMatchObject({
      parent: first.parent,
      metadata: first.metadata,
      versions: { index: 2, is_latest: false, is_latest_draft: true },
      revision_id: 1,
      state: "draft",
      is_draft: true,
      is_published: false,
    });
    expect(answer.headers.location).toBe(`${bindery.url}${draftPath(draft.id)}`);
    expect(draft.links).not.toHaveProperty("versions");
    expect(draft.links).not.toHaveProperty("record");
    const again = await alice.client.post<RecordShape>(`${recordPath(first.id)}/versions`);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(draft);
  });

  it("takes the flags from the version before, each time with its next revision", async () => {
    const { id, revision_id } = await publish(alice.client, makeRecord(2));
    expect(await flags(id)).toEqual([1, true, true]);
    const draft = await newVersion(alice.client, id);
    const open = await readRecord(bindery.client, id);
    expect([flagsOf(open), open.revision_id]).toEqual([[1, true, false], revision_id + 1]);

    const second = await publishDraft(alice.client, draft.id);
    expect(flagsOf(second)).toEqual([2, true, true]);
    const before = await readRecord(bindery.client, id);
    expect([flagsOf(before), before.revision_id]).toEqual([[1, false, false], revision_id + 2]);
    expect(before.created < second.created && before.updated === second.updated).toBe(true);
  });

  it("gives the flags back when its draft is deleted, and its index to the next one", async () => {
    const { id, revision_id } = await publish(alice.client, makeRecord(3));
    const draft = await newVersion(alice.client, id);
    expect((await alice.client.delete(draftPath(draft.id))).status).toBe(204);
    const after = await readRecord(bindery.client, id);
    expect([flagsOf(after), after.revision_id]).toEqual([[1, true, true], revision_id + 2]);
    const next = await newVersion(alice.client, id);
    expect(next.versions.index).toBe(2);
    expect(next.id).not.toBe(draft.id);
  });

  it("keeps the record and its open draft at the same flags and the same revision", async () => {
    const { id } = await publish(alice.client, makeRecord(4));
    await edit(alice.client, id);
    const pair = async () => {
      const draft = (await alice.client.get<RecordShape>(draftPath(id))).body;
      const record = await readRecord(bindery.client, id);
      expect(draft.versions).toEqual(record.versions);
      return [record.revision_id, draft.revision_id];
    };
    expect(await pair()).toEqual([2, 3]);
    const version = await newVersion(alice.client, id);
    expect(await pair()).toEqual([4, 4]);
    await publishDraft(alice.client, version.id);
    expect(await pair()).toEqual([5, 5]);
    const edited = await publishDraft(alice.client, id);
    expect([flagsOf(edited), edited.revision_id]).toEqual([[1, false, false], 6]);
    expect(await flags(version.id)).toEqual([2, true, true]);
  });

  it("is a copy of the latest, from whichever version it is asked for", async () => {
    const first = await publish(alice.client, makeRecord(5, { title: "one" }));
    const second = await newVersion(alice.client, first.id);
    await alice.client.put(draftPath(second.id), makeRecord(5, { title: "two" }));
    const latest = await publishDraft(alice.client, second.id);
    const third = await newVersion(alice.client, first.id);
    expect(third.metadata).toEqual(latest.metadata);
    expect(third.versions.index).toBe(3);
    const again = await alice.client.post<RecordShape>(`${recordPath(second.id)}/versions`);
    expect([again.status, again.body.id]).toEqual([200, third.id]);
  });

  it("is found instead of the version before", async () => {
    const first = await publish(alice.client, makeRecord(6, { title: "Numbatone" }));
    const { id } = await newVersion(alice.client, first.id);
    const found = async () =>
      (await bindery.client.get<SearchBody<RecordShape>>("/api/search?q=Numbatone")).body.hits.hits.map(
        (hit) => hit.id,
      );
    expect(await found()).toEqual([first.id]);
    const second = await publishDraft(alice.client, id);
    expect(await found()).toEqual([id]);
    const { hits } = (await bindery.client.get<SearchBody<RecordShape>>("/api/search?q=Numbatone")).body;
    expect(hits.hits).toEqual([second]);
  });

  it("is made of published records only", async () => {
    const draft = await deposit(alice.client, makeRecord(7));
    const { status, body } = await alice.client.post<Problem>(`${recordPath(draft.id)}/versions`);
    expect([status, body.code]).toEqual([404, "RECORD_NOT_FOUND"]);
    expect(body.message).toContain("never published");
    const record = await publish(alice.client, makeRecord(7));
    const parent = await alice.client.post<Problem>(`${recordPath(record.parent.id)}/versions`);
    expect([parent.status, parent.body.message.includes(record.id)]).toEqual([404, true]);
    expect((await alice.client.post(`/api/records/spr/${record.id}/versions`)).status).toBe(404);
  });

  it("keeps its owner when a curator makes it", async () => {
    const curator = await bindery.user("carla", { role: "curator" });
    const { id, parent } = await publish(alice.client, makeRecord(8));
    const draft = await newVersion(curator.client, id);
    expect(draft.parent).toEqual(parent);
    expect((await alice.client.get(draftPath(draft.id))).status).toBe(200);
  });
});

describe("the list of versions", () => {
  it("has the published ones, newest first, in pages, as GET gives them", async () => {
    const ids = [(await publish(alice.client, makeRecord(10))).id];
    for (let n = 2; n <= 5; n++)
      ids.unshift((await publishDraft(alice.client, (await newVersion(alice.client, ids[0]!)).id)).id);
    await newVersion(alice.client, ids[0]!);
    const all = await versionsOf(ids[2]!);
    expect(all.hits.total).toBe(5);
    expect(all.hits.hits.map(({ id }) => id)).toEqual(ids);
    expect(all.hits.hits.map(({ versions }) => versions.is_latest)).toEqual([true, false, false, false, false]);
    for (const hit of all.hits.hits) expect(hit).toEqual(await readRecord(bindery.client, hit.id));

    const url = `${bindery.url}${recordPath(ids[2]!)}/versions`;
    const middle = await versionsOf(ids[2]!, "?s=2&p=2&colour=red");
    expect(middle.hits.hits.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    expect(middle).toMatchObject({ page: 2, sortBy: "newest", hits: { total: 5 } });
    expect(middle.links).toEqual({
      self: `${url}?page=2&size=2&sort=newest`,
      prev: `${url}?page=1&size=2&sort=newest`,
      next: `${url}?page=3&size=2&sort=newest`,
    });
    expect(middle.warnings).toMatchObject([{ code: "UNKNOWN_PARAMETER", parameter: "colour" }]);
    const next = await versionsOf(ids[2]!, middle.links.next!.slice(url.length));
    expect(next.hits.hits.map(({ id }) => id)).toEqual(ids.slice(4));
    expect(next.links).not.toHaveProperty("next");
    expect((await versionsOf(ids[0]!, "?page=99")).hits).toEqual({ hits: [], total: 5 });
    for (const query of ["?s=0", "?p=x", "?s=1001", "?sort=oldest"]) {
      expect((await bindery.client.get(`${recordPath(ids[0]!)}/versions${query}`)).status, query).toBe(400);
    }
  });

  it("is that of the parent too, and leads to the latest from all of them", async () => {
    const first = await publish(alice.client, makeRecord(11));
    const second = await publishDraft(alice.client, (await newVersion(alice.client, first.id)).id);
    const { hits } = await versionsOf(first.parent.id);
    expect(hits.hits.map(({ id }) => id)).toEqual([second.id, first.id]);
    for (const id of [first.id, second.id, first.parent.id, first.id.toUpperCase()]) {
      const { status, headers } = await bindery.client.get(`${recordPath(id)}/versions/latest`);
      expect(status).toBe(301);
      expect(headers.location).toBe(`${bindery.url}${recordPath(second.id)}`);
      expect(headers["cache-control"]).toContain("no-cache");
    }
    const parent = await bindery.client.get(`/api/records/${first.parent.id}`);
    expect([parent.status, parent.headers.location]).toEqual([301, `${bindery.url}${recordPath(second.id)}`]);
    expect((await bindery.client.send("HEAD", `${recordPath(first.id)}/versions`)).status).toBe(200);
  });

  it("is not there for what is not published", async () => {
    const draft = await deposit(alice.client, makeRecord(12));
    for (const id of [draft.id, draft.parent.id, "zv0gv-btp27", "x"]) {
      for (const path of ["versions", "versions/latest"]) {
        expect((await alice.client.get(`${recordPath(id)}/${path}`)).status, `${id} ${path}`).toBe(404);
      }
    }
    const version = await newVersion(alice.client, (await publish(alice.client, makeRecord(12))).id);
    expect((await alice.client.get(`${recordPath(version.id)}/versions`)).status).toBe(404);
  });

  it("has no retracted ones, whose index is not given again", async () => {
    const first = await publish(alice.client, makeRecord(13));
    const second = await publishDraft(alice.client, (await newVersion(alice.client, first.id)).id);
    await retract(alice.client, second.id);
    expect((await versionsOf(first.id)).hits.hits.map(({ id }) => id)).toEqual([first.id]);
    const third = await newVersion(alice.client, first.id);
    expect(flagsOf(third)).toEqual([3, false, true]);
    expect(await flags(first.id)).toEqual([1, true, false]);
    expect(flagsOf(await publishDraft(alice.client, third.id))).toEqual([3, true, true]);
  });
});
