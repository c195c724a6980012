/**
 * Attacks the built service with input that follows the grammars of queries, bodies, SMILES and files, and with
 * signals. A watch beside it asks light requests. Fails on a hang, a 5xx answer, an error in the log, and on anything
 * that stays behind: calls that wait, threads, memory. `TEST_FUZZ_MINUTES` is the duration: 60 with TEST_LONG=1, else
 * half a minute.
 */
import { rmSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Bindery, mainFile, runCommand, settings, startBindery, type TestUser } from "../support/bindery.js";
import { eventually, importItems, publish } from "../support/deposit.js";
import { type Answer, type Client, makeClient, type RecordShape } from "../support/http-client.js";
import { makeOrganism } from "../support/items.js";
import { PAGE_ADDRESSES } from "../support/page-addresses.js";
import { makeRecord } from "../support/records.js";
import { SEED } from "../support/seed.js";
import { hostileFile, writeHostileFile } from "./hostile-files.js";
import { hostileRequests, hostileText } from "./hostile-requests.js";
import { shapedBody, shapedQuery, shapedSmiles } from "./hostile-shapes.js";
import { percentEncode } from "./offenders.js";
import { callsWaiting, quantile, usageOf, type Watch, watchService, withDeadline } from "./service-watch.js";

const MINUTES = Number(process.env.TEST_FUZZ_MINUTES ?? (process.env.TEST_LONG ? 60 : 0.5));
const ROUND_MS = Math.min(60_000, MINUTES * 20_000);
/** An answer, or a command, that takes longer counts as a hang. */
const HANG_MS = 60_000;
/** How long calls and threads may take to end after an attack. */
const REST_MS = 45_000;
const MEMORY_MB_MAX = 2_500;
/** Samples of one generator are made in batches: fast-check holds a batch in memory. */
const BATCH = 20;
/** Published records that hold hostile values; pages and searches show them. */
const PUBLISHED_MAX = 150;

let bindery: Bindery;
let alice: TestUser;
let curator: TestUser;
let ids: string[];
let watch: Watch;
let isEnding = false;
const agents: Agent[] = [];
const findings: string[] = [];
const sent: Record<string, number> = {};

beforeAll(async () => {
  bindery = await startBindery({ env: { BINDERY_LOG_LEVEL: "warn" } });
  alice = await bindery.user("alice");
  curator = await bindery.user("cleo", { role: "curator", scopes: ["vocabularies:write"] });
  ids = [];
  for (let n = 0; n < 20; n++) ids.push((await publish(alice.client, makeRecord(n))).id);
  await importItems(
    bindery,
    "organisms",
    Array.from({ length: 2_000 }, (_, n) => makeOrganism(n)),
  );
  const [light] = ids;
  watch = watchService(bindery, "127.0.0.2", (n) => [
    `/api/records/mst/${light}`,
    `/api/search/?q=protein&p=${(n % 900) + 1}`,
    "/readyz",
    "/api/vocabularies/organisms/taxid:562",
    `/api/vocabularies/organisms?suggest=esch&s=${(n % 50) + 1}`,
    `/records/${light}`,
  ]);
});
afterAll(async () => {
  await watch?.stop();
  for (const agent of agents) agent.destroy();
  await bindery?.dispose();
});

/** A client that connects from an address of its own: on Linux all of 127.0.0.0/8 lead to this machine. */
function clientFrom(localAddress: string): Client {
  const agent = new Agent({ keepAlive: true, localAddress, maxSockets: 8 });
  agents.push(agent);
  return makeClient(() => bindery.url, agent);
}

type Sent = Pick<Answer, "status" | "text" | "body">;

/** Returns whether the answer is the documented refusal of one more drawing (`structuresWaitingMax`). */
const isFullQueue = ({ status, text, headers }: Answer): boolean =>
  status === 503 && text.includes("structures wait to be drawn") && headers["retry-after"] !== undefined;

/** Lines of the log about a drawing that reached its time limit: its thread is replaced by design. */
const DRAWING_ENDED =
  /^.*The drawing thread (did not answer a call of drawStructure in time|stopped; it restarts).*$/gm;

/** Sends a request and notes a hang, a 5xx or a broken connection. @returns the answer, if there is one */
async function attack(client: Client, method: string, path: string, options = {}): Promise<Sent | undefined> {
  const shown = `${method} ${path.slice(0, 400)}`;
  try {
    const answer = await withDeadline(client.send(method, path, options), HANG_MS);
    const of = `${Math.floor(answer.status / 100)}xx`;
    sent[of] = (sent[of] ?? 0) + 1;
    if (answer.status >= 500 && !isEnding && !isFullQueue(answer))
      findings.push(`${shown}: ${answer.status} ${answer.text.slice(0, 400)}`);
    return answer;
  } catch (error) {
    if (!isEnding) findings.push(`${shown}: ${(error as Error).message}`);
    return undefined;
  }
}

/** Sends what one sample asks for. */
type Attack = (client: Client) => Promise<void>;

