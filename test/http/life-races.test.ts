/** Two clients and more at once on one record: none of them is told that something was done which was not. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bindery, startBindery, type TestUser } from "../support/bindery.js";
import { deposit, publish } from "../support/deposit.js";
import { at, type RecordShape, type SearchBody } from "../support/http-client.js";
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

let bindery: Bindery;
let alice: TestUser;
let carla: TestUser;

beforeAll(async () => {
  bindery = await startBindery();
  alice = await bindery.user("alice");
  carla = await bindery.user("carla", { role: "curator" });
});
afterAll(() => bindery.dispose());

/** The same request by two users, several times at once. @returns the statuses, ascending, and the bodies */
async function together(method: string, path: string, times = 4) {
  const clients = Array.from({ length: times }, (_, i) => (i % 2 === 0 ? alice : carla).client);
  const answers = await Promise.all(clients.map((client) => client.send<RecordShape>(method, path)));
  return { statuses: answers.map(({ status }) => status).sort(), bodies: answers.map(({ body }) => body) };
}

describe("at once", () => {
  it("two edits open one draft", async () => {
    const { id } = await publish(alice.client, makeRecord(1));
    const { statuses, bodies } = await together("POST", draftPath(id));
    expect(statuses).toEqual([200, 200, 200, 201]);
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });

  it("two new versions are one draft", async () => {
    const { id } = await publish(alice.client, makeRecord(2));
    const { statuses, bodies } = await together("POST", `${recordPath(id)}/versions`);
    expect(statuses).toEqual([200, 200, 200, 201]);
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    expect((await readRecord(bindery.client, id)).revision_id).toBe(3);
  });

  it("two publications are one", async () => {
    const { id } = await deposit(alice.client, makeRecord(3));
    const { statuses } = await together("POST", `${draftPath(id)}/actions/publish`);
    expect(statuses).toEqual([202, 404, 404, 404]);
    expect((await readRecord(bindery.client, id)).revision_id).toBe(2);
  });

  it("two retractions are one", async () => {
    const { id } = await publish(alice.client, makeRecord(4));
    expect((await together("DELETE", recordPath(id))).statuses).toEqual([204, 410, 410, 410]);
  });

  it("an edit and a retraction end in a tombstone without a draft, whoever is first", async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await publish(alice.client, makeRecord(5));
      const [edited, retracted] = await Promise.all([
        alice.client.post(draftPath(id)),
        carla.client.delete(recordPath(id)),
      ]);
      expect([201, 410]).toContain(edited.status);
      expect(retracted.status).toBe(204);
      expect((await alice.client.get(draftPath(id))).status).toBe(404);
      expect((await bindery.client.get(recordPath(id))).status).toBe(410);
    }
  });

  it("writers who say which revision they saw lose nothing: one is first, the others hear of it", async () => {
    const { id } = await publish(alice.client, makeRecord(6));
    const draft = await edit(alice.client, id);
    const headers = { "if-match": `"${draft.revision_id}"` };
    const puts = [1, 2, 3, 4].map((n) =>
      (n % 2 === 0 ? alice : carla).client.put<RecordShape>(draftPath(id), makeRecord(6, { title: `by ${n}` }), {
        headers,
      }),
    );
    const answers = await Promise.all(puts);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    const winner = answers.find(({ status }) => status === 200)!;
    const title = "metadata.general_parameters.record_information.title";
    const stored = (await alice.client.get<RecordShape>(draftPath(id))).body;
    expect(at(stored, title)).toBe(at(winner.body, title));
    expect(stored.revision_id).toBe(draft.revision_id + 1);
  });

  it("each stored change has a revision of its own, whoever writes", async () => {
    const { id } = await publish(alice.client, makeRecord(7));
    await edit(alice.client, id);
    const puts = Array.from({ length: 12 }, (_, n) =>
      (n % 2 === 0 ? alice : carla).client.put<RecordShape>(draftPath(id), makeRecord(7, { title: `change ${n}` })),
    );
    const revisions = (await Promise.all(puts)).map(({ body }) => body.revision_id);
    expect(revisions.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 4));
    expect((await publishDraft(carla.client, id)).revision_id).toBe(16);
  });

  it("versions, edits and retractions of one parent leave one latest version", async () => {
    const first = await publish(alice.client, makeRecord(8, { title: "Echidnaword" }));
    const second = await publishDraft(alice.client, (await newVersion(alice.client, first.id)).id);
    const third = await newVersion(alice.client, first.id);
    const steps = [
      alice.client.post(`${draftPath(third.id)}/actions/publish`),
      carla.client.delete(recordPath(second.id)),
      alice.client.post(draftPath(first.id)),
      carla.client.post(`${recordPath(first.id)}/versions`),
    ];
    const statuses = (await Promise.all(steps)).map(({ status }) => status);
    expect(statuses.slice(0, 3)).toEqual([202, 204, 201]);
    expect([200, 201]).toContain(statuses[3]);
    const list = await bindery.client.get<SearchBody<RecordShape>>(`${recordPath(first.id)}/versions`);
    expect(list.body.hits.hits.map(flagsOf)).toEqual([
      [3, true, statuses[3] === 200],
      [1, false, false],
    ]);
    const found = await bindery.client.get<SearchBody<RecordShape>>("/api/search?q=Echidnaword");
    expect(found.body.hits.hits.map(({ id }) => id)).toEqual([third.id]);
  });

  it("a reader sees one whole version at a time while an edit is published", async () => {
    const { id } = await publish(alice.client, makeRecord(9, { title: "Dunnartword 0" }));
    const title = "metadata.general_parameters.record_information.title";
    let isDone = false;
    const read = async (): Promise<void> => {
      let last = 0;
      while (!isDone) {
        const { hits } = (await bindery.client.get<SearchBody<RecordShape>>("/api/search?q=Dunnartword")).body;
        expect(hits.total).toBe(1);
        const body = await readRecord(bindery.client, id);
        expect(body.revision_id).toBeGreaterThanOrEqual(Math.max(last, hits.hits[0]!.revision_id));
        expect(at(body, title)).toBe(`Dunnartword ${(body.revision_id - 2) / 3}`);
        last = body.revision_id;
      }
    };
    const reading = [read(), read()];
    for (let n = 1; n <= 6; n++) {
      await edit(alice.client, id);
      await alice.client.put(draftPath(id), makeRecord(9, { title: `Dunnartword ${n}` }));
      const { revision_id } = await publishDraft(alice.client, id);
      expect((await readRecord(bindery.client, id)).revision_id).toBe(revision_id);
    }
    isDone = true;
    await Promise.all(reading);
    await retract(alice.client, id);
  });
});
