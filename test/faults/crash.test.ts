import { afterAll, beforeAll, expect, it } from "vitest";
import { type Bindery, startBindery, type TestUser } from "../support/bindery.js";
import type { Client, RecordShape, SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";

const ROUNDS = process.env.TEST_LONG === "1" ? 100 : 3;
const WRITERS = 4;

/** What one id was last acknowledged to be, and what was asked of it after that without an answer. */
interface Written {
  readonly word: string;
  acknowledged: RecordShape | undefined;
  /** The states that an unanswered request may have led to. */
  asked: "saved" | "published" | "deleted" | undefined;
  isDeleted: boolean;
}

let bindery: Bindery;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startBindery();
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

const draftPath = (id: string): string => `/api/records/mst/${id}/draft`;

/** Creates, replaces, publishes and deletes until the server is gone. */
async function write(client: Client, name: string, written: Written[]): Promise<void> {
  for (let n = 0; ; n++) {
    const entry: Written = { word: `${name}n${n}`, acknowledged: undefined, asked: "saved", isDeleted: false };
    written.push(entry);
    const body = (turn: number) => makeRecord(n, { title: `Crash ${entry.word} turn ${turn}` });
    const ask = async (what: Written["asked"], send: () => Promise<{ status: number; body: RecordShape }>) => {
      entry.asked = what;
      const answer = await send();
      expect([200, 201, 202, 204]).toContain(answer.status);
      if (what === "deleted") entry.isDeleted = true;
      else entry.acknowledged = withoutWarnings(answer.body);
      entry.asked = undefined;
    };
    await ask("saved", () => client.post("/api/records/mst/", body(0)));
    const path = draftPath(entry.acknowledged!.id);
    if (n % 2 === 0) await ask("saved", () => client.put(path, body(1)));
    if (n % 3 === 0) await ask("published", () => client.post(`${path}/actions/publish`));
    else if (n % 5 === 0) await ask("deleted", () => client.delete(path));
  }
}

function withoutWarnings(body: RecordShape): RecordShape {
  const { warnings: _, ...rest } = body;
  return rest;
}

/** What the server, started again, says of one id must be what it had acknowledged, or what was asked last. */
async function check({ word, acknowledged, asked, isDeleted }: Written): Promise<void> {
  const found = await alice.client.get<SearchBody<RecordShape>>(`/api/user/search/?q=${word}`);
  const { hits, total } = found.body.hits;
  expect(hits).toHaveLength(total);
  if (acknowledged === undefined) {
    // The very first request was not answered: it happened whole, or not at all.
    expect(total).toBeLessThanOrEqual(1);
    if (total === 1) expect((await alice.client.get(draftPath(hits[0]!.id))).status).toBe(200);
    return;
  }
  const { id } = acknowledged;
  const draft = await alice.client.get<RecordShape>(draftPath(id));
  const published = await bindery.client.get<RecordShape>(`/api/records/mst/${id}`);
  if (isDeleted || (asked === "deleted" && draft.status === 404)) {
    expect([draft.status, published.status, total]).toEqual([404, 404, 0]);
    return;
  }
  const now = acknowledged.state === "published" || published.status === 200 ? published : draft;
  expect(now.status, word).toBe(200);
  expect(
    [draft.status, published.status].filter((status) => status === 200),
    word,
  ).toHaveLength(1);
  if (asked === undefined || asked === "deleted") expect(stripUrls(now.body)).toEqual(stripUrls(acknowledged));
  else expect(now.body.revision_id - acknowledged.revision_id).toBeLessThanOrEqual(1);
  expect(hits.map(stripUrls), word).toEqual([stripUrls(now.body)]);
}

/** Waits until so many records were acknowledged. */
async function reach(written: readonly Written[], count: number): Promise<void> {
  while (written.filter(({ acknowledged }) => acknowledged !== undefined).length < count) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Links hold the port, which is another one after each start. */
function stripUrls({ links: _, ...rest }: RecordShape): object {
  return rest;
}

it(`keeps every acknowledged write over ${ROUNDS} kills`, { timeout: ROUNDS * 30_000 }, async () => {
  let acknowledged = 0;
  const kept = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const written: Written[] = [];
    const writers = Array.from({ length: WRITERS }, (_, i) => write(alice.client, `r${round}w${i}`, written));
    const outcomes = Promise.allSettled(writers);
    await reach(written, WRITERS * (1 + (round % 5)));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
    await bindery.end("SIGKILL");
    for (const outcome of await outcomes) {
      // A writer ends by losing its connection, never by a wrong answer.
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: /^(ECONN|EPIPE)/ } });
    }
    await bindery.restart();
    for (const entry of written) await check(entry);
    acknowledged += written.filter((entry) => entry.acknowledged !== undefined).length;
    for (const entry of written) if (entry.acknowledged && !entry.isDeleted) kept.add(entry.acknowledged.id);
  }
  expect(acknowledged).toBeGreaterThanOrEqual(ROUNDS * WRITERS);
  const { body } = await alice.client.get<SearchBody>("/api/user/search/?s=1");
  expect(body.hits.total).toBeGreaterThanOrEqual(kept.size - ROUNDS * WRITERS);
  expect(body.hits.total).toBeLessThanOrEqual(kept.size + ROUNDS * WRITERS);
});

it("answers a repeated request with the same Idempotency-Key as before it was killed", async () => {
  const keyed = { headers: { "idempotency-key": "crash" } };
  const first = await alice.client.post<RecordShape>("/api/records/mst/", makeRecord(7), keyed);
  await bindery.end("SIGKILL");
  await bindery.restart();
  const again = await alice.client.post<RecordShape>("/api/records/mst/", makeRecord(7), keyed);
  expect([again.status, again.body.id]).toEqual([201, first.body.id]);
  expect((await alice.client.post("/api/records/mst/", makeRecord(8), keyed)).status).toBe(409);
});
