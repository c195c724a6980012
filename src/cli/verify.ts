import { type Command, InvalidArgumentError } from "commander";
import type { AdminOperatorServices } from "../services/api/admin-services.js";
import type { CommandContext } from "./command-context.js";
import { withStoreAdmin } from "./operator.js";
import { formatCount, formatNumber, writeError, writeJson, writeOut } from "./output.js";
import { withStages } from "./progress.js";

type Verification = Awaited<ReturnType<AdminOperatorServices["verifyStore"]>>;

/** `bindery verify [--repair] [--json]` */
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
      else printAll(verification, repaired);
    });
}

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

function printAll(verification: Verification, repaired: Readonly<Record<string, number>> | undefined): void {
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

/** No disagreement: they are as they were published, and stay so. */
function printOutdated({ total, records }: NonNullable<Verification["outdated"]>): void {
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

/** As many as OpenSearch lets an index have. */
const SHARDS_MAX = 1_024;

/** `bindery reindex [--shards N]` */
export function addReindexCommand(program: Command, context: CommandContext): void {
  program
    .command("reindex")
    .description("rebuild the search index of a database while services run; continues an interrupted rebuild")
    .option("--shards <number>", "number of shards; without it, as many as the present index has", readShards)
    .action(async ({ shards }: { shards?: number }) => {
      const { name, wasResumed } = await withStages((onProgress) =>
        withStoreAdmin(context, (services) => services.reindexStore(shards, onProgress)),
      );
      writeOut(`Searches ask ${name} now${wasResumed ? ", which an earlier reindex had begun" : ""}.`);
    });
}

function readShards(text: string): number {
  const shards = /^\d+$/.test(text) ? Number(text) : 0;
  if (shards >= 1 && shards <= SHARDS_MAX) return shards;
  throw new InvalidArgumentError(`It is a whole number from 1 to ${SHARDS_MAX}.`);
}
