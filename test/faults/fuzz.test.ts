import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Bindery, startBindery, type TestUser } from "../support/bindery.js";
import { deposit, importItems, publish } from "../support/deposit.js";
import { type Answer, type Problem, sendRaw } from "../support/http-client.js";
import { makeOrganism } from "../support/items.js";
import { makeRecord } from "../support/records.js";
import { SEED } from "../support/seed.js";
import { type HostileRequest, hostileRequests } from "./hostile-requests.js";
import { OFFENDERS, percentEncode } from "./offenders.js";

const REQUESTS = process.env.TEST_LONG ? 100_000 : 1_500;
const IN_FLIGHT = 16;
const SLOW_MS = 1_000;
/** What an engine, a driver or a runtime says when something breaks; clients never see it. */
const ENGINE_TEXT = new RegExp(
  [
    'fts5|sqlite|near "[^"]*": syntax|no such (table|column|module)|malformed match|unterminated string',
    "\\bat .{1,200}\\.[jt]s:\\d+|(Type|Range|Syntax|Reference)Error",
    "cannot read propert|is not a function|maximum call stack",
  ].join("|"),
  "i",
);

let bindery: Bindery;
let alice: TestUser;
let drafts: string[];

beforeAll(async () => {
  bindery = await startBindery();
  alice = await bindery.user("alice");
  for (let n = 0; n < 20; n++) await publish(alice.client, makeRecord(n));
  const made = await Promise.all(Array.from({ length: 8 }, (_, n) => deposit(alice.client, makeRecord(100 + n))));
  drafts = made.map(({ id }) => `/api/records/mst/${id}/draft`);
  await importItems(
    bindery,
    "organisms",
    Array.from({ length: 2_000 }, (_, n) => makeOrganism(n)),
  );
});
afterAll(() => bindery.dispose());

const send = ({ method, path, text, headers, isSigned }: HostileRequest): Promise<Answer<Problem>> =>
  bindery.client.send<Problem>(method, path, {
    ...(isSigned ? { token: alice.token } : {}),
    ...(text === undefined ? {} : { text }),
    ...(headers === undefined ? {} : { headers }),
  });

/** What is wrong with an answer, or undefined. */
function complaint({ status, text, body, headers }: Answer<Problem>, method: string): string | undefined {
  if (status >= 500) return `status ${status}: ${text.slice(0, 300)}`;
  if (status < 400 || method === "HEAD") return undefined;
  if (!/^application\/json/.test(headers["content-type"] ?? "")) return `not our type: ${headers["content-type"]}`;
  const isOurs =
    body.status === status && /^[A-Z_]+$/.test(body.code) && body.message !== "" && typeof body.request_id === "string";
  if (!isOurs) return `not our shape: ${text.slice(0, 300)}`;
  // That a JSON text ends within a string is no engine's word.
  const said = body.code === "BODY_NOT_JSON" ? body.message.replace("Unterminated string", "") : body.message;
  return ENGINE_TEXT.test(said) ? `engine text: ${said.slice(0, 300)}` : undefined;
}

async function runAll(requests: readonly HostileRequest[]): Promise<{ bad: string[]; slow: HostileRequest[] }> {
  const bad: string[] = [];
  const slow: HostileRequest[] = [];
  const queue = requests.values();
  const worker = async (): Promise<void> => {
    for (const request of queue) {
      const shown = `${request.method} ${request.path.slice(0, 300)} ${request.text?.slice(0, 300) ?? ""}`;
      try {
        const answer = await send(request);
        const wrong = complaint(answer, request.method);
        if (wrong !== undefined) bad.push(`${shown}\n  ${wrong}`);
        if (answer.millis > SLOW_MS) slow.push(request);
      } catch (error) {
        bad.push(`${shown}\n  ${(error as Error).message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return { bad, slow };
}

/** Many at once on a busy machine may wait for each other; what is slow alone is slow. */
async function slowAlone(requests: readonly HostileRequest[]): Promise<string[]> {
  const found: string[] = [];
  for (const request of requests) {
    const tries = [await send(request), await send(request), await send(request)];
    const best = Math.min(...tries.map(({ millis }) => millis));
    if (best > SLOW_MS) found.push(`${request.method} ${request.path.slice(0, 300)}: ${Math.round(best)} ms`);
  }
  return found;
}

it(`answers ${REQUESTS} hostile requests with our errors only, none slowly`, {
  timeout: process.env.TEST_LONG ? 3_000_000 : 300_000,
}, async () => {
  const requests = fc.sample(hostileRequests(drafts), { numRuns: REQUESTS, seed: SEED });
  const { bad, slow } = await runAll(requests);
  expect(bad.slice(0, 20), `${bad.length} of TEST_SEED=${SEED}`).toEqual([]);
  expect(slow.length, `slow ones of TEST_SEED=${SEED}`).toBeLessThan(REQUESTS / 50);
  expect(await slowAlone(slow), `TEST_SEED=${SEED}`).toEqual([]);
});

it("answers every known offender as q of every search, as an id and in a body", async () => {
  const gets = OFFENDERS.flatMap((text) => [
    `/api/search/?q=${percentEncode(text)}`,
    `/api/user/search/?q=${percentEncode(`title:(${text})`)}`,
    `/api/search/?highlight=true&q=${percentEncode(`results:(${text})`)}`,
    `/api/search/?organism=${percentEncode(text)}&ph=${percentEncode(text)}&year=${percentEncode(text)}`,
    `/api/vocabularies/organisms?q=${percentEncode(text)}`,
    `/api/vocabularies/organisms?suggest=${percentEncode(text)}`,
    `/api/vocabularies/organisms/${percentEncode(text)}`,
    `/api/records/mst/${percentEncode(text)}`,
  ]).filter((path) => path.length < 60_000);
  const requests: HostileRequest[] = gets.map((path) => ({ method: "GET", path, isSigned: true }));
  const metadata = OFFENDERS.map((text) => JSON.stringify({ metadata: { [text]: text, title: [{ [text]: [text] }] } }));
  requests.push(...metadata.map((text) => ({ method: "POST", path: "/api/records/mst/", text, isSigned: true })));
  const { bad, slow } = await runAll(requests);
  expect(bad).toEqual([]);
  expect(await slowAlone(slow)).toEqual([]);
});

it("answers bytes that are no request line with an error, and goes on", async () => {
  const lines = OFFENDERS.filter((text) => text.length < 1_000).map(
    (text) => `GET /api/search/?q=${text} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  const answers = await Promise.all(lines.map((line) => sendRaw(bindery.url, Buffer.from(line, "utf8"), 3_000)));
  for (const [i, answer] of answers.entries()) {
    expect(answer, lines[i]!).toMatch(/^HTTP\/1\.1 [234]\d\d /);
    expect(answer.slice(0, 20_000)).not.toMatch(/sqlite|fts5/i);
  }
});

it("is as sound afterwards as before", async () => {
  expect((await bindery.client.get("/readyz")).status).toBe(200);
  expect((await publish(alice.client, makeRecord(9_999))).state).toBe("published");
  expect(bindery.output()).not.toMatch(/"level":(50|60)/);
});
