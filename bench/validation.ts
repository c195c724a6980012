/** What it costs to judge one record: by its model alone, and with its terms and references, as a deposit does. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCatalog } from "../src/app/composition/read-catalog.js";
import type { Model } from "../src/core/catalog/types.js";
import type { JsonObject } from "../src/core/json.js";
import { openSqlite } from "../src/engines/sqlite/index.js";
import { makeOnDemand, makeServices } from "../src/services/index.js";
import { prepareMetadata } from "../src/services/metadata/prepare-record.js";
import { makeFindNearTerms } from "../src/services/search/near-terms.js";
import { MISTAKES, makeMutants } from "../test/support/mutants.js";
import { CATALOG_FOLDER, clock } from "./classes/build-records.js";
import { median, quantile } from "./measure.js";
import type { BenchOptions } from "./options.js";

const SEED = 20_261_121;
/** Bodies with one mistake, judged in turn. */
const BODIES = 10 * MISTAKES.length;

/** Cited by MST.json and not among the starter items. */
const CITED = ["ror:02hpadn98", "ror:05gq02987"];

interface Case {
  readonly name: string;
  readonly bodies: readonly JsonObject[];
}

type Judge = (metadata: JsonObject) => Promise<number> | number;

interface Figures {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Errors of a body, on average. */
  readonly errors: number;
}

export async function reportValidation({ seconds, rounds }: Pick<BenchOptions, "seconds" | "rounds">): Promise<string> {
  const catalog = readCatalog([CATALOG_FOLDER]);
  const model = catalog.models.get("mst")!;
  const { metadata, source } = readBody(model);
  const onDemand = makeOnDemand();
  const cases = casesOf(onDemand.getFieldTree(model), metadata);
  const folder = mkdtempSync(join(tmpdir(), "bindery-bench-"));
  const engine = openSqlite({ folder, catalog, clock, role: "writer", searchTimeoutMs: 10_000 });
  try {
    const random = { bytes: (count: number) => new Uint8Array(count) };
    const services = makeServices({ ...engine, catalog, clock, random });
    await services.loadStarters();
    const file = join(folder, "cited.ndjson");
    writeFileSync(file, CITED.map((id) => JSON.stringify({ id, title: { en: `Cited ${id}` } })).join("\n"));
    await services.importTerms({ vocabulary: "affiliations", file, skipRefused: false });
    const rows = await engine.store.transaction(async ({ terms }) => {
      const deps = { ...onDemand, clock, findNearTerms: makeFindNearTerms({ ...engine, catalog }) };
      const schema: Judge = (body) => onDemand.validatorOf(model)(body).issues.length;
      const whole: Judge = async (body) =>
        (await prepareMetadata(deps, terms, model, { metadata: body })).issues.length;
      const found: string[] = [];
      for (const each of cases) {
        const texts = each.bodies.map((body) => JSON.stringify(body));
        const parse = await measure(texts, (text) => JSON.parse(text) && 0, seconds, rounds);
        found.push(row(each, "the schema", await measure(each.bodies, schema, seconds, rounds), parse));
        found.push(
          row(each, "schema, terms and references", await measure(each.bodies, whole, seconds, rounds), parse),
        );
      }
      return found;
    });
    return [`### Validation of one record of mst (${source})`, "", ...HEAD, ...rows, ""].join("\n");
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
}

const HEAD = [
  "| Record | Validated by | Errors | p50 ms | p99 ms | Times JSON.parse |",
  "| --- | --- | ---: | ---: | ---: | ---: |",
];

function row({ name }: Case, by: string, { errors, p50, p99 }: Figures, parse: Figures): string {
  const ratio = (p50 / parse.p50).toFixed(1);
  return `| ${name} | ${by} | ${errors.toFixed(1)} | ${p50.toFixed(3)} | ${p99.toFixed(3)} | ${ratio} |`;
}

/** The sample of the data model where it is there, and else the example of ours. */
function readBody(model: Model): { readonly metadata: JsonObject; readonly source: string } {
  const sample = join(CATALOG_FOLDER, "..", "..", "shared", "data", "samples", "MST.json");
  if (!existsSync(sample)) return { metadata: model.example!.metadata as JsonObject, source: "the model's example" };
  const [body] = JSON.parse(readFileSync(sample, "utf8")) as readonly { readonly metadata: JsonObject }[];
  return { metadata: body!.metadata, source: "MST.json" };
}

function casesOf(fields: Parameters<typeof makeMutants>[0], metadata: JsonObject): readonly Case[] {
  const mutants = makeMutants(fields, metadata, BODIES, SEED);
  const spoilt = MISTAKES.reduce(
    (body, mistake, i) =>
      makeMutants(fields, body, BODIES, SEED + i).find((each) => each.mistake === mistake)!.metadata,
    metadata,
  );
  return [
    { name: "without a mistake", bodies: [metadata] },
    { name: "with one mistake", bodies: mutants.map((mutant) => mutant.metadata) },
    { name: "with one of each kind", bodies: [spoilt] },
  ];
}

/** All bodies in turn for some seconds, in rounds; medians of the rounds. */
async function measure<T>(
  bodies: readonly T[],
  judge: (body: T) => Promise<number> | number,
  seconds: number,
  rounds: number,
): Promise<Figures> {
  let errors = 0;
  for (const body of bodies) errors += await judge(body);
  const measured: { readonly p50: number; readonly p99: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const times: number[] = [];
    const end = performance.now() + seconds * 1000;
    for (let n = 0; performance.now() < end; n++) {
      const begun = performance.now();
      const found = judge(bodies[n % bodies.length]!);
      if (typeof found !== "number") await found;
      times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    measured.push({ p50: quantile(times, 0.5), p99: quantile(times, 0.99) });
  }
  const of = (key: "p50" | "p99"): number => median(measured.map((each) => each[key]));
  return { p50: of("p50"), p99: of("p99"), errors: errors / bodies.length };
}
