import { applyTermPatch, changedFields, termAsPatch } from "../../core/catalog/patch-term.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermContent, TermPatch } from "../../core/term.js";
import type { LoadOptions, Redirect, TermLine } from "../../ports/loads.js";
import {
  type CompiledTerm,
  compiledContent,
  compilePatch,
  compileTerm,
  type ExistingTerm,
  lineOver,
  NEW_PATCH,
  type PreparedLine,
  prepareLine,
} from "./compiled-terms.js";
import type { LoadedSource } from "./loaded-source.js";

/** A term that a load adds or changes. */
export interface StagedTerm {
  /** null: the load has no line for it, because its source no longer has it. */
  readonly line: number | null;
  readonly id: string;
  /** Stored term; undefined: it is new. */
  readonly old: ExistingTerm | undefined;
  readonly made: CompiledTerm;
  /** Whether its parent changes. */
  readonly isMoved: boolean;
  /** Its new successor. */
  readonly successor: string | null;
  /** JSON of the patch for the term as stored when the load is applied; null: the whole content. See `stagedOver`. */
  readonly patch: string | null;
  /** JSON of the changed fields. */
  readonly changes: string | null;
  /** Bits of the sources that have the term after the load. */
  readonly sources: number;
}

/** Storage of an engine for the changes of an unfinished load. */
export interface Stage {
  insert(item: StagedTerm): void;
  /** Stages an unchanged term, which counts if its id comes twice. */
  insertUnchanged(id: string, line: number | null, old: Pick<ExistingTerm, "hash" | "sources">): void;
  /** Stages a redirect; if an id comes twice, the last one counts. */
  redirect(redirect: Redirect): void;
  /** Stages a term of which only the sources change. */
  noteSources(id: string, sources: number): void;
}

/** Returns the id that a line is about. */
export function idOfLine(item: TermContent | TermLine): string {
  if ("redirect" in item) return item.redirect.id;
  if ("prepared" in item) return (item.prepared as PreparedLine).id;
  if ("patch" in item) return item.patch.id;
  return "content" in item ? item.content.id : item.id;
}

/** Returns the row of the stored term if the line was prepared as unchanged. */
export function storedRow(item: TermContent | TermLine): number | undefined {
  if (!("prepared" in item)) return undefined;
  const { alone } = item.prepared as PreparedLine;
  return "row" in alone ? alone.row : undefined;
}

/** Returns whether a line changes no stored term: there is none, or it equals the prepared line. */
export function isAsStored(item: TermContent | TermLine, old: Pick<ExistingTerm, "hash"> | undefined): boolean {
  if (!("prepared" in item) || old === undefined) return old === undefined;
  const { alone } = item.prepared as PreparedLine;
  return "hash" in alone && alone.hash === old.hash;
}

/** Compares the lines of a load with stored terms, one after the other. */
export class LineStager {
  /** Number of unchanged terms that were not staged. */
  unchanged = 0;
  readonly #vocabulary: Vocabulary;
  readonly #options: LoadOptions;
  readonly #source: LoadedSource;
  readonly #stage: Stage;

  constructor(vocabulary: Vocabulary, options: LoadOptions, source: LoadedSource, stage: Stage) {
    this.#vocabulary = vocabulary;
    this.#options = options;
    this.#source = source;
    this.#stage = stage;
  }

  /** Whether the engine has to look up redirected ids. */
  get refusesOtherIds(): boolean {
    return this.#options.refusesOtherIds === true && this.#options.refuse !== undefined;
  }

