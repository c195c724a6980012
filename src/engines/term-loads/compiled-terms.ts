import { applyTermPatch, termAsPatch } from "../../core/catalog/patch-term.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermContent, TermPatch } from "../../core/term.js";
import { contentDigest, staticRank, type TermRow } from "../../core/terms/term-row.js";
import type { TermLine } from "../../ports/store.js";

/** A term compiled for staging. */
export interface CompiledTerm extends Pick<TermRow, "status" | "prior" | "length" | "parent" | "successor"> {
  /** Hex text, because bytes are slow to post between threads. */
  readonly hash: string;
  /** JSON of the content. */
  readonly json: string;
}

/** Reason why a line produces no term. */
interface InvalidLine {
  readonly reason: string;
}

/** A stored term, of which only the data that tells whether it changes is read immediately. */
export interface ExistingTerm {
  /** Digest of its content, in hex. */
  readonly hash: string;
  readonly parent: string | null;
  readonly isDeprecated: boolean;
  /** Bits of the sources that have it. */
  readonly sources: number;
  content(): TermContent;
}

/**
 * A line whose term was unchanged when the line was prepared, after the load had begun. Later writes by others are
 * replayed.
 */
interface UnchangedTerm extends Pick<ExistingTerm, "hash" | "sources"> {
  /** Row of the stored term in the engine. */
  readonly row: number;
}

/** Stands for a patch that contains the whole content, for a line with a new term. */
export const NEW_PATCH = "";

/**
 * The part of processing a line that does not depend on stored terms, as plain data that can be posted to another
 * thread.
 */
export interface PreparedLine {
  readonly line: number | null;
  readonly id: string;
  /** The result of the line if there is no stored term with its id. */
  readonly alone: CompiledTerm | InvalidLine | UnchangedTerm;
  /** JSON of the line, or `NEW_PATCH`; null: the line describes the whole term. */
  readonly patch: string | null;
}

/** Processes a line as far as possible without stored terms. */
export function prepareLine(vocabulary: Vocabulary, item: TermContent | TermLine): PreparedLine {
  if ("prepared" in item) return item.prepared as PreparedLine;
  if ("redirect" in item) throw new Error("A redirect is not a term.");
  if ("patch" in item) {
    const { line, patch, alone } = item;
    const made = alone === undefined ? compilePatch(vocabulary, undefined, patch) : compileTerm(vocabulary, alone);
    return { line, id: patch.id, alone: made, patch: JSON.stringify(patch) };
  }
  const [line, content] = "content" in item ? [item.line, item.content] : [null, item];
  return { line, id: content.id, alone: compileTerm(vocabulary, content), patch: null };
}

/**
 * Makes the changed version of an existing term from a line of a file.
 * @param adapt changes the patch of the line before it is applied to the term
 * @returns `patch` as it is staged: JSON, `NEW_PATCH`, or null if the line contains the whole term
 */
export function lineOver(
  vocabulary: Vocabulary,
  { alone, patch }: { readonly alone: CompiledTerm | InvalidLine; readonly patch: string | null },
  old: ExistingTerm,
  adapt: (old: TermContent, linePatch: TermPatch) => TermPatch,
): { readonly made: CompiledTerm | InvalidLine; readonly patch: string | null } {
  // The line describes the unchanged term, as most lines do if a file is loaded again.
  const isSame = !("reason" in alone) && alone.hash === old.hash;
  if (isSame || patch === null) return { made: alone, patch };
  const linePatch =
    patch === NEW_PATCH ? termAsPatch(compiledContent(alone as CompiledTerm)) : (JSON.parse(patch) as TermPatch);
  const content = old.content();
  const adapted = adapt(content, linePatch);
  return {
    made: compilePatch(vocabulary, content, adapted),
    patch: adapted === linePatch ? patch : JSON.stringify(adapted),
  };
}

/** Parses the content of a compiled term. */
export const compiledContent = ({ json }: CompiledTerm): TermContent => JSON.parse(json) as TermContent;

/** Applies a patch to a term and compiles the result. */
export function compilePatch(
  vocabulary: Vocabulary,
  old: TermContent | undefined,
  patch: TermPatch,
): CompiledTerm | InvalidLine {
  const content = applyTermPatch(vocabulary, old, patch);
  return "reason" in content ? content : compileTerm(vocabulary, content);
}

/** Compiles a term. */
export function compileTerm(vocabulary: Vocabulary, content: TermContent): CompiledTerm {
  return {
    ...staticRank(content, vocabulary),
    parent: content.parent ?? null,
    successor: content.replaced_by ?? null,
    hash: contentDigest(content),
    json: JSON.stringify(content),
  };
}
