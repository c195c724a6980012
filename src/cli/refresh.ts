import type { Command } from "commander";
import type { RefreshSummary } from "../services/api/admin-services.js";
import type { CommandContext } from "./command-context.js";
import { withOperator } from "./operator.js";
import { formatCount, formatNumber, writeError, writeJson, writeOut } from "./output.js";
import { withBar } from "./progress.js";

/** Maximum number of printed records that could not be refreshed. */
const REASONS_MAX = 200;

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
    .action(async ({ json, ...asked }: RefreshOptions) => {
      const bar = { format: "{bar} {what} | {duration_formatted}", total: 1, payload: { what: "" } };
      const summary = await withBar(bar, (update) =>
        withOperator(context, (services) => {
          const onProgress = (done: number, of: number): void =>
            update(done / of, { what: `${formatNumber(done)} of ${formatCount(of, "record")}` });
          return services.refreshRecords({ ...asked, onProgress });
        }),
      );
      if (summary.refused.length > 0) context.failed();
      if (json) return writeJson(summary);
      printSummary(summary, asked.dryRun);
    });
}

function printSummary({ drafts, published, unchanged, refused }: RefreshSummary, dryRun: boolean): void {
  for (const { model, id, state, reason } of refused.slice(0, REASONS_MAX)) {
    writeError(`${model} ${id} (${state}): ${reason}`);
  }
  if (refused.length > REASONS_MAX) writeError(`... and ${formatNumber(refused.length - REASONS_MAX)} more`);
  const would = dryRun ? "would be refreshed" : "refreshed";
  const counts = [
    `${formatCount(drafts, "draft")} and ${formatCount(published, "published record")} ${would}`,
    ...(unchanged > 0 ? [`${formatNumber(unchanged)} had been refreshed already`] : []),
    ...(refused.length > 0 ? [`${formatNumber(refused.length)} refused`] : []),
  ];
  writeOut(counts.join("; "));
}
