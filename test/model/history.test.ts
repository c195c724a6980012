import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bindery, startBindery, type TestUser } from "../support/bindery.js";
import { deposit } from "../support/deposit.js";
import { type Happening, problemsOf, type Read, type Row } from "../support/history.js";
import type { Answer, Client, RecordShape, SearchBody } from "../support/http-client.js";
import { at } from "../support/http-client.js";
import { type SeededRandom, seeded } from "../support/random.js";
import { SEED } from "../support/seed.js";
import { smallRecord } from "../support/small-record.js";

const ROUNDS = process.env.TEST_LONG === "1" ? 40 : 2;
const WRITERS = 4;
const READERS = 4;
const WRITES_EACH = 25;

/** One record that many work on, and what they did. */
interface Round {
  readonly id: string;
  readonly word: string;
  readonly history: Happening[];
  /** Sends the requests of the owner and of the curator. */
  readonly writers: readonly Client[];
  readonly reader: Client;
  /** The draft of a new version, where one was seen. */
  newVersion?: string | undefined;
  titles: number;
  isOver: boolean;
}

describe.each([1, 2])("many clients at once on one record, served by %i processes", (processes) => {
  let bindery: Bindery;
  let alice: TestUser;
  let carol: TestUser;
  beforeAll(async () => {
    bindery = await startBindery({ env: { BINDERY_WORKERS: String(processes) } });
    alice = await bindery.user("alice");
    carol = await bindery.user("carol", { role: "curator" });
  });
  afterAll(() => bindery.dispose());

  it("lose no write, and see each acknowledged one at once", { timeout: 3_000_000 }, async () => {
    const all: Happening[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      const word = `round${n}history`;
      const { id } = await deposit(alice.client, bodyOf(word, 0));
      const writers = [alice.client, carol.client];
      const round: Round = { id, word, history: [], writers, reader: bindery.client, titles: 0, isOver: false };
      const random = (client: number): SeededRandom => seeded(SEED + 1_000 * n + client);
      const readers = Array.from({ length: READERS }, (_, i) => readAlong(round, random(100 + i)));
      await Promise.all(Array.from({ length: WRITERS }, (_, i) => writeAlong(round, random(i))));
      round.isOver = true;
      await Promise.all(readers);
      for (const view of VIEWS) await read(round, view);
      expect(problemsOf({ revision: 1, title: titleOf(word, 0) }, round.history), `TEST_SEED=${SEED}`).toEqual([]);
      all.push(...round.history);
    }
    expectBusy(all);
  });
});

const bodyOf = (word: string, n: number): object =>
  smallRecord({ model: "mst", title: titleOf(word, n), rights: "open", isValid: true });
const titleOf = (word: string, n: number): string => `${word} turn ${n}`;

/** Checks that enough happened for the check to mean something. */
function expectBusy(history: readonly Happening[]): void {
  const count = (kind: Happening["kind"]): number => history.filter((each) => each.kind === kind).length;
  for (const kind of ["publish", "edit", "turn", "refusal"] as const) expect(count(kind), kind).toBeGreaterThan(0);
  expect(count("replace")).toBeGreaterThan(ROUNDS * WRITERS);
  expect(count("read")).toBeGreaterThan(ROUNDS * WRITES_EACH);
}

async function writeAlong(round: Round, random: SeededRandom): Promise<void> {
  let known: number | undefined;
  for (let n = 0; n < WRITES_EACH; n++) {
    const dice = random.next();
    const client = random.pick(round.writers);
    if (dice < 0.15) known = await send(round, client, "publish", random.next() < 0.5 ? known : undefined);
    else if (dice < 0.4) known = await send(round, client, "edit", undefined);
    else if (dice < 0.5) await openVersion(round, client);
    else if (dice < 0.6) await dropVersion(round, client);
    else if (dice < 0.7) known = await read(round, "draft", client);
    else known = await send(round, client, "replace", random.next() < 0.5 ? known : undefined);
  }
}

async function readAlong(round: Round, random: SeededRandom): Promise<void> {
  while (!round.isOver) await read(round, random.pick(VIEWS));
}