const pick = <T>(values: readonly T[], n: number): T => values[n % values.length]!;

const queryAttack: fc.Arbitrary<Attack> = fc
  .tuple(
    shapedQuery,
    fc.constantFrom(
      ...[
        "/api/search/?q=",
        "/api/query?q=",
        "/search?build=1&q=",
        "/search?q=",
        "/api/records/mst/?highlight=true&s=100&q=",
      ],
      ...[
        "/api/vocabularies/organisms?q=",
        "/api/vocabularies/organisms?suggest=",
        "/search?view=table&rows=results&q=",
      ],
      ...[
        "/api/search/?format=csv&q=",
        "/api/search/?format=ndjson&q=",
        "/vocabularies/organisms?q=",
        "/api/user/search/?q=",
      ],
    ),
    fc.boolean(),
  )
  .map(([text, path, isSigned]) => async (client) => {
    await attack(isSigned ? client.as(alice.token) : client, "GET", `${path}${percentEncode(text)}`.slice(0, 60_000));
  });

const bodyAttack: fc.Arbitrary<Attack> = fc
  .tuple(shapedBody, fc.nat(3))
  .map(([{ model, text }, way]) => async (client) => {
    const mine = client.as(alice.token);
    const root = `/api/records/${model}`;
    if (way === 0) return void (await attack(mine, "POST", `${root}/?validate=only`, { text }));
    const made = await attack(mine, "POST", `${root}/`, { text });
    if (made?.status !== 201) return;
    const { id } = made.body as unknown as RecordShape;
    const draft = `${root}/${id}/draft`;
    await attack(mine, "GET", draft);
    await attack(mine, "PUT", draft, { text });
    const published = ids.length < PUBLISHED_MAX ? await attack(mine, "POST", `${draft}/actions/publish`) : undefined;
    if (published?.status === 202) ids.push(id);
    else await attack(mine, "DELETE", draft);
  });

const FORMATS = [
  "datacite-xml",
  "datacite-json",
  "dublin-core",
  "bibtex",
  "ris",
  "csl",
  "jsonld",
  "citation",
  "results",
  "linkset",
];
const pageAttack: fc.Arbitrary<Attack> = fc
  .tuple(fc.nat(), fc.nat(), fc.nat(), hostileText, fc.constantFrom("page", "page", "format", "compare", "hits"))
  .map(([one, other, page, text, kind]) => async (client) => {
    const [id, second] = [pick(ids, one), pick(ids, other)];
    if (kind === "format") await attack(client, "GET", `/api/records/${id}?format=${pick(FORMATS, page)}`);
    else if (kind === "compare") {
      const six = Array.from({ length: 6 }, (_, n) => `ids=${pick(ids, one + n * other)}`);
      await attack(client, "GET", `/compare?${six.join("&")}`);
    } else if (kind === "hits") {
      await attack(client, "GET", `/api/search/?highlight=true&s=${(page % 200) + 1}&q=a*&p=${(one % 3) + 1}`);
    } else {
      const address = pick(PAGE_ADDRESSES, page).replace(":record", id).replace(":other", second);
      const more = `${address.includes("?") ? "&" : "?"}x=${percentEncode(text.slice(0, 2_000))}`;
      await attack(client, "GET", `${address}${other % 2 === 0 ? "" : more}`.slice(0, 60_000));
    }
  });

