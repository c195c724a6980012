import type { Client, RecordShape } from "../test/support/http-client.js";
import { makeRecord } from "../test/support/records.js";
import { openBareInsert } from "./bare-insert.js";
import type { Loaded } from "./load.js";
import { quantile } from "./measure.js";

/** Steps in the life of one record, in their order. Each gets the bodies of the steps before it. */
const STEPS = {
  deposit: (client, n) => client.post("/api/records/mst/", makeRecord(n, { seed: 3 })),
  replace: (client, n, { deposit }) => client.put(draftOf(deposit!), makeRecord(n, { seed: 4 })),
  publish: (client, _, { deposit }) => client.post(`${draftOf(deposit!)}/actions/publish`),
  "open an edit": (client, _, { deposit }) => client.post(draftOf(deposit!)),
  "replace in an edit": (client, n, { deposit }) => client.put(draftOf(deposit!), makeRecord(n, { seed: 5 })),
  "publish an edit": (client, _, { deposit }) => client.post(`${draftOf(deposit!)}/actions/publish`),
  "new version": (client, _, { deposit }) => client.post(`${recordOf(deposit!)}/versions`),
  "publish a version": (client, _, made) => client.post(`${draftOf(made["new version"]!)}/actions/publish`),
  retract: (client, _, made) => client.delete(recordOf(made["new version"]!)),
} as const satisfies Readonly<Record<string, Step>>;

type Made = Readonly<Record<string, RecordShape | undefined>>;
type Step = (client: Client, n: number, made: Made) => ReturnType<Client["post"]>;

/** Lives that are measured, and those before them that only warm up. */
const LIVES = 200;
const WARM_UP = 20;

/** How long each step in the life of a record takes, one after the other, in milliseconds; ascending. */
export interface LifeFigures {
  readonly steps: Readonly<Record<string, readonly number[]>>;
  /** One bare INSERT of a body in a durable transaction, measured between the lives. */
  readonly insert: readonly number[];
}

/** Leads many records through their whole life. @throws where a step is refused */
export async function measureLife({ bindery, token }: Loaded): Promise<LifeFigures> {
  const client = bindery.client.as(token);
  const bare = openBareInsert(bindery.data, [JSON.stringify(makeRecord(0, { seed: 3 }))]);
  const steps: Record<string, number[]> = Object.fromEntries(Object.keys(STEPS).map((name) => [name, []]));
  const insert: number[] = [];
  for (let n = -WARM_UP; n < LIVES; n++) {
    const made: Record<string, RecordShape> = {};
    for (const [name, step] of Object.entries(STEPS) as [string, Step][]) {
      const answer = await step(client, n, made);
      if (answer.status >= 300) throw new Error(`${name} answers ${answer.status}: ${answer.text}`);
      made[name] = answer.body as unknown as RecordShape;
      if (n >= 0) steps[name]!.push(answer.millis);
    }
    if (n >= 0) insert.push(bare.measure(0.01).p50);
  }
  for (const times of [...Object.values(steps), insert]) times.sort((a, b) => a - b);
  return { steps, insert };
}

/** The figures in Markdown. */
export function describeLife({ steps, insert }: LifeFigures): string {
  const base = quantile(insert, 0.5);
  const rows = Object.entries(steps).map(([name, times]) => {
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    const cells = [name, (1000 / mean).toFixed(0), p50.toFixed(1), p99.toFixed(1), (base / p50).toFixed(3)];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    `Steps in the life of a record, one after the other; one bare INSERT takes ${base.toFixed(2)} ms.`,
    "",
    "| Step | Per second | p50 ms | p99 ms | Of one INSERT |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...rows,
    "",
  ].join("\n");
}

const recordOf = ({ id }: RecordShape): string => `/api/records/mst/${id}`;
const draftOf = (record: RecordShape): string => `${recordOf(record)}/draft`;
