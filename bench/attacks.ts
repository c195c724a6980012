/** How long light requests of one caller take while another one attacks the service with its default limits. */
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../src/core/json.js";
import { clique } from "../test/faults/hostile-shapes.js";
import { withDeadline } from "../test/faults/service-watch.js";
import { type Bindery, startBindery } from "../test/support/bindery.js";
import { type Client, makeClient, type RecordShape } from "../test/support/http-client.js";
import { makeRecord } from "../test/support/records.js";
import { smallRecord } from "../test/support/small-record.js";
import { quantile } from "./measure.js";
import type { BenchOptions } from "./options.js";

/** Largest p99 of a light request under any attack, in milliseconds. */
const TO_REACH_MS = 50;
const CONNECTIONS = 6;
/** Between two light requests: faster ones would meet the limit of one address. */
const LIGHT_PAUSE_MS = 15;
/** Without an answer for so long, a request hangs. */
const HANG_MS = 20_000;
const ATTACKER = "127.0.0.3";
const LARGE_RECORDS = 12;
const MEASUREMENTS = 1_700;

/** Records and terms that the attacks use. */
interface Target {
  readonly bindery: Bindery;
  readonly token: string;
  /** Ids of records that are as large as a deposit may be. */
  readonly large: readonly string[];
  /** Paths of terms whose structures are hard to draw. */
  readonly tangled: readonly string[];
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly text?: string;
  readonly isSigned?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

const get = (path: string): Sent => ({ method: "GET", path });
const brackets = (n: number): string => `${"(".repeat(1_500)}a${n}${")".repeat(1_500)}`;

function compared(large: readonly string[], n: number): string {
  const six = Array.from(
    { length: 6 },
    (_, k) => `ids=${large[(n * (1 + Math.floor(n / LARGE_RECORDS)) + k) % large.length]}`,
  );
  return `/compare?${[...new Set(six)].join("&")}&unit.kd=nM&n=${n}`;
}

/** The n-th request of each attack; each has a URL of its own. */
const ATTACKS: readonly (readonly [name: string, request: (target: Target, n: number) => Sent])[] = [
  ["queries of 1,500 nested brackets", (_, n) => get(`/api/query?q=${brackets(n)}`)],
  ["the same in the query builder", (_, n) => get(`/search?build=1&q=${brackets(n)}`)],
  ["structures of 12 atoms, each bound to each", ({ tangled }, n) => get(tangled[n % tangled.length]!)],
  ["comparisons of six largest records", ({ large }, n) => get(compared(large, n))],
  ["pages of the largest records", ({ large }, n) => get(`/records/${large[n % large.length]}?n=${n}`)],
  ["result pages of the largest records", (_, n) => get(`/search?q=measurement+OR+x${n}&s=50`)],
  ["matches marked in the largest records", (_, n) => get(`/api/search/?q=m*+OR+x${n}&highlight=true&s=50`)],
  [
    "exports of the largest records",
    ({ large }, n) => ({
      ...get(`/api/records/mst/${large[n % large.length]}`),
      // Answers are kept by URL and `Accept`.
      headers: { accept: `application/ld+json, application/json;q=0.${n}1` },
    }),
  ],
  ["streams of all records", (_, n) => get(`/api/search/?q=measurement+OR+x${n}&format=csv`)],
  ["validation of bodies of 10 MB", (_, n) => post("/api/records/mst/?validate=only", n, 9_900_000)],
  ["deposits of bodies of 10 MB", (_, n) => post("/api/records/mst/", n, 9_900_000)],
  ["small deposits", (_, n) => ({ ...post("/api/records/mst/", n, 1), isSigned: true })],
  ["paths of 60,000 slashes", (_, n) => get(`${"/".repeat(60_000)}${n}`)],
];

function post(path: string, n: number, titleLength: number): Sent {
  const { metadata } = smallRecord({
    model: "mst",
    title: `${n} ${"a ".repeat(titleLength / 2)}`,
    rights: "open",
    isValid: true,
  });
  return { method: "POST", path, text: JSON.stringify({ metadata }), isSigned: true };
}

const LIGHT = [
  (id: string) => `/api/records/mst/${id}`,
  () => "/readyz",
  (_: string, n: number) => `/api/search/?q=protein+OR+light${n}&facets=none`,
  (_: string, n: number) => `/api/vocabularies/organisms?suggest=esch&s=${(n % 40) + 1}`,
];

export async function reportAttacks({ seconds, only = "" }: Pick<BenchOptions, "seconds" | "only">): Promise<string> {
  const bindery = await startBindery({ env: { BINDERY_RATE_LIMITS: "" } });
  const agents = [ATTACKER, "127.0.0.2"].map(
    (localAddress) => new Agent({ keepAlive: true, localAddress, maxSockets: 64 }),
  );
  const [attacker, other] = agents.map((agent) => makeClient(() => bindery.url, agent)) as [Client, Client];
  try {
    const target = await prepare(bindery);
    const id = await publish(bindery.client.as(target.token), makeRecord(1));
    const rows = [row("nothing", await timeLight(other, id, seconds), new Map())];
    for (const [name, request] of ATTACKS.filter(([each]) => each.includes(only))) {
      // What one attack left behind does not count for the next.
      await bindery.end("SIGKILL");
      await bindery.restart();
      const statuses = new Map<string, number>();
      const attack = startAttack(attacker, target, request, statuses);
      const light = await timeLight(other, id, seconds);
      await attack.end();
      rows.push(row(name, light, statuses));
      process.stderr.write(`${rows.at(-1)}\n`);
    }
    return describe(rows);
  } finally {
    for (const agent of agents) agent.destroy();
    await bindery.dispose();
  }
}

async function prepare(bindery: Bindery): Promise<Target> {
  const { client, token } = await bindery.user("mallory");
  const curator = await bindery.user("cleo", { role: "curator", scopes: ["vocabularies:write"] });
  const large: string[] = [];
  for (let n = 0; n < LARGE_RECORDS; n++) large.push(await publish(client, largeRecord(n)));
  const tangled: string[] = [];
  for (let n = 0; n < 20; n++) {
    const id = `inchikey:${"AAAAAAAAAAAAAA"}-BBBBBBBB${String.fromCharCode(65 + n)}A-N`;
    const body = { id, title: { en: `Tangled ${n}` }, props: { smiles: `${"C".repeat(n)}${clique(12)}` } };
    const { status, text } = await curator.client.post("/api/vocabularies/chemicals", body);
    if (status !== 201) throw new Error(`A term was answered ${status}: ${text}`);
    tangled.push(`/api/vocabularies/chemicals/${id}/structure.svg`);
  }
  return { bindery, token, large, tangled };
}

/** A valid record with nearly as many values as a body may have. */
function largeRecord(n: number): { readonly metadata: JsonObject } {
  const { metadata } = smallRecord({ model: "mst", title: `Largest ${n}`, rights: "open", isValid: true });
  const method = metadata.method_specific_parameters as JsonObject;
  const [measurement] = method.measurements as JsonObject[];
  const measurements = Array.from({ length: MEASUREMENTS }, (_, k) => ({
    ...measurement,
    id: `m${k}`,
    name: `Measurement ${k} of ${n}`,
  }));
  return { metadata: { ...metadata, method_specific_parameters: { ...method, measurements } } };
}

async function publish(client: Client, body: object): Promise<string> {
  const made = await client.post<RecordShape>("/api/records/mst/", body);
  if (made.status !== 201) throw new Error(`A deposit was answered ${made.status}: ${made.text.slice(0, 2_000)}`);
  const published = await client.post(`/api/records/mst/${made.body.id}/draft/actions/publish`);
  if (published.status !== 202)
    throw new Error(`Publishing was answered ${published.status}: ${published.text.slice(0, 2_000)}`);
  return made.body.id;
}

function startAttack(
  attacker: Client,
  target: Target,
  request: (target: Target, n: number) => Sent,
  statuses: Map<string, number>,
): { end(): Promise<void> } {
  let n = 0;
  let isOver = false;
  const attack = async (): Promise<void> => {
    while (!isOver) {
      const { method, path, text, isSigned, headers } = request(target, n++);
      const options = {
        ...(text === undefined ? {} : { text }),
        ...(headers === undefined ? {} : { headers }),
        ...(isSigned ? { token: target.token } : {}),
      };
      const status = await withDeadline(attacker.send(method, path, options), HANG_MS).then(
        (answer) => String(answer.status),
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const running = Promise.all(Array.from({ length: CONNECTIONS }, attack));
  return {
    async end() {
      isOver = true;
      await running;
    },
  };
}

/** Durations of light requests, one after another; one that fails counts as endless. */
async function timeLight(client: Client, id: string, seconds: number): Promise<readonly number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  for (let n = 0; performance.now() < end; n++) {
    await sleep(LIGHT_PAUSE_MS);
    const { status, millis } = await client.get(LIGHT[n % LIGHT.length]!(id, n));
    times.push(status === 200 ? millis : Number.POSITIVE_INFINITY);
  }
  return times.sort((one, two) => one - two);
}

function row(name: string, light: readonly number[], statuses: ReadonlyMap<string, number>): string {
  const p99 = quantile(light, 0.99);
  const shown = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
  const cells = [
    name,
    String(light.length),
    quantile(light, 0.5).toFixed(1),
    p99 <= TO_REACH_MS ? p99.toFixed(1) : `**${p99.toFixed(1)}**`,
    light.at(-1)!.toFixed(1),
    shown,
  ];
  return `| ${cells.join(" | ")} |`;
}

function describe(rows: readonly string[]): string {
  return [
    `### Light requests under attack, ${CONNECTIONS} connections of one caller, default limits`,
    "",
    `p99 to reach: ${TO_REACH_MS} ms.`,
    "",
    "| Attack | Light requests | p50 in ms | p99 in ms | max in ms | Answers to the attacker |",
    "| --- | ---: | ---: | ---: | ---: | --- |",
    ...rows,
    "",
  ].join("\n");
}
