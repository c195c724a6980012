import { changedFields, mergeTerm, patchOf } from "../../core/catalog/merge-term.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermContent, TermPatch } from "../../core/term.js";
import type { LoadOptions, Redirect, TermLine } from "../../ports/loads.js";
import type { CurrentItem } from "./compared-item.js";
import type { LoadedSource } from "./loaded-source.js";
import {
  contentOfMade,
  lineOver,
  type MadeItem,
  madeOf,
  makeItem,
  NEW_PATCH,
  type PreparedLine,
  prepareLine,
} from "./made-items.js";

/** An item that a load adds or changes. */
export interface StagedItem {
  /** Null: the load has no line of it, its source no longer has it. */
  readonly line: number | null;
  readonly id: string;
  /** As it is; undefined: it is new. */
  readonly old: CurrentItem | undefined;
  readonly made: MadeItem;
  /** Does it get another parent than it had? */
  readonly isMoved: boolean;
  /** What newly replaces it. */
  readonly successor: string | null;
  /** JSON of what writes it over the item that is there by then; null: all of it. See `stagedOver`. */
  readonly patch: string | null;
  /** JSON of the fields of a changed item that differ. */
  readonly changes: string | null;
  /** Bits of those that have the item from then on. */
  readonly sources: number;
}

/** Where an engine keeps what a load does until it is done. */
export interface Stage {
  insert(item: StagedItem): void;
  /** An item that stays as it is: it counts where its id comes twice. */
  insertUnchanged(id: string, line: number | null, old: Pick<CurrentItem, "hash" | "sources">): void;
  /** An id that is no item; of one that comes twice the last counts. */
  redirect(redirect: Redirect): void;
  /** An item whose sources change although nothing else of it does. */
  noteSources(id: string, sources: number): void;
}

/** The id that a line is about. */
export function idOfLine(item: TermContent | TermLine): string {
  if ("redirect" in item) return item.redirect.id;
  if ("prepared" in item) return (item.prepared as PreparedLine).id;
  if ("patch" in item) return item.patch.id;
  return "content" in item ? item.content.id : item.id;
}

/** Where the engine has the item of a line that is known to be as stored. */
export function storedRow(item: TermContent | TermLine): number | undefined {
  if (!("prepared" in item)) return undefined;
  const { alone } = item.prepared as PreparedLine;
  return "row" in alone ? alone.row : undefined;
}

/** Returns whether a line changes no stored term: there is none, or it equals the prepared line. */
export function isAsStored(item: TermContent | TermLine, old: Pick<CurrentItem, "hash"> | undefined): boolean {
  if (!("prepared" in item) || old === undefined) return old === undefined;
  const { alone } = item.prepared as PreparedLine;
  return "hash" in alone && alone.hash === old.hash;
}

/** Compares what a load says with what is there, one line after the other. */
export class LineStager {
  /** Items that stay as they are and of which nothing was kept. */
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
  add(item: TermContent | TermLine, old: CurrentItem | undefined, other?: string): void {
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
      const meant = other ?? alias;
      if (meant !== undefined) this.#refuse(line, `"${line.id}" is another id of "${meant}"; write "${meant}" instead`);
      else if ("reason" in alone) this.#refuse(line, alone.reason);
      else this.#addItem(line, old, alone);
      return;
    }
    const over = lineOver(this.#vocabulary, { alone, patch }, old, (content, said) =>
      this.#source.withoutRenaming(old, content, said),
    );
    const { made } = over;
    if ("reason" in made) this.#refuse(line, made.reason);
    else if (this.#unmerges(old, made, patch)) this.#refuse(line, mergedInto(line.id, old.content().replaced_by!));
    else this.#addItem({ ...line, patch: over.patch }, old, made);
  }

  #refuse({ line }: PreparedLine, reason: string): void {
    if (this.#options.refuse === undefined) throw new Error(reason);
    this.#options.refuse(line ?? 0, reason);
  }

