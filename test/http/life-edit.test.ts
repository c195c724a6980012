import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { importItems, publish, recordWith } from "../support/deposit.js";
import { at, type Problem, type RecordShape, type SearchBody } from "../support/http-client.js";
import { draftPath, edit, publishDraft, readRecord, recordPath } from "../support/life.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

describe("editing a published record", () => {
  it("opens a draft that is a copy of it, once", async () => {
    const record = await publish(alice.client, makeRecord(1));
    const answer = await alice.client.post<RecordShape>(draftPath(record.id), {});
    expect(answer.status).toBe(201);
    const { body: draft } = answer;
    const url = `${bindery.url}${recordPath(record.id)}`;
    expect(draft).toMatchObject({
      id: record.id,
      parent: record.parent,
      versions: record.versions,
      metadata: record.metadata,
      state: "draft",
      is_draft: true,
      is_published: true,
      revision_id: record.revision_id + 1,
    });
    expect(draft.created > record.updated).toBe(true);
    expect(draft.links).toEqual({
      self: `${url}/draft`,
      draft: `${url}/draft`,
      record: url,
      publish: `${url}/draft/actions/publish`,
      versions: `${url}/versions`,
      latest: `${url}/versions/latest`,
      files: `${url}/draft/files`,
    });
    expect(answer.headers).toMatchObject({ location: `${url}/draft`, etag: `"${draft.revision_id}"` });

    const again = await alice.client.post<RecordShape>(draftPath(record.id));
    expect(again.status).toBe(200);
    expect(again.body).toEqual(draft);
    expect((await alice.client.get(draftPath(record.id))).body).toEqual(draft);
    expect(await readRecord(bindery.client, record.id)).toEqual(record);
  });

  it("shows the record as it was until the draft is published, under one id with one counter", async () => {
    const record = await publish(alice.client, makeRecord(2, { title: "Quokkabefore" }));
    expect(record.revision_id).toBe(2);
    const draft = await edit(alice.client, record.id);
    const put = await alice.client.put<RecordShape>(draftPath(record.id), makeRecord(2, { title: "Quokkaafter" }));
    expect([draft.revision_id, put.body.revision_id]).toEqual([3, 4]);
    const found = async (q: string) => (await bindery.client.get<SearchBody>(`/api/search?q=${q}`)).body.hits.total;
    expect([await found("Quokkabefore"), await found("Quokkaafter")]).toEqual([1, 0]);
    expect(await readRecord(bindery.client, record.id)).toEqual(record);

    const done = await publishDraft(alice.client, record.id);
    expect(done).toMatchObject({ id: record.id, revision_id: 5, created: record.created, versions: record.versions });
    expect(done).toMatchObject({ state: "published", is_draft: false, is_published: true });
    expect(done.updated > draft.updated).toBe(true);
    expect(await readRecord(bindery.client, record.id)).toEqual(done);
    expect([await found("Quokkabefore"), await found("Quokkaafter")]).toEqual([0, 1]);
    expect((await alice.client.get(draftPath(record.id))).status).toBe(404);
  });

  it("begins at 4 what was at 3, ends at 6 after one PUT, and never goes back", async () => {
    const { id } = await publish(alice.client, makeRecord(3));
    await edit(alice.client, id);
    expect((await publishDraft(alice.client, id)).revision_id).toBe(4);
    expect((await edit(alice.client, id)).revision_id).toBe(5);
    expect((await alice.client.delete(draftPath(id))).status).toBe(204);
    expect((await readRecord(bindery.client, id)).revision_id).toBe(4);
    expect((await edit(alice.client, id)).revision_id).toBe(6);
    await alice.client.put(draftPath(id), makeRecord(3, { title: "another" }));
    expect((await publishDraft(alice.client, id)).revision_id).toBe(8);
  });

  it("leaves the record alone when the draft is deleted", async () => {
    const record = await publish(alice.client, makeRecord(4));
    await edit(alice.client, record.id);
    await alice.client.put(draftPath(record.id), makeRecord(4, { title: "never to be" }));
    expect((await alice.client.delete(draftPath(record.id))).status).toBe(204);
    expect(await readRecord(bindery.client, record.id)).toEqual(record);
    expect((await alice.client.get<Problem>(draftPath(record.id))).body.message).toContain("POST .../draft opens");
  });

  it("keeps the draft and the record when what it says now is not valid", async () => {
    const record = await publish(alice.client, makeRecord(5));
    await edit(alice.client, record.id);
    const bad = await alice.client.put<RecordShape>(draftPath(record.id), recordWith(5, { technique: "Magic" }));
    expect(bad.body.errors).toHaveLength(1);
    const refused = await alice.client.post<Problem>(`${draftPath(record.id)}/actions/publish`);
    expect([refused.status, refused.body.code]).toEqual([400, "DRAFT_INVALID"]);
    expect(await readRecord(bindery.client, record.id)).toEqual(record);
    expect((await alice.client.get<RecordShape>(draftPath(record.id))).body.errors).toHaveLength(1);
  });

  it("cites anew what is published anew, and nothing before that", async () => {
    const item = (title: string) => ({ id: "ins:900", title: { en: title }, props: { manufacturer: "X" } });
    await importItems(bindery, "instruments", [item("Oldname")]);
    const record = await publish(alice.client, recordWith(6, { instrument: { id: "ins:900" } }));
    await importItems(bindery, "instruments", [item("Newname")]);
    const title = (body: RecordShape) => at(body, "metadata.general_parameters.instrument.title.en");
    expect(title(await edit(alice.client, record.id))).toBe("Oldname");
    expect(title(await readRecord(bindery.client, record.id))).toBe("Oldname");
    expect(title(await publishDraft(alice.client, record.id))).toBe("Newname");
  });

  it("is one entry of the user's searches, the draft while there is one", async () => {
    const bob = await bindery.user("bob");
    const { id } = await publish(bob.client, makeRecord(7));
    const mine = async (): Promise<readonly RecordShape[]> =>
      (await bob.client.get<SearchBody<RecordShape>>("/api/user/search")).body.hits.hits;
    const draft = await edit(bob.client, id);
    expect(await mine()).toEqual([draft]);
    const record = await publishDraft(bob.client, id);
    expect(await mine()).toEqual([record]);
  });

  it("honours If-Match of the record and Idempotency-Key", async () => {
    const { id, revision_id } = await publish(alice.client, makeRecord(8));
    const stale = await alice.client.post<Problem>(draftPath(id), {}, { headers: { "if-match": '"1"' } });
    expect([stale.status, stale.body.code]).toEqual([412, "REVISION_STALE"]);
    const headers = { "if-match": `"${revision_id}"`, "idempotency-key": "edit-8" };
    const first = await alice.client.post<RecordShape>(draftPath(id), {}, { headers });
    const second = await alice.client.post<RecordShape>(draftPath(id), {}, { headers });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
  });

  it("answers with Location and links that lead somewhere, at any capital of the id", async () => {
    const { id } = await publish(alice.client, makeRecord(9));
    const draft = await alice.client.post<RecordShape>(`${draftPath(id.toUpperCase())}/?expand=1`, {});
    expect(draft.status).toBe(201);
    const { publish: done, ...others } = draft.body.links;
    for (const [name, link] of Object.entries(others)) {
      const { status } = await alice.client.get(link!.slice(bindery.url.length));
      expect(status, name).toBe(name === "latest" ? 301 : 200);
    }
    expect((await alice.client.post(done!.slice(bindery.url.length))).status).toBe(202);
  });
});
