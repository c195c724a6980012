import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, publish, recordWith } from "../support/deposit.js";
import { at, type Problem, type RecordShape, type SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

const ID = /^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{3}[0-9]{2}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;
let bindery: Service;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

const draftPath = (id: string, model = "mst"): string => `/api/records/${model}/${id}/draft`;

describe("creating a draft", () => {
  it("answers 201 with the whole body, Location and ETag", async () => {
    const answer = await alice.client.post<RecordShape>("/api/records/mst/", makeRecord(1));
    const { body, headers } = answer;
    expect(answer.status).toBe(201);
    expect(body.id).toMatch(ID);
    expect(body.parent.id).toMatch(ID);
    expect(body.parent.id).not.toBe(body.id);
    expect(body).toMatchObject({
      model: "mst",
      revision_id: 1,
      state: "draft",
      is_draft: true,
      is_published: false,
      versions: { index: 1, is_latest: false, is_latest_draft: true },
      files: { enabled: false },
    });
    expect(body.created).toMatch(INSTANT);
    expect(body.updated).toBe(body.created);
    expect(body).not.toHaveProperty("errors");
    expect(headers.location).toBe(body.links.self);
    expect(headers.etag).toBe('"1"');
    expect(body.links.self).toBe(`${bindery.url}${draftPath(body.id)}`);
    expect(body.links.publish).toBe(`${bindery.url}${draftPath(body.id)}/actions/publish`);
  });

  it("gives an id whose check digits are right", async () => {
    const { id } = await deposit(alice.client, makeRecord(2));
    const digits = "0123456789abcdefghjkmnpqrstvwxyz";
    const plain = id.replace("-", "");
    const n = [...plain.slice(0, 8)].reduce((sum, digit) => sum * 32n + BigInt(digits.indexOf(digit)), 0n);
    expect(Number(plain.slice(8))).toBe(Number(98n - ((100n * n) % 97n)));
  });

  it("keeps wrong data as it was typed and names each problem", async () => {
    const record = recordWith(3, {
      collection_start_time: "yesterday",
      technique: "Magic",
      depositors: undefined,
      chemical_environments: [{ id: "e", name: "E", solvent: "water", ph: "7,4" }],
      instrument: { id: "ins:999999" },
    });
    const draft = await deposit(alice.client, record);
    for (const path of ["collection_start_time", "technique", "chemical_environments", "instrument"]) {
      const full = `metadata.general_parameters.${path}`;
      expect(at(draft, full), path).toEqual(at(record, full));
    }
    const fields = draft.errors!.map(({ field }) => field);
    const expected = ["collection_start_time", "technique", "depositors", "chemical_environments.0.solvent"];
    for (const field of [...expected, "chemical_environments.0.ph", "instrument.id"]) {
      expect(fields, field).toContain(`metadata.general_parameters.${field}`);
    }
    const technique = draft.errors!.find(({ field }) => field.endsWith("technique"))!;
    expect(technique.pointer).toBe("/metadata/general_parameters/technique");
    expect(technique.value).toBe("Magic");
    expect(technique.allowed).toContain("Surface plasmon resonance (SPR)");
    for (const issue of draft.errors!) expect(issue.messages.length).toBeGreaterThan(0);
    expect((await alice.client.get<RecordShape>(draftPath(draft.id))).body.errors).toEqual(draft.errors);
  });

  it("keeps unknown fields, warns of them with the nearest known name, and publishes them", async () => {
    const record = recordWith(4, { tecnique: "MST", my_notes: { colour: "xanthoproteic" } });
    const answer = await alice.client.post<RecordShape>("/api/records/mst/", record);
    expect(answer.body).not.toHaveProperty("errors");
    const warned = answer.body.warnings!.filter(({ code }) => code === "UNKNOWN_FIELD");
    expect(warned.map(({ field }) => field)).toContain("metadata.general_parameters.tecnique");
    expect(warned.find(({ field }) => field?.endsWith("tecnique"))?.nearest).toContain("technique");
    const done = await alice.client.post<RecordShape>(`${draftPath(answer.body.id)}/actions/publish`);
    expect(done.status).toBe(202);
    expect(at(done.body, "metadata.general_parameters.my_notes.colour")).toBe("xanthoproteic");
    const found = await bindery.client.get<SearchBody<RecordShape>>("/api/search/?q=xanthoproteic");
    expect(found.body.hits.hits.map(({ id }) => id)).toEqual([answer.body.id]);
  });

  it("takes an empty or missing metadata as a draft with errors", async () => {
    for (const body of [{}, { metadata: {} }, { metadata: null }, { metadata: [] }]) {
      const draft = await deposit(alice.client, body);
      expect(draft.errors!.length, JSON.stringify(body)).toBeGreaterThan(0);
    }
  });

  it("warns of keys beside metadata, and takes what the service owns in silence", async () => {
    const body = { ...makeRecord(5), id: "x", files: { enabled: true }, links: {}, $schema: "s", colour: "red" };
    const answer = await alice.client.post<RecordShape>("/api/records/mst/", body);
    expect(answer.status).toBe(201);
    expect(answer.body.warnings).toMatchObject([{ field: "colour" }]);
  });

  it("keeps keys that objects of JavaScript have anyway", async () => {
    const text = `{"metadata": {"__proto__": {"a": 1}, "constructor": "c", "toString": [1], "hasOwnProperty": null}}`;
    const { status, body } = await alice.client.send<RecordShape>("POST", "/api/records/mst/", { text });
    expect(status).toBe(201);
    const read = await alice.client.get(draftPath(body.id));
    expect(read.text).toMatch(/"__proto__":\s*\{"a":\s*1\}/);
    expect(at(body, "metadata.constructor")).toBe("c");
    expect(at(body, "metadata.toString")).toEqual([1]);
  });
});

describe("replacing a draft", () => {
  it("changes nothing when the body of its GET is PUT back", async () => {
    const made = await deposit(alice.client, makeRecord(10));
    const read = await alice.client.get<RecordShape>(draftPath(made.id));
    const put = await alice.client.put<RecordShape>(draftPath(made.id), read.body);
    expect(put.status).toBe(200);
    expect(put.body).toEqual(read.body);
    expect(put.headers.etag).toBe('"1"');
  });

  it("changes nothing when a client sorts the members of what it read", async () => {
    const made = await deposit(alice.client, { metadata: { zone: { b: 1, a: [{ d: 2, c: -0 }] }, area: null } });
    const sorted = { metadata: { area: null, zone: { a: [{ c: 0, d: 2 }], b: 1 } } };
    const put = await alice.client.put<RecordShape>(draftPath(made.id), sorted);
    expect(put.body.revision_id).toBe(1);
  });

  it("changes nothing when the body of a draft with errors is PUT back", async () => {
    const made = await deposit(alice.client, recordWith(11, { technique: 3, instrument: { id: "ins:0", x: 1 } }));
    const read = await alice.client.get<RecordShape>(draftPath(made.id));
    const put = await alice.client.put<RecordShape>(draftPath(made.id), read.body);
    expect(put.body.revision_id).toBe(1);
    expect(put.body.metadata).toEqual(read.body.metadata);
    expect(put.body.errors).toEqual(read.body.errors);
  });

  it("raises the revision and the time of update, and is what the next search finds", async () => {
    const made = await deposit(alice.client, makeRecord(12, { title: "Firsttitle" }));
    const put = await alice.client.put<RecordShape>(draftPath(made.id), makeRecord(12, { title: "Secondtitle" }));
    expect(put.body.revision_id).toBe(2);
    expect(put.body.created).toBe(made.created);
    expect(put.body.updated > made.updated).toBe(true);
    const total = async (q: string) => (await alice.client.get<SearchBody>(`/api/user/search/?q=${q}`)).body.hits.total;
    expect(await total("Secondtitle")).toBe(1);
    expect(await total("Firsttitle")).toBe(0);
  });

  it("refuses a body of another model", async () => {
    const made = await deposit(alice.client, makeRecord(13));
    const { status, body } = await alice.client.put<Problem>(draftPath(made.id), { ...makeRecord(13), model: "spr" });
    expect(status).toBe(400);
    expect(body.code).toBe("MODEL_MISMATCH");
    expect((await alice.client.put(draftPath(made.id, "spr"), makeRecord(13))).status).toBe(404);
  });

  it("reads ids in any case", async () => {
    const made = await deposit(alice.client, makeRecord(14));
    expect((await alice.client.get<RecordShape>(draftPath(made.id.toUpperCase()))).body.id).toBe(made.id);
  });
});

describe("publishing", () => {
  it("answers 202 with the published body, which everybody reads and finds at once", async () => {
    const made = await deposit(alice.client, makeRecord(20, { title: "Zygomorphic assay" }));
    const { status, body, headers } = await alice.client.post<RecordShape>(`${draftPath(made.id)}/actions/publish`, {});
    expect(status).toBe(202);
    expect(body).toMatchObject({
      id: made.id,
      parent: made.parent,
      state: "published",
      is_draft: false,
      is_published: true,
      versions: { index: 1, is_latest: true, is_latest_draft: true },
    });
    expect(body.created > made.created).toBe(true);
    expect(body.revision_id).toBeGreaterThan(made.revision_id);
    expect(headers.etag).toBe(`"${body.revision_id}"`);

    for (const path of [`/api/records/mst/${made.id}`, `/api/records/${made.id}`, `/api/records/mst/${made.id}/`]) {
      const read = await bindery.client.get<RecordShape>(path);
      expect(read.status, path).toBe(200);
      expect(read.body).toEqual(body);
    }
    const found = await bindery.client.get<SearchBody<RecordShape>>("/api/search/?q=zygomorphic");
    expect(found.body.hits.hits).toEqual([body]);
    expect((await alice.client.get(draftPath(made.id))).status).toBe(404);
    expect(body.links.self).toBe(`${bindery.url}/api/records/mst/${made.id}`);
    expect(body.links).not.toHaveProperty("publish");
  });

  it("lets the parent id lead to the record", async () => {
    const made = await publish(alice.client, makeRecord(22));
    for (const path of [`/api/records/mst/${made.parent.id}`, `/api/records/${made.parent.id.toUpperCase()}`]) {
      const { status, headers } = await bindery.client.get(path);
      expect(status, path).toBe(301);
      expect(headers.location).toBe(`${bindery.url}/api/records/mst/${made.id}`);
      expect(headers["cache-control"]).toContain("no-cache");
    }
    expect((await bindery.client.get(`/api/records/spr/${made.parent.id}`)).status).toBe(404);
    expect((await alice.client.get(`/api/records/mst/${made.parent.id}/draft`)).status).toBe(404);
  });

  it("refuses what is not valid, with every problem, and keeps the draft", async () => {
    const made = await deposit(alice.client, recordWith(21, { technique: "Magic" }));
    const { status, body } = await alice.client.post<Problem>(`${draftPath(made.id)}/actions/publish`);
    expect(status).toBe(400);
    expect(body.code).toBe("DRAFT_INVALID");
    expect(body.errors).toEqual(made.errors);
    expect((await alice.client.get<RecordShape>(draftPath(made.id))).body).toMatchObject({ revision_id: 1 });
    expect((await bindery.client.get(`/api/records/mst/${made.id}`)).status).toBe(404);
  });

  it("leaves one row per record in the caller's searches", async () => {
    const bob = await bindery.user("bob");
    const record = await publish(bob.client, makeRecord(22));
    await deposit(bob.client, makeRecord(23));
    const { body } = await bob.client.get<SearchBody<RecordShape>>("/api/user/search/");
    expect(body.hits.hits.map(({ state }) => state)).toEqual(["draft", "published"]);
    expect(body.hits.hits[1]).toEqual(record);
  });

  it("leads by its links only to what is there", async () => {
    const record = await publish(alice.client, makeRecord(24));
    const draft = await deposit(alice.client, recordWith(25, { technique: 1 }));
    const links = [...Object.entries(record.links), ...Object.entries(draft.links)];
    for (const [name, link] of links) {
      const answer = await alice.client.send(name === "publish" ? "POST" : "GET", link!.slice(bindery.url.length));
      expect([200, 301, 400], `${name}: ${link}`).toContain(answer.status);
      if (name === "files") expect(answer.body).toMatchObject({ enabled: false, entries: [] });
    }
  });
});

describe("deleting a draft", () => {
  it("answers 204, and the draft is gone from everywhere", async () => {
    const made = await deposit(alice.client, makeRecord(30, { title: "Ephemeralword" }));
    const { status, text } = await alice.client.delete(draftPath(made.id));
    expect([status, text]).toEqual([204, ""]);
    expect((await alice.client.get(draftPath(made.id))).status).toBe(404);
    expect((await alice.client.delete(draftPath(made.id))).status).toBe(404);
    const found = await alice.client.get<SearchBody>("/api/user/search/?q=Ephemeralword");
    expect(found.body.hits.total).toBe(0);
  });

  it("may carry a Content-Type and no body", async () => {
    const made = await deposit(alice.client, makeRecord(31));
    const headers = { "content-type": "application/json" };
    expect((await alice.client.delete(draftPath(made.id), { headers })).status).toBe(204);
  });
});

it("keeps times strictly increasing, however fast the writes", async () => {
  const drafts = await Promise.all(Array.from({ length: 20 }, (_, n) => deposit(alice.client, makeRecord(40 + n))));
  const times = drafts.map(({ created }) => created);
  expect(new Set(times).size).toBe(times.length);
});
