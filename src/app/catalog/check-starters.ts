import type { Vocabulary } from "../../core/catalog/types.js";
import { addAll } from "../../core/collections.js";
import type { Problem } from "../../core/declarations/declaration.js";
import type { TermContent } from "../../core/term.js";
import { readDocuments } from "../../formats/read-documents.js";
import { makeTermCheck } from "../../services/imports/import-terms.js";

/** A starter term and its line, from 1. */
interface StarterTerm {
  readonly term: TermContent;
  readonly line: number;
}

/** Checks the starter terms of a vocabulary. @returns the number of valid terms, and all mistakes */
export async function checkStarters(
  vocabulary: Vocabulary,
): Promise<{ readonly items: number; readonly problems: readonly Problem[] }> {
  const { starterFile: file } = vocabulary;
  if (file === undefined) return { items: 0, problems: [] };
  const problems: Problem[] = [];
  const starters: StarterTerm[] = [];
  const check = makeTermCheck(vocabulary);
  for await (const document of readDocuments(file)) {
    const { line } = document;
    const term = check(document);
    if ("reason" in term) problems.push({ file, line, reason: term.reason });
    else starters.push({ term, line });
  }
  // Terms that refer to an invalid term would only repeat its mistake.
  if (problems.length === 0)
    addAll(
      problems,
      checkLinks(starters).map((problem) => ({ file, ...problem })),
    );
  return { items: starters.length, problems };
}

/** Checks that parents and successors are terms of the file, and that no term is its own descendant. */
function checkLinks(starters: readonly StarterTerm[]): readonly Omit<Problem, "file">[] {
  const parents = new Map(starters.map(({ term }) => [term.id, term.parent]));
  return starters.flatMap(({ term: { id, parent, replaced_by }, line }) => {
    const problems: Omit<Problem, "file">[] = [];
    const note = (reason: string): void => void problems.push({ line, reason });
    if (parent !== undefined && !parents.has(parent)) note(`the parent "${parent}" is not one of the terms`);
    if (replaced_by !== undefined && !parents.has(replaced_by)) {
      note(`"replaced_by": "${replaced_by}" is not one of the terms`);
    }
    if (isBelowItself(id, parents)) note(`"${id}" is its own descendant`);
    return problems;
  });
}

function isBelowItself(id: string, parents: ReadonlyMap<string, string | undefined>): boolean {
  const visited = new Set<string>();
  for (let term = parents.get(id); term !== undefined && !visited.has(term); term = parents.get(term)) {
    if (term === id) return true;
    visited.add(term);
  }
  return false;
}