  /** Returns whether a line with a whole term would make a merged term active again without asking for it. */
  #unmerges(old: CurrentItem, made: MadeItem, patch: string | null): boolean {
    const isActive = made.status === 0 && made.successor === null;
    return (
      this.refusesOtherIds && patch === null && isActive && old.isDeprecated && old.content().replaced_by !== undefined
    );
  }

  /** Deprecates an item that its source no longer has, unless another one has it. It has no line. */
  withdraw(id: string, old: CurrentItem): void {
    const sources = this.#source.sourcesWithout(old);
    if (old.isDeprecated || sources !== 0 || this.#source.keepsStatus(id)) {
      this.#noteUnchanged(id, old, sources);
      return;
    }
    const patch = { id, status: "deprecated" } as const;
    const made = makeItem(this.#vocabulary, { ...old.content(), status: "deprecated" });
    this.#insert({ line: null, id, alone: made, patch: JSON.stringify(patch) }, old, made, sources);
  }

  /** An item whose id becomes a redirect is deprecated; its successor stays where the redirect names none. */
  #addRedirect({ line, redirect }: { readonly line: number; readonly redirect: Redirect }, old?: CurrentItem): void {
    if (old === undefined) {
      this.#stage.redirect(redirect);
      return;
    }
    const { id, to } = redirect;
    const patch = { id, status: "deprecated", ...(to === null ? {} : { replaced_by: to }) } as const;
    const made = madeOf(this.#vocabulary, old.content(), patch);
    if ("reason" in made) throw new Error(made.reason);
    const sources = this.#source.sourcesWithout(old);
    this.#addItem({ line, id, alone: made, patch: JSON.stringify(patch) }, old, made, sources);
  }

  #addUnchanged({ line, id }: PreparedLine, old: Pick<CurrentItem, "hash" | "sources">): void {
    if (this.#options.isUnique === true) this.unchanged += 1;
    else this.#stage.insertUnchanged(id, line, old);
  }

  #noteUnchanged(id: string, old: Pick<CurrentItem, "hash" | "sources">, sources: number): void {
    if (sources !== old.sources) this.#stage.noteSources(id, sources);
  }

  #addItem(
    prepared: PreparedLine,
    old: CurrentItem | undefined,
    made: MadeItem,
    sources = this.#source.sourcesOf(old),
  ): void {
    const { id, patch: line } = prepared;
    const isSettled = old === undefined || (made.hash === old.hash && !old.isDeprecated);
    const settled = isSettled ? undefined : this.#source.settle(old, id, made.json, line);
    const wanted = settled === undefined ? made : makeItem(this.#vocabulary, settled.content);
    if (old !== undefined && wanted.hash === old.hash) {
      this.#noteUnchanged(id, old, sources);
      this.#addUnchanged(prepared, old);
      return;
    }
    const patch = settled?.patch === undefined ? line : JSON.stringify(settled.patch);
    this.#insert({ ...prepared, patch }, old, wanted, sources);
  }

  #insert({ line, id, patch }: PreparedLine, old: CurrentItem | undefined, made: MadeItem, sources: number): void {
    const before = old?.content();
    const { parent, successor } = made;
    const isOldSuccessor = successor !== null && successor === before?.replaced_by;
    this.#stage.insert({
      ...{ line, id, old, made, sources },
      isMoved: parent !== null && parent !== old?.parent,
      successor: isOldSuccessor ? null : successor,
      // Of a new item what the line says is all there is; where somebody adds it meanwhile, it is written over that.
      patch: before === undefined && patch !== null ? NEW_PATCH : patch,
      changes: before === undefined ? null : JSON.stringify(changedFields(before, contentOfMade(made))),
    });
  }
}

const mergedInto = (id: string, successor: string): string =>
  `"${id}" was merged into "${successor}"; write "${successor}" instead, or keep "replaced_by"`;

/** What is loaded under an id. */
export interface Staged {
  readonly content: TermContent;
  readonly patch: string | null;
  /** Bits of what has it from then on. */
  readonly sources: number;
}

/**
 * What a staged line makes of the item as it is by now: somebody may have changed it since it was staged.
 * @param now undefined where it was deleted meanwhile: then the load brings it back as it was
 */
export function stagedOver(
  vocabulary: Vocabulary,
  { content, patch }: Staged,
  now: TermContent | undefined,
): TermContent {
  if (now === undefined || patch === null) return content;
  const said = patch === NEW_PATCH ? patchOf(content) : (JSON.parse(patch) as TermPatch);
  const made = mergeTerm(vocabulary, now, said);
  return "reason" in made ? content : made;
}
