import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { publish, recordWith } from "../support/deposit.js";
import { at, type Problem, type RecordShape, type SearchBody } from "../support/http-client.js";
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

type Gone = Problem & { readonly tombstone: NonNullable<Problem["tombstone"]> };

let bindery: Service;
let alice: TestUser;
let carla: TestUser;

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
  carla = await bindery.user("carla", { role: "curator" });
});
afterAll(() => bindery.dispose());

const goneOf = async (path: string): Promise<Gone> => {
  const { status, body } = await bindery.client.get<Gone>(path);
  expect(status, path).toBe(410);
  expect(body.code).toBe("RECORD_GONE");
  return body;
};

describe("retracting a record", () => {
  it("leaves a tombstone in its place, with what is needed to cite it", async () => {
    const record = await publish(alice.client, makeRecord(1, { title: "Wombat binding" }));
    await retract(alice.client, record.id, "The sample was mislabelled — Größe.");
    const { tombstone, message } = await goneOf(recordPath(record.id));
    expect(message).toContain(record.id);
    expect(tombstone).toEqual({
      id: record.id,
      model: "mst",
      title: "Wombat binding",
      depositors: at(record, "metadata.general_parameters.depositors"),
      publisher: "MBDB",
      created: record.created,
      removed: tombstone.removed,
      removal_reason: "The sample was mislabelled — Größe.",
    });
    expect(String(tombstone.removed) > record.updated).toBe(true);
    const { headers } = await bindery.client.get(recordPath(record.id));
    expect(headers["cache-control"]).toBe("no-store");
  });

  it("answers 410 with the tombstone on every path of it, for everybody and for ever", async () => {
    const { id, parent } = await publish(alice.client, makeRecord(2));
    await retract(alice.client, id);
    const { tombstone } = await goneOf(recordPath(id));
    expect(tombstone.removal_reason).toBe("");
    for (const path of [
      `/api/records/${id}`,
      `${recordPath(id.toUpperCase())}/`,
      `${recordPath(id)}/files`,
      `${recordPath(id)}/versions?size=1`,
      `${recordPath(id)}/versions/latest`,
      recordPath(parent.id),
      `/api/records/${parent.id}`,
      `${recordPath(parent.id)}/versions`,
    ]) {
      expect((await goneOf(path)).tombstone, path).toEqual(tombstone);
    }
    for (const [method, path] of [
      ["DELETE", recordPath(id)],
      ["POST", draftPath(id)],
      ["POST", `${recordPath(id)}/versions`],
    ] as const) {
      const answer = await alice.client.send<Gone>(method, path);
      expect([answer.status, answer.body.tombstone]).toEqual([410, tombstone]);
    }
    expect((await bindery.client.get(`/api/records/spr/${id}`)).status).toBe(404);
    expect((await bindery.client.send("HEAD", recordPath(id))).status).toBe(410);
    await bindery.restart();
    expect((await goneOf(recordPath(id))).tombstone).toEqual(tombstone);
  });

  it("names the curator who did it for somebody else", async () => {
    const { id } = await publish(alice.client, makeRecord(3));
    await retract(carla.client, id, "asked by the depositor");
    expect((await goneOf(recordPath(id))).tombstone).toMatchObject({ removed_by: "carla" });
    const own = await publish(carla.client, makeRecord(3));
    await retract(carla.client, own.id);
    expect((await goneOf(recordPath(own.id))).tombstone).not.toHaveProperty("removed_by");
  });

  it("takes its open draft with it", async () => {
    const { id } = await publish(alice.client, makeRecord(4));
    await edit(alice.client, id);
    await retract(alice.client, id);
    for (const path of ["", "/files", "/actions/publish"]) {
      const method = path.endsWith("publish") ? "POST" : "GET";
      const answer = await alice.client.send<Problem>(method, `${draftPath(id)}${path}`);
      expect([answer.status, answer.body.code]).toEqual([404, "DRAFT_NOT_FOUND"]);
      expect(answer.body.message).toContain("retracted");
    }
    const mine = await alice.client.get<SearchBody<RecordShape>>(`/api/user/search?q=id:${id}`);
    expect(mine.body.hits.total).toBe(0);
  });

  it("is out of every search and its facets in the same moment", async () => {
    const kept = await publish(alice.client, makeRecord(5, { title: "Bilbyword kept" }));
    const { id } = await publish(alice.client, makeRecord(6, { title: "Bilbyword gone" }));
    const search = async (path: string) => (await alice.client.get<SearchBody<RecordShape>>(path)).body;
    expect((await search("/api/search?q=Bilbyword")).hits.total).toBe(2);
    await retract(alice.client, id);
    for (const path of ["/api/search", "/api/records/mst", "/api/user/search", "/api/user/records/mst"]) {
      const { hits, aggregations } = await search(`${path}?q=Bilbyword`);
      expect(
        hits.hits.map((hit) => hit.id),
        path,
      ).toEqual([kept.id]);
      for (const { buckets } of Object.values(aggregations!)) {
        for (const { doc_count } of buckets) expect(doc_count).toBe(1);
      }
    }
  });

  it("makes the version before the latest one, while a new version's draft stays", async () => {
    const first = await publish(alice.client, makeRecord(7, { title: "Pottoroo" }));
    const second = await publishDraft(alice.client, (await newVersion(alice.client, first.id)).id);
    await edit(alice.client, first.id);
    const draft = await newVersion(alice.client, first.id);
    const { revision_id } = await readRecord(bindery.client, first.id);
    await retract(alice.client, second.id);

    const after = await readRecord(bindery.client, first.id);
    expect(flagsOf(after)).toEqual([1, true, false]);
    expect(after.revision_id).toBeGreaterThan(revision_id);
    const open = (await alice.client.get<RecordShape>(draftPath(first.id))).body;
    expect([open.versions, open.revision_id]).toEqual([after.versions, after.revision_id]);
    const found = await bindery.client.get<SearchBody<RecordShape>>("/api/search?q=Pottoroo");
    expect(found.body.hits.hits).toEqual([after]);
    const latest = await bindery.client.get(`${recordPath(first.parent.id)}/versions/latest`);
    expect(latest.headers.location).toBe(`${bindery.url}${recordPath(first.id)}`);
    expect(flagsOf((await alice.client.get<RecordShape>(draftPath(draft.id))).body)).toEqual([3, false, true]);

    await retract(alice.client, first.id);
    expect((await goneOf(recordPath(first.parent.id))).tombstone.id).toBe(second.id);
    expect(flagsOf(await publishDraft(alice.client, draft.id))).toEqual([3, true, true]);
    const parent = await bindery.client.get(recordPath(first.parent.id));
    expect([parent.status, parent.headers.location]).toEqual([301, `${bindery.url}${recordPath(draft.id)}`]);
  });

  it("of an older version changes nothing of the others", async () => {
    const first = await publish(alice.client, makeRecord(8));
    const second = await publishDraft(alice.client, (await newVersion(alice.client, first.id)).id);
    await retract(alice.client, first.id);
    expect(await readRecord(bindery.client, second.id)).toEqual(second);
    const list = await bindery.client.get<SearchBody<RecordShape>>(`${recordPath(second.id)}/versions`);
    expect(list.body.hits.hits).toEqual([second]);
  });

  it("leaves out what the record did not have", async () => {
    const bare = await publish(alice.client, recordWith(9, {}, { title: "T" }));
    await retract(alice.client, bare.id);
    const { tombstone } = await goneOf(recordPath(bare.id));
    expect(Object.values(tombstone)).not.toContain(null);
    expect(tombstone.title).toBe("T");
  });

  it("takes a body or none, and says what is wrong with one", async () => {
    const { id, revision_id } = await publish(alice.client, makeRecord(10));
    const refusals = [
      [{ json: { removal_reason: "x".repeat(1_001) } }, "removal_reason", "TOO_LONG"],
      [{ json: { removal_reason: 5 } }, "removal_reason", "WRONG_TYPE"],
      [{ json: { removal_reason: "a\0b" } }, "removal_reason", "BAD_CHARACTER"],
      [{ json: { reason: "misspelt" } }, "reason", "NOT_ALLOWED"],
      [{ json: ["x"] }, "", "WRONG_TYPE"],
    ] as const;
    for (const [options, field, code] of refusals) {
      const { status, body } = await alice.client.delete<Problem>(recordPath(id), options);
      expect([status, body.errors?.[0]], code).toEqual([400, expect.objectContaining({ field, code })]);
    }
    expect((await alice.client.delete(recordPath(id), { text: "{" })).status).toBe(400);
    const stale = await alice.client.delete<Problem>(recordPath(id), { headers: { "if-match": "1" } });
    expect([stale.status, stale.body.code]).toEqual([412, "REVISION_STALE"]);
    expect((await readRecord(bindery.client, id)).revision_id).toBe(revision_id);

    const headers = { "if-match": `"${revision_id}"`, "content-type": "application/json" };
    const done = await alice.client.delete(recordPath(id), { headers, text: "{}" });
    expect([done.status, done.text]).toEqual([204, ""]);
    const longest = await publish(alice.client, makeRecord(10));
    await retract(alice.client, longest.id, "🧪".repeat(1_000));
  });

  it("does not reach a draft that was never published", async () => {
    const { body } = await alice.client.post<RecordShape>("/api/records/mst", makeRecord(11));
    const answer = await alice.client.delete<Problem>(recordPath(body.id));
    expect([answer.status, answer.body.code]).toEqual([404, "RECORD_NOT_FOUND"]);
    expect(answer.body.message).toContain("DELETE .../draft deletes the draft");
    expect((await alice.client.get(draftPath(body.id))).status).toBe(200);
  });
});
