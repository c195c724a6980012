import { Argument, type Command } from "commander";
import { OPERATOR } from "../core/actor.js";
import { addAll } from "../core/collections.js";
import { LIMITS } from "../core/limits.js";
import { describeChange } from "../core/terms/edited-fields.js";
import type { TermDetails, TermHistoryAnswer } from "../services/api/vocabularies.js";
import type { Services } from "../services/use-cases.js";
import { type CommandContext, withOperator, withReader } from "./operator.js";
import { formatCount, writeJson, writeJsonLine, writeOut } from "./output.js";

interface OutputOptions {
  readonly json?: boolean;
}

const VOCABULARY = new Argument("<vocabulary>", "e.g. organisms");
const ID = new Argument("<id>", "e.g. taxid:562");

/** Adds `bindery term patch | deprecate | merge | confirm | waiting | history`. */
export function addTermCommands(program: Command, context: CommandContext): void {
  const term = program.command("term").description("curate single terms of vocabularies");
  addChanges(term, context);
  addConfirmation(term, context);
  addHistory(term, context);
}

function addChanges(term: Command, context: CommandContext): void {
  const change = (name: string, description: string) =>
    term
      .command(name)
      .description(description)
      .addArgument(VOCABULARY)
      .addArgument(ID)
      .option("--json", "print the term as JSON");
  const write = async (
    { json }: OutputOptions,
    work: (services: Services) => Promise<TermDetails>,
    describeResult: (id: string) => string,
  ): Promise<void> => {
    const { term: written, edited } = await withOperator(context, work);
    if (json) return writeJson({ ...(JSON.parse(written.json) as object), ...(edited.length > 0 ? { edited } : {}) });
    writeOut(`${describeResult(written.id)} (revision ${written.revision}).`);
  };

  change("patch", "change single fields of a term by a JSON merge patch: null removes a field, lists are replaced")
    .argument("<patch>", `e.g. '{"title": {"cs": "Střevní bakterie"}}'`)
    .action((vocabulary: string, id: string, patch: string, options: OutputOptions) =>
      write(
        options,
        (services) => services.patchTerm(OPERATOR, { vocabulary, id }, patch),
        (written) => `Changed ${written}`,
      ),
    );
  change("deprecate", "deprecate a term; records that cite it keep it")
    .option("--replaced-by <id>", "the term that replaces it")
    .action(
      (vocabulary: string, id: string, { replacedBy, json }: OutputOptions & { readonly replacedBy?: string }) => {
        const patch = { status: "deprecated", ...(replacedBy === undefined ? {} : { replaced_by: replacedBy }) };
        return write(
          json === undefined ? {} : { json },
          (services) => services.patchTerm(OPERATOR, { vocabulary, id }, JSON.stringify(patch)),
          (written) => `${written} is deprecated`,
        );
      },
    );
  change("merge", "merge a term into another one: deprecates it and moves its children below the other one")
    .argument("<into>", "the term that replaces it")
    .action((vocabulary: string, id: string, into: string, options: OutputOptions) =>
      write(
        options,
        (services) => services.mergeTerm(OPERATOR, { vocabulary, id }, JSON.stringify({ into })),
        (written) => `${written} is merged into ${into}`,
      ),
    );
}

function addConfirmation(term: Command, context: CommandContext): void {
  term
    .command("confirm")
    .description("confirm terms that depositors added")
    .addArgument(VOCABULARY)
    .argument("<ids...>")
    .action(async (vocabulary: string, ids: readonly string[]) => {
      await withOperator(context, async (services) => {
        for (const id of ids) await services.confirmTerm(OPERATOR, { vocabulary, id });
      });
      writeOut(`${formatCount(ids.length, "term")} confirmed.`);
    });
  term
    .command("waiting")
    .description("list the terms of a vocabulary that depositors added and nobody has confirmed, newest first")
    .addArgument(VOCABULARY)
    .option("--json", "print the terms as JSON lines")
    .action(async (vocabulary: string, { json }: OutputOptions) => {
      const count = await withOperator(context, (services) =>
        eachWaiting(services, vocabulary, (term) =>
          json ? writeJsonLine(JSON.parse(term)) : writeOut(describeWaiting(term)),
        ),
      );
      if (count === 0 && !json) writeOut("No term waits to be confirmed.");
    });
}

/** Calls a function for each term that waits for confirmation. @returns their number */
async function eachWaiting(
  { searchTerms }: Pick<Services, "searchTerms">,
  vocabulary: string,
  onTerm: (json: string) => void,
): Promise<number> {
  const request = { vocabulary, confirmed: false, sort: "newest", filters: {}, facetSize: 0, lang: "en" };
  let count = 0;
  for (let cursor: string | undefined = "*"; cursor !== undefined; ) {
    const window = { size: LIMITS.recordPageSizeMax, cursor };
    const { hits, next }: Awaited<ReturnType<typeof searchTerms>> = await searchTerms(OPERATOR, { ...request, window });
    for (const { json } of hits) onTerm(json);
    count += hits.length;
    cursor = next;
  }
  return count;
}

function describeWaiting(json: string): string {
  const { id, title, created } = JSON.parse(json) as {
    readonly id: string;
    readonly title: Readonly<Record<string, string>>;
    readonly created: string;
  };
  return `${id}  ${created.slice(0, 10)}  ${Object.values(title)[0]}`;
}

function addHistory(term: Command, context: CommandContext): void {
  term
    .command("history")
    .description("print the history of a term: who changed which fields, and when; the newest change comes last")
    .addArgument(VOCABULARY)
    .addArgument(ID)
    .option("--json", "print a JSON object per change")
    .action(async (vocabulary: string, id: string, { json }: OutputOptions) => {
      const entries = await withReader(context, (services) => readHistory(services, { vocabulary, id }));
      if (json) for (const entry of entries) writeJsonLine(entry);
      else writeOut(entries.length === 0 ? "No changes are recorded." : entries.flatMap(describe));
    });
}

type Entry = TermHistoryAnswer["entries"][number];

/** Returns the history of a term, oldest entry first. */
async function readHistory(
  { readTermHistory }: Pick<Services, "readTermHistory">,
  address: { readonly vocabulary: string; readonly id: string },
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (let page = 1; ; page++) {
    const window = { page, size: LIMITS.recordPageSizeMax };
    const { entries: newEntries, total } = await readTermHistory(OPERATOR, address, window);
    addAll(entries, newEntries);
    if (entries.length >= total || newEntries.length === 0) return entries.reverse();
  }
}

function describe({ revision, time, action, by, source, fields }: Entry): readonly string[] {
  const from = source === undefined ? "" : ` (${source})`;
  const first = `${time.slice(0, 19)}Z  revision ${revision}  ${action} by ${by}${from}`;
  return [first, ...fields.map((change) => `  ${describeChange(change)}`)];
}
