import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Command } from "commander";
import { PACKAGE_ROOT } from "../app/composition/package-root.js";
import { publicUrlOf } from "../config/derived.js";
import { type Actor, ANONYMOUS } from "../core/actor.js";
import { BinderyError } from "../core/errors.js";
import { LIMITS } from "../core/limits.js";
import type { RecordSearchRequest } from "../services/api/searches.js";
import type { OperatorServices, Services } from "../services/use-cases.js";
import { describeAuthorityLoad } from "./authority.js";
import { printRefused } from "./import-report.js";
import { type CommandContext, withSetup } from "./operator.js";
import { formatCount, formatNumber, writeError, writeOut } from "./output.js";
import { withBar, withPhases } from "./progress.js";

/** Parameters of `/api/search/` for example searches in the demo records. The README has the same searches. */
export const DEMO_QUERIES: readonly (readonly string[])[] = [
  ["q=kd:<1nM"],
  ["q=organism.within:taxid:10239"],
  ["q=results:(type:enthalpy AND value:<-50kJ/mol)"],
  ["q=antibody OR nanobody", "kd=1e-9..1e-8"],
  ["q=inchikey:PJVWKTKQMONHTI"],
];

/** Adds `bindery demo`, which loads example terms and records and keeps existing ones as they are. */
export function addDemoCommand(program: Command, context: CommandContext): void {
  program
    .command("demo")
    .description("load example terms and records to try searches on; repeating it changes nothing")
    .option(
      "--authorities <folder>",
      "also load the dumps of authorities in this folder and its subfolders; there must be at least one",
    )
    .action(async ({ authorities }: { readonly authorities?: string }) => {
      const loaded = await withSetup(context, async (services) => {
        // Dumps come first, so that records cite terms in the form of their authorities.
        if (authorities !== undefined && !(await loadDumps(services, authorities))) return undefined;
        return loadWithBar(services);
      });
      if (loaded === undefined) return context.failed();
      const values = context.config();
      writeOut([describe(loaded), "", ...invite(publicUrlOf(values, values.port))]);
    });
}

/** Loads the dumps in a folder. @returns whether it loaded all; prints the refusals otherwise */
async function loadDumps(services: DemoServices, folder: string): Promise<boolean> {
  const dumps = await services.findDumps(folder);
  if (dumps.length === 0) throw new Error(`There is no dump of an authority in ${folder}; see bindery authority list.`);
  for (const { authority, dump } of dumps) {
    const summary = await withPhases(dump, (progress) => services.loadAuthority({ authority, dump, ...progress }));
    printRefused(dump, summary.refused);
    if (summary.refused.length > 0) return false;
    writeOut(describeAuthorityLoad(summary, false));
  }
  return true;
}

function loadWithBar(services: DemoServices): Promise<DemoCounts | undefined> {
  const format = "{bar} {percentage} % of the records | {duration_formatted}";
  return withBar({ format, total: 1 }, (update) => loadDemo(services, (done, all) => update(done / all)));
}

function describe({ terms, records }: DemoCounts): string {
  if (terms.changed + records.changed === 0) {
    return `Nothing to do: ${formatCount(terms.all, "term")} and ${formatCount(records.all, "record")} are there.`;
  }
  const shares = [terms, records].map(({ changed, all }) => `${formatNumber(changed)} of ${formatNumber(all)}`);
  return `Loaded ${shares[0]} terms and ${shares[1]} records.`;
}

/** Suggests the next steps in lines. */
function invite(url: string): readonly string[] {
  const lines = DEMO_QUERIES.map((parameters) => {
    const encoded = parameters.map((parameter) => `--data-urlencode "${parameter}"`).join(" ");
    return `  curl -G "${url}/api/search/" ${encoded}`;
  });
  return [
    `With the service running (npx bindery serve), open ${url}/ or try:`,
    ...lines,
    `The user ${OWNER} owns them, and some drafts; a token for it:`,
    `  npx bindery token create --user ${OWNER} --scope records:read records:write`,
  ];
}

/**
 * Folder of the demo data, with a file for each vocabulary or model in `vocabularies`, `records` (written by hand),
 * `generated`, `versions` (newer versions, whose identifiers have a suffix) and `drafts`.
 */
export const DEMO_FOLDER = join(PACKAGE_ROOT, "demo");

/** User who owns the example records. */
export const OWNER = "demo";

/** Prefix of the identifiers of all example records. */
const IDENTIFIER = "10.5072/demo";

/** The services that load the demo data. */
export type DemoServices = Services & OperatorServices;

interface Count {
  readonly changed: number;
  readonly all: number;
}

/** Numbers of loaded and of all terms and records, including older versions but not drafts. */
interface DemoCounts {
  readonly terms: Count;
  readonly records: Count;
}

/** Receives the number of published records and the number of all records to publish. */
type OnRecord = (done: number, all: number) => void;

interface Example {
  readonly model: string;
  readonly body: string;
  readonly identifier: string;
}

/** Loads the demo data. @returns undefined if terms were refused; it then prints the reasons */
export async function loadDemo(
  services: DemoServices,
  onRecord: OnRecord = () => undefined,
): Promise<DemoCounts | undefined> {
  const terms = await loadTerms(services);
  return terms && { terms, records: await loadRecords(services, onRecord) };
}

