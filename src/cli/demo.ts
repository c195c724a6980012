import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { publicUrlOf } from "../config/derived.js";
import { type Actor, ANONYMOUS } from "../core/actor.js";
import { BinderyError } from "../core/errors.js";
import type { OperatorServices, Services } from "../services/services.js";
import { withOperator } from "./operator.js";
import { formatCount, formatNumber, writeError, writeOut } from "./output.js";
import type { Surroundings } from "./surroundings.js";

/** The examples that the package brings: `vocabularies/<name>.jsonl` and `records/<model>.jsonl`. */
export const DEMO_FOLDER = fileURLToPath(new URL("../../demo", import.meta.url));

/** Owns the example records. */
const OWNER = "demo";

const QUERIES = ["kd:<10nM", "kd:<10nM AND organism.within:taxid:561", "results:(type:KD AND unit:nM)"];

type DemoServices = Services & OperatorServices;

/** What was loaded, and how much there is in all. */
interface Loaded {
  readonly terms: { readonly changed: number; readonly all: number };
  readonly records: { readonly changed: number; readonly all: number };
}

/** `bindery demo`: terms and published records to try searches on. What is there already stays as it is. */
export function addDemoCommand(program: Command, { config, failed }: Surroundings): void {
  program
    .command("demo")
    .description("load example terms and records, to try searches on; a second time changes nothing")
    .action(async () => {
      const values = config();
      const loaded = await withOperator(values, loadDemo);
      if (loaded === undefined) return failed();
      writeOut([describe(loaded), "", ...invite(publicUrlOf(values, values.port))].join("\n"));
    });
}

/** Undefined where terms were refused, which is said. */
export async function loadDemo(services: DemoServices): Promise<Loaded | undefined> {
  const terms = await loadTerms(services);
  return terms && { terms, records: await loadRecords(services) };
}

async function loadTerms({ importTerms }: DemoServices): Promise<Loaded["terms"] | undefined> {
  const sum = { changed: 0, all: 0 };
  for (const { name: vocabulary, file } of demoFiles("vocabularies")) {
    const { refused, ...counts } = await importTerms({ vocabulary, file, skipRefused: false });
    for (const { line, reason } of refused) writeError(`${file}:${line}: ${reason}`);
    if (refused.length > 0) return undefined;
    sum.changed += counts.new + counts.changed;
    sum.all += counts.new + counts.changed + counts.unchanged;
  }
  return sum;
}

interface ExampleRecord {
  readonly model: string;
  readonly body: string;
}

async function loadRecords(services: DemoServices): Promise<Loaded["records"]> {
  const all = demoFiles("records").flatMap(({ name: model, file }) =>
    readLines(file).map((body): ExampleRecord => ({ model, body })),
  );
  const missing: ExampleRecord[] = [];
  for (const record of all) if (!(await isThere(services, record))) missing.push(record);
  if (missing.length > 0) {
    await asOwner(services, async (actor) => {
      for (const { model, body } of missing) {
        const draft = await services.createDraft(actor, model, body);
        await services.publishDraft(actor, { model, id: draft.record.id });
      }
    });
  }
  return { changed: missing.length, all: all.length };
}

/** Each example has an identifier of its own, by which an earlier run is known. */
async function isThere({ searchRecords }: DemoServices, { model, body }: ExampleRecord): Promise<boolean> {
  const identifier = /"external_identifier": ?"([^"]+)"/.exec(body)?.[1];
  const { total } = await searchRecords(ANONYMOUS, {
    model,
    own: false,
    q: `identifier:"${identifier}"`,
    window: { page: 1, size: 1 },
    filters: {},
    facetSize: 0,
    lang: "en",
  });
  return total > 0;
}

/** Signs in as the owner, who is added where that was not done before, for as long as the work takes. */
async function asOwner(services: DemoServices, work: (actor: Actor) => Promise<void>): Promise<void> {
  await services.addUser(OWNER, "depositor").catch((error: unknown) => {
    if (!(error instanceof BinderyError)) throw error;
  });
  const { token, row } = await services.createToken({ user: OWNER, scopes: ["records:write"], expires: "1h" });
  try {
    await work(await services.authenticate(token));
  } finally {
    await services.revokeToken(row.id);
  }
}

function demoFiles(folder: string): readonly { readonly name: string; readonly file: string }[] {
  const files = readdirSync(join(DEMO_FOLDER, folder)).sort();
  return files.map((file) => ({ name: basename(file, ".jsonl"), file: join(DEMO_FOLDER, folder, file) }));
}

function readLines(file: string): readonly string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

function describe({ terms, records }: Loaded): string {
  if (terms.changed + records.changed === 0) {
    return `Nothing to do: ${formatCount(terms.all, "term")} and ${formatCount(records.all, "record")} are there.`;
  }
  const shares = [terms, records].map(({ changed, all }) => `${formatNumber(changed)} of ${formatNumber(all)}`);
  return `Loaded ${shares[0]} terms and ${shares[1]} records.`;
}

/** What to do with them, in lines. */
function invite(url: string): readonly string[] {
  const lines = QUERIES.map((q) => `  curl -G "${url}/api/search/" --data-urlencode "q=${q}"`);
  return [`With the service running (npx bindery serve), open ${url}/ or try:`, ...lines];
}
