import type { Command } from "commander";
import type { AuthoritySummary } from "../services/api/imports.js";
import { readIdList } from "../services/input/open-import.js";
import type { OperatorServices } from "../services/use-cases.js";
import { REPORT_HELP, SYNC_HELP } from "./import.js";
import { describeImport, printRefused, withReport } from "./import-report.js";
import { type CommandContext, withOperator, withReader, withSetup } from "./operator.js";
import { formatCount, formatNumber, formatTable, writeError, writeJson, writeOut } from "./output.js";
import { withPhases } from "./progress.js";

interface LoadOptions {
  readonly vocabulary?: string;
  readonly only?: string;
  readonly release?: string;
  readonly sync: boolean;
  readonly report?: string;
  readonly skipRefused: boolean;
  readonly dryRun: boolean;
  readonly json?: boolean;
}

/** Adds `bindery authority list | load | status`. */
export function addAuthorityCommands(program: Command, context: CommandContext): void {
  const command = program.command("authority").description("load vocabularies from the dumps of their authorities");
  command
    .command("list")
    .description("list the authorities that can be loaded, and where to find their dumps")
    .option("--json", "print it as JSON")
    .action(async ({ json }: { readonly json?: boolean }) => {
      // Loads the readers of dumps lazily, because help does not need them.
      const { listAuthorities } = await import("../app/composition/compose.js");
      const authorities = listAuthorities();
      if (json) return writeJson(authorities);
      for (const { name, title, vocabulary, takes, url, licence } of authorities) {
        writeOut([`${name}: ${title}, into ${vocabulary}`, `  takes ${takes}`, `  ${url}`, `  ${licence}`]);
      }
    });
  addLoad(command, context);
  command
    .command("status")
    .description("show which dumps were loaded, and when")
    .option("--json", "print it as JSON")
    .action(({ json }: { readonly json?: boolean }) => withReader(context, (services) => printStatus(services, json)));
}

function addLoad(command: Command, context: CommandContext): void {
  command
    .command("load")
    .description(
      "load a dump: adds or changes its terms and keeps others; ids that the authority merged lead to their " +
        "successors. Everything becomes visible at once, after the whole dump was read",
    )
    .argument("<authority>", "see `bindery authority list`")
    .argument("<dump>", "file or folder")
    .option("--vocabulary <name>", "vocabulary to load into, instead of that of the authority")
    .option("--only <file>", "load only the terms whose ids are in this file, one on each line (pubchem, chebi)")
    .option("--release <name>", "name of the release, if the dump does not contain it")
    .option("--sync", SYNC_HELP, false)
    .option("--report <file>", REPORT_HELP)
    .option("--dry-run", "only show the changes; write nothing", false)
    .option("--skip-refused", "load the valid terms of a dump that also has invalid ones", false)
    .option("--json", "print the summary as JSON")
    .action(async (authority: string, dump: string, { json, only, report, ...options }: LoadOptions) => {
      const selection = only === undefined ? {} : { only: await readIdList(only) };
      const summary = await withPhases(dump, (progress) =>
        withReport(report, (reporting) =>
          // A dry run does not create a store.
          (options.dryRun ? withOperator : withSetup)(context, (services) =>
            services.loadAuthority({ authority, dump, ...options, ...selection, ...reporting, ...progress }),
          ),
        ),
      );
      const isRefused = summary.refused.length > 0 && !options.skipRefused;
      if (isRefused) context.failed();
      if (json) return writeJson(summary);
      printRefused(dump, summary.refused);
      if (isRefused && !options.dryRun) {
        const count = formatCount(summary.refused.length, "place");
        writeError(`Nothing was loaded: ${count} refused (--skip-refused loads the others).`);
        return;
      }
      writeOut(describeAuthorityLoad(summary, options.dryRun));
    });
}

/** Describes the result of loading a dump in lines. */
export function describeAuthorityLoad(summary: AuthoritySummary, isDryRun: boolean): readonly string[] {
  const { vocabulary, redirects, leftOut } = summary;
  const lines = [...describeImport(vocabulary, summary, isDryRun)];
  const would = isDryRun ? "would lead" : "lead";
  if (redirects > 0)
    lines.push(`${formatCount(redirects, "id")} ${would} to another term, or to none, since this load`);
  for (const [what, count] of Object.entries(leftOut)) lines.push(`left out: ${formatNumber(count)} ${what}`);
  return lines;
}

async function printStatus(services: Pick<OperatorServices, "listDumps">, json = false): Promise<void> {
  const dumps = await services.listDumps();
  if (json) return writeJson(dumps);
  if (dumps.length === 0) return writeOut("No dump of an authority was loaded.");
  const rows = dumps.map(({ vocabulary, authority, release = "", loaded, file, sha256 }) => [
    vocabulary,
    authority,
    release,
    loaded.slice(0, 19),
    file,
    sha256,
  ]);
  writeOut(formatTable([["VOCABULARY", "AUTHORITY", "RELEASE", "LOADED (UTC)", "FILE", "SHA-256"], ...rows]));
}