  /**
   * @param old the stored term with the line's id; not needed if the line is known to be as stored
   * @param other the id of the term that the line's id redirects to, if any; see `refusesOtherIds`
   */
  add(item: TermContent | TermLine, old: ExistingTerm | undefined, other?: string): void {
    if ("redirect" in item) {
      this.#addRedirect(item, old);
      return;
    }
    const line = prepareLine(this.#vocabulary, item);
    if (this.#options.addsOnly === true && old !== undefined) {
      this.#addUnchanged(line, old);
      return;
    }
    const { alone, patch } = line;
    if ("row" in alone) {
      if (this.#options.addsOnly !== true) this.#noteUnchanged(line.id, alone, this.#source.sourcesOf(alone));
      this.#addUnchanged(line, alone);
      return;
    }
    if (old === undefined) {
      const alias = this.refusesOtherIds ? this.#vocabulary.aliases.get(line.id.toLowerCase()) : undefined;
      const targetId = other ?? alias;
      if (targetId !== undefined)
        this.#refuse(line, `"${line.id}" is another id of "${targetId}"; write "${targetId}" instead`);
      else if ("reason" in alone) this.#refuse(line, alone.reason);
      else this.#addItem(line, old, alone);
      return;
    }
    const changedLine = lineOver(this.#vocabulary, { alone, patch }, old, (content, said) =>
      this.#source.withoutRenaming(old, content, said),
    );
    const { made } = changedLine;
    if ("reason" in made) this.#refuse(line, made.reason);
    else if (this.#unmerges(old, made, patch)) this.#refuse(line, mergedInto(line.id, old.content().replaced_by!));
    else this.#addItem({ ...line, patch: changedLine.patch }, old, made);
  }

  #refuse({ line }: PreparedLine, reason: string): void {
    if (this.#options.refuse === undefined) throw new Error(reason);
    this.#options.refuse(line ?? 0, reason);
  }

  /** Returns whether a line with a whole term would make a merged term active again without asking for it. */
  #unmerges(old: ExistingTerm, made: CompiledTerm, patch: string | null): boolean {
    const isActive = made.status === 0 && made.successor === null;
    return (
      this.refusesOtherIds && patch === null && isActive && old.isDeprecated && old.content().replaced_by !== undefined
    );
  }

  /** Deprecates a term that its source no longer has, unless another source has it. It has no line. */
  withdraw(id: string, old: ExistingTerm): void {
    const sources = this.#source.sourcesWithout(old);
    if (old.isDeprecated || sources !== 0 || this.#source.keepsStatus(id)) {
      this.#noteUnchanged(id, old, sources);
      return;
    }
    const patch = { id, status: "deprecated" } as const;
    const made = compileTerm(this.#vocabulary, { ...old.content(), status: "deprecated" });
    this.#insert({ line: null, id, alone: made, patch: JSON.stringify(patch) }, old, made, sources);
  }

  /** Deprecates a term whose id becomes a redirect. It keeps its successor if the redirect names none. */
  #addRedirect({ line, redirect }: { readonly line: number; readonly redirect: Redirect }, old?: ExistingTerm): void {
    if (old === undefined) {
      this.#stage.redirect(redirect);
      return;
    }
    const { id, to } = redirect;
    const patch = { id, status: "deprecated", ...(to === null ? {} : { replaced_by: to }) } as const;
    const made = compilePatch(this.#vocabulary, old.content(), patch);
    if ("reason" in made) throw new Error(made.reason);
    const sources = this.#source.sourcesWithout(old);
    this.#addItem({ line, id, alone: made, patch: JSON.stringify(patch) }, old, made, sources);
  }

  #addUnchanged({ line, id }: PreparedLine, old: Pick<ExistingTerm, "hash" | "sources">): void {
    if (this.#options.isUnique === true) this.unchanged += 1;
    else this.#stage.insertUnchanged(id, line, old);
  }

  #noteUnchanged(id: string, old: Pick<ExistingTerm, "hash" | "sources">, sources: number): void {
    if (sources !== old.sources) this.#stage.noteSources(id, sources);
  }

  #addItem(
    prepared: PreparedLine,
    old: ExistingTerm | undefined,
    made: CompiledTerm,
    sources = this.#source.sourcesOf(old),
  ): void {
    const { id, patch: line } = prepared;
    const isSettled = old === undefined || (made.hash === old.hash && !old.isDeprecated);
    const settled = isSettled ? undefined : this.#source.settle(old, id, made.json, line);
    const wanted = settled === undefined ? made : compileTerm(this.#vocabulary, settled.content);
    if (old !== undefined && wanted.hash === old.hash) {
      this.#noteUnchanged(id, old, sources);
      this.#addUnchanged(prepared, old);
      return;
    }
    const patch = settled?.patch === undefined ? line : JSON.stringify(settled.patch);
    this.#insert({ ...prepared, patch }, old, wanted, sources);
  }

  #insert({ line, id, patch }: PreparedLine, old: ExistingTerm | undefined, made: CompiledTerm, sources: number): void {
    const oldContent = old?.content();
    const { parent, successor } = made;
    const isOldSuccessor = successor !== null && successor === oldContent?.replaced_by;
    this.#stage.insert({
      line,
      id,
      old,
      made,
      sources,
      isMoved: parent !== null && parent !== old?.parent,
      successor: isOldSuccessor ? null : successor,
      // For a new term the line has the whole content, which also replaces a term that somebody adds meanwhile.
      patch: oldContent === undefined && patch !== null ? NEW_PATCH : patch,
      changes: oldContent === undefined ? null : JSON.stringify(changedFields(oldContent, compiledContent(made))),
    });
  }
}

const mergedInto = (id: string, successor: string): string =>
  `"${id}" was merged into "${successor}"; write "${successor}" instead, or keep "replaced_by"`;

/** The staged change of an id. */
export interface Staged {
  readonly content: TermContent;
  readonly patch: string | null;
  /** Bits of the sources that have the term after the load. */
  readonly sources: number;
}

/**
 * Applies a staged line to the current term, which may have changed since the line was staged.
 * @param current undefined if it was deleted meanwhile: then the load restores it
 */
export function stagedOver(
  vocabulary: Vocabulary,
  { content, patch }: Staged,
  current: TermContent | undefined,
): TermContent {
  if (current === undefined || patch === null) return content;
  const linePatch = patch === NEW_PATCH ? termAsPatch(content) : (JSON.parse(patch) as TermPatch);
  const merged = applyTermPatch(vocabulary, current, linePatch);
  return "reason" in merged ? content : merged;
}
