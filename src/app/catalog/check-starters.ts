import type { Vocabulary } from "../../core/catalog/types.js";
import { addAll } from "../../core/collections.js";
import type { Problem } from "../../core/declarations/declaration.js";
import type { TermContent } from "../../core/term.js";
import { readDocuments } from "../../formats/read-documents.js";
import { makeTermCheck } from "../../services/imports/import-terms.js";

/** A starter item, and where it stands. */
interface Placed {
  readonly term: TermContent;
  readonly line: number;
}

/** What a vocabulary's starter items are, and every mistake in them. */
export async function checkStarters(
  vocabulary: Vocabulary,
): Promise<{ readonly items: number; readonly problems: readonly Problem[] }> {
  const { starterFile: file } = vocabulary;
  if (file === undefined) return { items: 0, problems: [] };
  const problems: Problem[] = [];
  const placed: Placed[] = [];
  const check = makeTermCheck(vocabulary);
  for await (const document of readDocuments(file)) {
    const { line } = document;
    const term = check(document);
    if ("reason" in term) problems.push({ file, line, reason: term.reason });
    else placed.push({ term, line });
  }
  // An item that is refused is no item: to say that others name it would say the same mistake again.
  if (problems.length === 0)
    addAll(
      problems,
      checkLinks(placed).map((found) => ({ file, ...found })),
    );
  return { items: placed.length, problems };
}

/** Parents and successors have to be items themselves, and nobody stands below himself. */
function checkLinks(placed: readonly Placed[]): readonly Omit<Problem, "file">[] {
  const parents = new Map(placed.map(({ term }) => [term.id, term.parent]));
  return placed.flatMap(({ term: { id, parent, replaced_by }, line }) => {
    const found: Omit<Problem, "file">[] = [];
    const note = (reason: string): void => void found.push({ line, reason });
    if (parent !== undefined && !parents.has(parent)) note(`the parent "${parent}" is not one of the terms`);
    if (replaced_by !== undefined && !parents.has(replaced_by)) {
      note(`"replaced_by": "${replaced_by}" is not one of the terms`);
    }
    if (isBelowItself(id, parents)) note(`"${id}" is its own descendant`);
    return found;
  });
}

function isBelowItself(id: string, parents: ReadonlyMap<string, string | undefined>): boolean {
  const passed = new Set<string>();
  for (let above = parents.get(id); above !== undefined && !passed.has(above); above = parents.get(above)) {
    if (above === id) return true;
    passed.add(above);
  }
  return false;
}