/** Sends a write of the record. @returns the draft's revision as far as the answer says it */
async function send(
  round: Round,
  client: Client,
  kind: "replace" | "publish" | "edit",
  named: number | undefined,
): Promise<number | undefined> {
  const path = draftPath(round.id);
  const headers = named === undefined ? {} : { "if-match": `"${named}"` };
  const from = performance.now();
  const answer = await ask(client, kind, path, headers, () => bodyOf(round.word, ++round.titles));
  const times = { from, to: performance.now() };
  if (answer.status === 412) round.history.push({ kind: "refusal", named: named!, ...times });
  else if (answer.status === 404) {
    // What cannot be edited is not published, and what cannot be replaced or published has no draft.
    round.history.push({ kind: "read", view: kind === "edit" ? "record" : "draft", ...times });
  } else if (kind === "edit" && answer.status === 200) {
    round.history.push({ kind: "read", view: "draft", row: rowOf(answer.body), ...times });
  } else {
    expect([200, 201, 202], answer.text).toContain(answer.status);
    round.history.push({ kind, named, ...rowOf(answer.body), ...times });
  }
  return answer.status < 300 && kind !== "publish" ? answer.body.revision_id : undefined;
}

function ask(
  client: Client,
  kind: "replace" | "publish" | "edit",
  path: string,
  headers: Readonly<Record<string, string>>,
  body: () => object,
): Promise<Answer<RecordShape>> {
  if (kind === "replace") return client.put(path, body(), { headers });
  return client.post(kind === "edit" ? path : `${path}/actions/publish`, undefined, { headers });
}

/** Opens the draft of a new version: the record is no longer the newest, which raises its revision. */
async function openVersion(round: Round, client: Client): Promise<void> {
  const from = performance.now();
  const answer = await client.post<RecordShape>(`/api/records/mst/${round.id}/versions`);
  const times = { from, to: performance.now() };
  if (answer.status === 404) round.history.push({ kind: "read", view: "record", ...times });
  else expect([200, 201], answer.text).toContain(answer.status);
  if (answer.status === 201) round.history.push({ kind: "turn", ...times });
  if (answer.status < 300) round.newVersion = answer.body.id;
}

async function dropVersion(round: Round, client: Client): Promise<void> {
  if (round.newVersion === undefined) return;
  const from = performance.now();
  const { status, text } = await client.delete(draftPath(round.newVersion));
  expect([204, 404], text).toContain(status);
  if (status === 204) round.history.push({ kind: "turn", from, to: performance.now() });
}

const draftPath = (id: string): string => `/api/records/mst/${id}/draft`;

const VIEWS = ["draft", "record", "search", "own"] as const;

/** Looks at the record. @returns the revision that is there */
async function read(round: Round, view: Read["view"], client = round.writers[0]!): Promise<number | undefined> {
  const from = performance.now();
  const row = await (view === "draft" || view === "record" ? readOne(round, view, client) : findOne(round, view));
  round.history.push({ kind: "read", view, row, from, to: performance.now() });
  return row?.revision;
}

async function readOne({ id, reader }: Round, view: "draft" | "record", client: Client): Promise<Row | undefined> {
  const path = view === "draft" ? draftPath(id) : `/api/records/mst/${id}`;
  const { status, body, text } = await (view === "draft" ? client : reader).get<RecordShape>(path);
  expect([200, 404], text).toContain(status);
  return status === 200 ? rowOf(body) : undefined;
}

async function findOne({ id, word, reader, writers }: Round, view: "search" | "own"): Promise<Row | undefined> {
  const [client, path] = view === "search" ? [reader, "/api/search/"] : [writers[0]!, "/api/user/search/"];
  const { status, body, text } = await client.get<SearchBody<RecordShape>>(`${path}?q=${word}&s=100`);
  expect(status, text).toBe(200);
  expect(body.hits.total).toBe(body.hits.hits.length);
  const found = body.hits.hits.filter((hit) => hit.id === id);
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0] && rowOf(found[0]);
}

function rowOf(body: RecordShape): Row {
  const title = String(at(body, "metadata.general_parameters.record_information.title"));
  return { revision: body.revision_id, title };
}
