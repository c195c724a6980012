/** How long light requests of one caller take while another one attacks the service with its default limits. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../src/core/json.js";
import { clique } from "../test/faults/hostile-shapes.js";
import { type Bindery, startBindery } from "../test/support/bindery.js";
import { type Client, makeClient, type RecordShape } from "../test/support/http-client.js";
import { makeRecord } from "../test/support/records.js";
import { smallRecord } from "../test/support/small-record.js";
import { ATTACK_NAMES, type AttackOrder, CONNECTIONS, type Statuses, type Target } from "./attack-requests.js";
import { quantile } from "./measure.js";
import type { BenchOptions } from "./options.js";

/** Largest p99 of a light request under any attack, in milliseconds. */
const TO_REACH_MS = 50;
/** Seconds after a start that have a column of their own: nothing is in memory, and no code is compiled yet. */
const COLD_SECONDS = 3;
/** Pause between two light requests; with a shorter one they would exceed the rate limit of an address. */
const LIGHT_PAUSE_MS = 15;
const LARGE_RECORDS = 12;
const MEASUREMENTS = 1_700;

const LIGHT = [
  (id: string) => `/api/records/mst/${id}`,
  () => "/readyz",
  (_: string, n: number) => `/api/search/?q=protein+OR+light${n}&facets=none`,
  (_: string, n: number) => `/api/vocabularies/organisms?suggest=esch&s=${(n % 40) + 1}`,
];

export async function reportAttacks({ seconds, only = "" }: Pick<BenchOptions, "seconds" | "only">): Promise<string> {
  const bindery = await startBindery({ env: { BINDERY_RATE_LIMITS: "" } });
  const agent = new Agent({ keepAlive: true, localAddress: "127.0.0.2", maxSockets: 64 });
  const other = makeClient(() => bindery.url, agent);
  try {
    const target = await prepare(bindery);
    const id = await publish(bindery.client.as(target.token), makeRecord(1));
    const rows: string[] = [];
    for (const name of ["nothing", ...ATTACK_NAMES].filter((each) => each === "nothing" || each.includes(only))) {
      // What one attack left behind does not count for the next.
      await bindery.end("SIGKILL");
      await bindery.restart();
      const attack = name === "nothing" ? undefined : await startAttack(bindery.url, name, target);
      const cold = await timeLight(other, id, COLD_SECONDS);
      const light = await timeLight(other, id, seconds);
      rows.push(row(name, cold, light, (await attack?.end()) ?? {}));
      process.stderr.write(`${rows.at(-1)}\n`);
    }
    return describe(rows);
  } finally {
    agent.destroy();
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
  return { token, large, tangled };
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

/** Starts an attack in a process of its own: what it costs its sender delays no light request. */
async function startAttack(
  url: string,
  name: string,
  { token, large, tangled }: Target,
): Promise<{ end(): Promise<Statuses> }> {
  const child = fork(fileURLToPath(new URL("./attacker.js", import.meta.url)), { stdio: "inherit" });
  const order: AttackOrder = { url, name, target: { token, large, tangled } };
  child.send(order);
  return {
    async end() {
      child.send("end");
      const [statuses] = (await once(child, "message")) as [Statuses];
      child.disconnect();
      return statuses;
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

function row(name: string, cold: readonly number[], light: readonly number[], statuses: Statuses): string {
  const p99 = quantile(light, 0.99);
  const shown = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  const cells = [
    name,
    String(light.length),
    quantile(light, 0.5).toFixed(1),
    p99 <= TO_REACH_MS ? p99.toFixed(1) : `**${p99.toFixed(1)}**`,
    light.at(-1)!.toFixed(1),
    quantile(cold, 0.99).toFixed(1),
    shown.join(", "),
  ];
  return `| ${cells.join(" | ")} |`;
}

function describe(rows: readonly string[]): string {
  return [
    `### Light requests under attack, ${CONNECTIONS} connections of one caller, default limits`,
    "",
    `p99 to reach: ${TO_REACH_MS} ms, after the first ${COLD_SECONDS} s (*cold*) of a service that was just started.`,
    "",
    "| Attack | Light requests | p50 in ms | p99 in ms | max in ms | cold p99 in ms | Answers to the attacker |",
    "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
    ...rows,
    "",
  ].join("\n");
}
