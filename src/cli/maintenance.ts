import { type Command, InvalidArgumentError } from "commander";
import type { RefreshSummary, StoreVerification } from "../services/api/admin.js";
import { type CommandContext, withOperator, withStoreAdmin } from "./operator.js";
import { formatCount, formatNumber, writeError, writeJson, writeOut } from "./output.js";
import { withBar, withStages } from "./progress.js";

/** Adds `bindery verify [--repair] [--json]`. */
export function addVerifyCommand(program: Command, context: CommandContext): void {
  program
    .command("verify")
    .description("check that records, index, change log and counters agree; the service may be running")
    .option("--repair", "rebuild inconsistent data that can be derived from the stored records", false)
    .option("--json", "print JSON")
    .action(async ({ repair, json }: { repair: boolean; json?: boolean }) => {
      const { repaired, ...verification } = await withStages((onProgress) =>
        withStoreAdmin(context, async (services) => {
          if (!repair) return { ...(await services.verifyStore(onProgress)), repaired: undefined };
          const { after, repaired: counts } = await services.repairStore(onProgress);
          return { ...after, repaired: counts };
        }),
      );
      if (sumOf(verification.counts) > 0 || verification.leftOut.length > 0) context.failed();
      if (json) writeJson(repaired === undefined ? verification : { ...verification, repaired });
      else printVerification(verification, repaired);
    });
}

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

function printVerification(
  verification: StoreVerification,
  repaired: Readonly<Record<string, number>> | undefined,
): void {
  for (const [kind, times] of Object.entries(repaired ?? {})) writeOut(`repaired: ${kind}, ${formatNumber(times)}`);
  const { findings, leftOut, notes, records, terms, changes, lastChange } = verification;
  for (const { check, where, expected, found, isMendable } of findings) {
    const rest = isMendable ? "" : " (cannot be rebuilt)";
    writeError(`${check}: ${where}: expected ${expected}, found ${found}${rest}`);
  }
  const all = sumOf(verification.counts);
  if (all > findings.length) writeError(`... and ${formatCount(all - findings.length, "more disagreement")}`);
  for (const note of notes) writeError(`note: ${note}`);
  if (verification.outdated !== undefined) printOutdated(verification.outdated);
  if (leftOut.length > 0) {
    writeError(
      `not compared yet: ${leftOut.join(", ")}. Another catalog or version indexed them, and a running service ` +
        "indexes them again in the background. Start one if none runs, and repeat this command some minutes later.",
    );
  }
  const what = [formatCount(records, "record"), formatCount(terms, "term"), formatCount(changes, "change")].join(", ");
  const agrees =
    leftOut.length === 0
      ? "all agrees"
      : `${formatCount(leftOut.length, "vocabulary", "vocabularies")} left out, the rest agrees`;
  writeOut(`Compared ${what}, up to change ${lastChange}: ${all === 0 ? agrees : formatCount(all, "disagreement")}.`);
  if (all > 0 && repaired !== undefined) writeError("The rest cannot be rebuilt: see docs/operating.md.");
  else if (findings.some(({ isMendable }) => isMendable)) writeError("`bindery verify --repair` repairs what it can.");
}

/** Prints the published records that their current model refuses. They are not damaged, and stay as they are. */
function printOutdated({ total, records }: NonNullable<StoreVerification["outdated"]>): void {
  if (total === 0) return;
  writeOut(
    `No longer pass their model: ${formatCount(total, "record")}. They must be corrected when they are next edited.`,
  );
  for (const { id, model, state, problems, first } of records) {
    const more = problems === 1 ? "" : ` (and ${formatNumber(problems - 1)} more)`;
    writeOut(`  ${model} ${id} (${state}): ${first.field}: ${first.messages.join(" ")}${more}`);
  }
  if (total > records.length) writeOut(`  ... and ${formatNumber(total - records.length)} more`);
}

/** Maximum number of shards of an OpenSearch index. */
const SHARDS_MAX = 1_024;

/** Adds `bindery reindex [--shards N]`. */
export function addReindexCommand(program: Command, context: CommandContext): void {
  program
    .command("reindex")
    .description("rebuild the search index of a database while services run; continues an interrupted rebuild")
    .option("--shards <number>", "number of shards; without it, as many as the present index has", readShards)
    .action(async ({ shards }: { shards?: number }) => {
      const { name, wasResumed } = await withStages((onProgress) =>
        withStoreAdmin(context, (services) => services.reindexStore(shards, onProgress)),
      );
      writeOut(`Searches now use ${name}${wasResumed ? ", which an earlier reindex had begun" : ""}.`);
    });
}

function readShards(text: string): number {
  const shards = /^\d+$/.test(text) ? Number(text) : 0;
  if (shards >= 1 && shards <= SHARDS_MAX) return shards;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${SHARDS_MAX}.`);
}

/** Maximum number of printed records that could not be refreshed. */
const REFUSED_MAX = 200;

interface RefreshOptions {
  readonly vocabulary?: string;
  readonly published: boolean;
  readonly dryRun: boolean;
  readonly json?: boolean;
}

/** Adds `bindery refresh [--vocabulary <name>] [--published] [--dry-run] [--json]`. */
export function addRefreshCommand(program: Command, context: CommandContext): void {
  program
    .command("refresh")
    .description(
      "update the cited terms in drafts; the service may be running, and the next refresh continues an interrupted one",
    )
    .option("--vocabulary <name>", "only records with an older version of a term of this vocabulary")
    .option("--published", "also published records; they keep the terms of their publication as `as_cited`", false)
    .option("--dry-run", "only report the changes; write no record", false)
    .option("--json", "print the summary as JSON")
    .action(async ({ json, ...request }: RefreshOptions) => {
      const bar = { format: "{bar} {counts} | {duration_formatted}", total: 1, payload: { counts: "" } };
      const summary = await withBar(bar, (update) =>
        withOperator(context, (services) => {
          const onProgress = (done: number, of: number): void =>
            update(done / of, { counts: `${formatNumber(done)} of ${formatCount(of, "record")}` });
          return services.refreshRecords({ ...request, onProgress });
        }),
      );
      if (summary.refused.length > 0) context.failed();
      if (json) return writeJson(summary);
      printRefresh(summary, request.dryRun);
    });
}

function printRefresh({ drafts, published, unchanged, refused }: RefreshSummary, dryRun: boolean): void {
  for (const { model, id, state, reason } of refused.slice(0, REFUSED_MAX)) {
    writeError(`${model} ${id} (${state}): ${reason}`);
  }
  if (refused.length > REFUSED_MAX) writeError(`... and ${formatNumber(refused.length - REFUSED_MAX)} more`);
  const would = dryRun ? "would be refreshed" : "refreshed";
  const counts = [
    `${formatCount(drafts, "draft")} and ${formatCount(published, "published record")} ${would}`,
    ...(unchanged > 0 ? [`${formatNumber(unchanged)} had been refreshed already`] : []),
    ...(refused.length > 0 ? [`${formatNumber(refused.length)} refused`] : []),
  ];
  writeOut(counts.join("; "));
}