async function loadTerms({ importTerms }: DemoServices): Promise<Count | undefined> {
  const sum = { changed: 0, all: 0 };
  for (const { name: vocabulary, file } of demoFiles("vocabularies")) {
    const { refused, ...counts } = await importTerms({
      vocabulary,
      file,
      skipRefused: false,
      mode: "add",
      source: "demo",
    });
    for (const { line, reason } of refused) writeError(`${file}:${line}: ${reason}`);
    if (refused.length > 0) return undefined;
    sum.changed += counts.new + counts.changed;
    sum.all += counts.new + counts.changed + counts.unchanged;
  }
  return sum;
}

/** Loads the records. Those written by hand come last, so that they are the newest. */
async function loadRecords(services: DemoServices, onRecord: OnRecord): Promise<Count> {
  const [records, versions] = [[...readExamples("generated"), ...readExamples("records")], readExamples("versions")];
  const examples = [...records, ...versions];
  const ids = await findExamples(services, ANONYMOUS, { own: false, allVersions: true });
  const isMissing = ({ identifier }: Example): boolean => !ids.has(identifier);
  const missing = examples.filter(isMissing);
  let retracted = 0;
  if (missing.length > 0) {
    await asOwner(services, async (actor) => {
      // Drafts come first: a later run checks only whether all records exist.
      await makeDrafts(services, actor);
      retracted = await importExamples(services, records.filter(isMissing), onRecord);
      await publishVersions(services, actor, versions.filter(isMissing));
    });
  }
  return { changed: missing.length - retracted, all: examples.length };
}

async function makeDrafts(services: DemoServices, actor: Actor): Promise<void> {
  const existing = await findExamples(services, actor, { own: true });
  for (const { model, body, identifier } of readExamples("drafts")) {
    if (!existing.has(identifier)) await services.createDraft(actor, model, body);
  }
}

/** Imports records as files, which needs few transactions. @returns the number of records omitted as retracted */
async function importExamples(
  services: DemoServices,
  examples: readonly Example[],
  onRecord: OnRecord,
): Promise<number> {
  let omitted = 0;
  const folder = mkdtempSync(join(tmpdir(), "bindery-demo-"));
  try {
    let done = 0;
    for (const [i, { model, examples: run }] of groupByModel(examples).entries()) {
      const file = join(folder, `${i}.jsonl`);
      writeFileSync(file, run.map(({ body }) => `${body}\n`).join(""));
      const { refused, retracted } = await services.importRecords({ model, file, owner: OWNER, publish: true });
      if (refused.length > retracted) {
        throw new Error(`Examples are refused: ${refused.map(({ reason }) => reason).join("; ")}`);
      }
      omitted += retracted;
      done += run.length;
      onRecord(done, examples.length);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return omitted;
}

/** Groups adjacent examples of the same model. */
function groupByModel(examples: readonly Example[]): { readonly model: string; readonly examples: Example[] }[] {
  const runs: { model: string; examples: Example[] }[] = [];
  for (const example of examples) {
    const last = runs.at(-1);
    if (last?.model === example.model) last.examples.push(example);
    else runs.push({ model: example.model, examples: [example] });
  }
  return runs;
}

async function publishVersions(services: DemoServices, actor: Actor, versions: readonly Example[]): Promise<void> {
  const ids = await findExamples(services, ANONYMOUS, { own: false, allVersions: true });
  for (const { model, body, identifier } of versions) {
    const previousId = ids.get(identifier.replace(/\.v\d+$/, ""));
    if (previousId === undefined) throw new Error(`${identifier} is a version of no example.`);
    const draft = await services.createVersion(actor, { model, id: previousId });
    const address = { model, id: draft.record.id };
    await services.replaceDraft(actor, address, body);
    await services.publishDraft(actor, address);
  }
}

/** Returns the ids of the existing example records, by their identifiers. */
async function findExamples(
  { searchRecords }: DemoServices,
  actor: Actor,
  scope: Pick<RecordSearchRequest, "own" | "allVersions">,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const request = { ...scope, q: `identifier:"${IDENTIFIER}"`, filters: {}, facetSize: 0, lang: "en" };
  let cursor: string | undefined = "*";
  while (cursor !== undefined) {
    const window = { size: LIMITS.recordPageSizeMax, cursor };
    const { hits, next }: Awaited<ReturnType<typeof searchRecords>> = await searchRecords(actor, {
      ...request,
      window,
    });
    for (const { id, json } of hits) ids.set(identifierIn(json), id);
    cursor = next;
  }
  return ids;
}

/** Runs `work` as the owner of the examples, with a temporary token. Adds this user if necessary. */
async function asOwner(services: DemoServices, work: (actor: Actor) => Promise<void>): Promise<void> {
  await services.addUser(OWNER, "depositor").catch((error: unknown) => {
    if (!(error instanceof BinderyError)) throw error;
  });
  const scopes = ["records:read", "records:write"] as const;
  const { token, row } = await services.createToken({ user: OWNER, scopes, expires: "1h" });
  try {
    await work(await services.authenticate(token));
  } finally {
    await services.revokeToken(row.id);
  }
}

function demoFiles(folder: string): readonly { readonly name: string; readonly file: string }[] {
  const path = join(DEMO_FOLDER, folder);
  const files = readdirSync(path).sort();
  return files.map((file) => ({ name: basename(file, ".jsonl"), file: join(path, file) }));
}

function readExamples(folder: string): readonly Example[] {
  return demoFiles(folder).flatMap(({ name: model, file }) => {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.filter((line) => line !== "").map((body) => ({ model, body, identifier: identifierIn(body) }));
  });
}

/** Returns the unique identifier of an example, by which later runs recognize it. */
function identifierIn(json: string): string {
  return /"external_identifier": ?"([^"]+)"/.exec(json)?.[1] ?? "";
}
