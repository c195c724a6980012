import type { Command } from "commander";
import { publicUrlOf } from "../config/derived.js";
import { describeAuthorityLoad } from "./authority.js";
import { printRefused } from "./import-report.js";
import { type DemoCounts, type DemoServices, loadDemo, OWNER } from "./load-demo.js";
import { type CommandContext, withSetup } from "./operator.js";
import { formatCount, formatNumber, writeOut } from "./output.js";
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