const LETTERS = fc.string({ unit: fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"), minLength: 25, maxLength: 25 });
const smilesAttack: fc.Arbitrary<Attack> = fc
  .tuple(shapedSmiles, LETTERS)
  .map(([smiles, letters]) => async (client) => {
    const id = `inchikey:${letters.slice(0, 14)}-${letters.slice(14, 24)}-${letters.slice(24)}`;
    const term = `/api/vocabularies/chemicals/${id}`;
    const body = { id, title: { en: `Compound ${letters}` }, props: { smiles } };
    const made = await attack(client.as(curator.token), "POST", "/api/vocabularies/chemicals", { json: body });
    if (made?.status !== 201) return;
    await Promise.all([
      attack(client, "GET", `${term}/structure.svg`),
      attack(client, "GET", `${term}/structure.svg`),
      attack(client, "GET", `/vocabularies/chemicals/${id}`),
    ]);
    await attack(client.as(curator.token), "DELETE", term);
  });

const otherAttack: fc.Arbitrary<Attack> = hostileRequests(["/api/records/mst/nobod-y0000/draft"]).map(
  ({ method, path, text, headers, isSigned }) =>
    async (client) => {
      const options = { ...(text === undefined ? {} : { text }), ...(headers === undefined ? {} : { headers }) };
      await attack(isSigned ? client.as(alice.token) : client, method, path, options);
    },
);

/** The attackers: address, what they send, and how many at a time. */
const ATTACKERS = [
  ["127.0.0.11", queryAttack, 6],
  ["127.0.0.12", bodyAttack, 3],
  ["127.0.0.13", pageAttack, 4],
  ["127.0.0.14", smilesAttack, 2],
  ["127.0.0.15", otherAttack, 3],
] as const;

/** Sends samples until the end of the round. */
async function attackUntil(end: number, client: Client, samples: () => readonly Attack[]): Promise<void> {
  while (performance.now() < end) {
    for (const send of samples()) {
      if (performance.now() > end) return;
      await send(client);
    }
  }
}

/** Reads hostile files with commands beside the service until the end of the round. */
async function runCommandsUntil(end: number, seed: number): Promise<void> {
  for (let n = 0; performance.now() < end; n++) {
    const file = fc.sample(hostileFile, { numRuns: 1, seed: seed + n })[0]!;
    const args = writeHostileFile(bindery.data, file);
    const program = ["--signal=KILL", String(HANG_MS / 1_000), process.execPath, mainFile(), ...args];
    const { code, stderr } = await runCommand("timeout", program, settings(bindery.data));
    rmSync(join(bindery.data, file.name), { force: true });
    sent.commands = (sent.commands ?? 0) + 1;
    const shown = `bindery ${args.join(" ")} (seed ${seed + n})`;
    // 124 and above: ended by its deadline or by a signal.
    if (code === null || code >= 124 || /\bat .{1,200}\.[jt]s:\d+/.test(stderr)) {
      findings.push(`${shown}: code ${code} ${stderr.slice(-600)}`);
    }
  }
}

/** Signals that must end the service cleanly, and two that it survives. */
const ENDING = ["SIGTERM", "SIGHUP", "SIGKILL", "SIGINT", "SIGQUIT", "SIGUSR2"] as const;
const END_MS = 30_000;

/** Ends the service with a signal while requests run, and starts it again. */
async function endAndRestart(signal: (typeof ENDING)[number]): Promise<void> {
  process.kill(bindery.pid, "SIGUSR1");
  await sleep(500);
  const output = bindery.output().replace(DRAWING_ENDED, "");
  if (/debugger/i.test(output)) findings.push("SIGUSR1 opens a debugger");
  if (/"level":(50|60)/.test(output)) findings.push(`an error in the log:\n${output.slice(0, 2_000)}`);
  isEnding = true;
  watch.isPaused = true;
  const ended = await withDeadline(bindery.end(signal), END_MS).catch((error: Error) => error);
  if (ended instanceof Error) {
    findings.push(`${signal}: ${ended.message}`);
    await bindery.end("SIGKILL");
  } else if (signal !== "SIGKILL" && ended.code !== 0) findings.push(`${signal}: code ${ended.code}`);
  await bindery.restart();
}

/** Notes what an attack has left behind. */
async function checkRest(threadsMax: number): Promise<void> {
  await eventually(async () => {
    const waiting = Object.entries(await callsWaiting(bindery.client)).filter(([, count]) => count > 0);
    const { threads } = usageOf(bindery.pid);
    const { status, text } = await bindery.client.get("/readyz");
    expect({ waiting, status, text: status === 200 ? "" : text }).toEqual({ waiting: [], status: 200, text: "" });
    expect(threads).toBeLessThanOrEqual(threadsMax);
  }, REST_MS).catch((error: Error) => findings.push(`left behind: ${error.message}`));
  if (watch.memoryMb > MEMORY_MB_MAX) findings.push(`memory: ${watch.memoryMb} MB`);
}

it("neither hangs nor fails, and leaves nothing behind", { timeout: MINUTES * 60_000 * 2 + 600_000 }, async () => {
  const end = performance.now() + MINUTES * 60_000;
  // Threads that start with the first request that needs them: for drawing, preparing, the relay, file access.
  const threadsMax = usageOf(bindery.pid).threads + 12;
  for (let round = 0; performance.now() < end && findings.length < 50; round++) {
    const roundEnd = performance.now() + ROUND_MS;
    let batch = SEED + round * 1_000_003;
    const attackers = ATTACKERS.flatMap(([address, arbitrary, count]) => {
      const client = clientFrom(address);
      const samples = (): Attack[] => fc.sample<Attack>(arbitrary, { numRuns: BATCH, seed: batch++ });
      return Array.from({ length: count }, () => attackUntil(roundEnd, client, samples));
    });
    const commands = runCommandsUntil(roundEnd, batch);
    const ending =
      round % 3 === 2 ? sleep(ROUND_MS * 0.9).then(() => endAndRestart(pick(ENDING, round / 3))) : undefined;
    await Promise.all([...attackers, commands, ending]);
    isEnding = false;
    watch.isPaused = false;
    await checkRest(threadsMax);
    for (const agent of agents.splice(0)) agent.destroy();
  }
  await watch.stop();
  const { millis, failures, memoryMb } = watch;
  const light = [0.5, 0.99, 1].map((share) => Math.round(quantile(millis, share)));
  process.stdout.write(
    `Fuzzed for ${MINUTES} min: ${JSON.stringify(sent)}; light p50/p99/max ${light.join("/")} ms; ${memoryMb} MB\n`,
  );
  expect([...findings, ...failures], `TEST_SEED=${SEED}`).toEqual([]);
  const verified = await bindery.program("verify");
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
});
