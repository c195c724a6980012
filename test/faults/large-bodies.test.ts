import { afterAll, beforeAll, expect, it } from "vitest";
import { type Bindery, startBindery, type TestUser } from "../support/bindery.js";
import type { Problem, RecordShape } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";

/** Generous: how quick it is, `bench/writes.ts` shows. */
const ANSWERED_MS = 50_000;

let bindery: Bindery;
let alice: TestUser;
beforeAll(async () => {
  const text = { BINDERY_TEXT_KB: "10000", BINDERY_RECORD_TEXT_KB: "10000" };
  const env = { BINDERY_RATE_LIMITS: "reads=100000,searches=100000,writes=100000", ...text };
  bindery = await startBindery({ env });
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

/** A valid record of 10 MB: text of so many words, and a long one that has none. */
function largeRecord(words: number): object {
  const { metadata } = makeRecord(1, { title: "Large" }) as { metadata: Record<string, unknown> };
  const text = Array.from({ length: words }, (_, i) => `word${i}`).join(" ");
  return { metadata: { ...metadata, text, padding: "-".repeat(9_980_000 - text.length) } };
}

const post = (body: unknown) => alice.client.post<Problem & RecordShape>("/api/records/mst/", body);

it("a text of 2 MB of words is refused with what is too long, and what to do", async () => {
  const title = "word ".repeat(400_000);
  const answer = await post({ metadata: { general_parameters: { record_information: { title } } } });
  expect([answer.status, answer.body.code]).toEqual([400, "RECORD_TOO_LONG"]);
  expect(answer.body.message).toContain("metadata.general_parameters.record_information.title (400000)");
});

it("many bodies of 10 MB at once are stored or told to come again; light writes beside them are answered", async () => {
  const large = [20_000, 25_000, 20_000, 800_000, 25_000, 20_000, 25_000, 800_000].map(largeRecord);
  let isOver = false;
  const began = performance.now();
  const flood = Promise.all(large.map(post)).finally(() => {
    isOver = true;
  });
  const light: number[] = [];
  while (!isOver && performance.now() - began < ANSWERED_MS) light.push((await post(makeRecord(light.length))).status);
  const statuses = (await flood).map(({ status, body }) => (status === 201 ? 201 : `${status} ${body.code}`));
  expect(new Set(light)).toEqual(new Set([201]));
  // What one caller has waiting is bounded, and so is the memory for all waiting requests.
  const expected = ["201", "400 RECORD_TOO_LONG", "429 SEARCHES_TOO_MANY", "503 STORE_UNAVAILABLE"];
  expect(expected).toEqual(expect.arrayContaining(statuses.map(String)));
  expect(statuses).toContain(201);
  const after = await post(largeRecord(20_000));
  expect(after.status).toBe(201);
  const published = await alice.client.post<Problem>(`/api/records/mst/${after.body.id}/draft/actions/publish`);
  expect(published.status).toBe(202);
});
