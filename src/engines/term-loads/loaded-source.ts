import type { FieldChange } from "../../core/answers/term-answers.js";
import {
  AUTHORITY_TITLE,
  applyTermPatch,
  changedFields,
  patchOfChanges,
  withoutRenaming,
} from "../../core/catalog/patch-term.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { Synonym, TermContent, TermPatch } from "../../core/term.js";
import { type EditedField, isEdited, type TitleGivers } from "../../core/terms/edited-fields.js";
import type { LoadEffect, LoadOptions } from "../../ports/loads.js";
import type { ExistingTerm } from "./compiled-terms.js";

/** The content that a load gives a term, after edits by people were considered. */
interface SettledTerm {
  readonly content: TermContent;
  /** Patch that produces the content, if it differs from that of the line. */
  readonly patch?: TermPatch;
}

/** History of terms, as far as a load needs it. */
interface ItemHistory {
  /** Returns the fields that people changed since the term's source last changed it. */
  edited(id: string): ReadonlyMap<string, EditedField> | undefined;
  /** Returns the source of the load that last changed the status of a term, undefined if it was not a load. */
  deprecatedBy(id: string): string | undefined;
  /** Returns the origin of each title of a term. Only the load of an authority calls it. */
  titleGivers(id: string): TitleGivers | undefined;
}

/** Bits that sources have in the `sources` of a term. */
export interface SourceBits {
  /** Bit of the loaded source, 0 if it has none. */
  readonly own: number;
  /** Bits of all authorities. */
  readonly authorities: number;
}

/** The source of a load: the terms that it has, and edits of them by people. */
export class LoadedSource {
  /** Number of fields that keep their edits. */
  kept = 0;
  /** Whether the load contains everything that the source has. */
  readonly isSync: boolean;
  /** Bit of the source in `sources` of a term, 0 if it has none. */
  readonly bit: number;
  readonly #vocabulary: Vocabulary;
  readonly #options: LoadOptions;
  readonly #history: ItemHistory;
  readonly #authorityBits: number;

  constructor(vocabulary: Vocabulary, options: LoadOptions, bits: SourceBits, history: ItemHistory) {
    this.isSync = options.source !== undefined && options.withdraws !== undefined;
    this.bit = bits.own;
    this.#authorityBits = bits.authorities;
    this.#vocabulary = vocabulary;
    this.#options = options;
    this.#history = history;
  }

  /** Returns the source bits of a term that the source has. @param old stored term; undefined: the term is new */
  sourcesOf(old: Pick<ExistingTerm, "sources"> | undefined): number {
    return (old?.sources ?? 0) | this.bit;
  }

  /** Returns the source bits of a term that the source no longer has. */
  sourcesWithout({ sources }: Pick<ExistingTerm, "sources">): number {
    return sources & ~this.bit;
  }

  /** Returns whether terms that the source no longer has are deprecated. Call it after everything was read. */
  withdraws(): boolean {
    return this.isSync && this.bit !== 0 && this.#options.withdraws?.() === true;
  }

  /**
   * Decides about a term that people edited, or that is back in the source, during a sync. Returns undefined for other
   * terms.
   * @param made JSON of the content that the line produces
   * @param line JSON of the line if it does not describe the whole term
   */
  settle(old: ExistingTerm, id: string, made: string, line: string | null): SettledTerm | undefined {
    if (!this.isSync) return undefined;
    const edited = this.#history.edited(id);
    const isBack = old.isDeprecated && line !== null && this.#isBack(id, old, line);
    if (edited === undefined && !isBack) return undefined;
    const lineContent = JSON.parse(made) as TermContent;
    const newContent = isBack ? reactivate(lineContent) : lineContent;
    const changes = changedFields(old.content(), newContent);
    const uneditedChanges = changes.filter(
      ({ field }) => edited === undefined || isEdited(edited, field) === undefined,
    );
    if (uneditedChanges.length === changes.length && newContent === lineContent) return undefined;
    for (const change of changes) {
      const by = edited && isEdited(edited, change.field);
      if (by !== undefined) this.#keep({ id, ...change, by });
    }
    const patch = patchOfChanges(newContent, uneditedChanges);
    const content = applyTermPatch(this.#vocabulary, old.content(), patch);
    // A change that cannot be applied leaves the term unchanged.
    return "reason" in content ? { content: old.content() } : { content, patch };
  }

  /** Returns the patch of a line without new titles for terms that did not get their title from an authority. */
  withoutRenaming(item: Pick<ExistingTerm, "sources">, old: TermContent, said: TermPatch): TermPatch {
    // A line that only fills gaps does not replace titles.
    if (this.#options.authority === undefined || said.manner === "fill") return said;
    const keptLanguages = Object.keys(said.title ?? {}).filter(
      (lang) => Object.hasOwn(old.title, lang) && old.title[lang] !== said.title![lang] && this.#keeps(item, old, lang),
    );
    if (keptLanguages.length === 0) return said;
    if (this.isSync) this.#noteKeptTitles(old, said, keptLanguages);
    return withoutRenaming(old, said, keptLanguages);
  }

  /** Returns whether a term keeps its title in a language because it does not come from an authority. */
  #keeps({ sources }: Pick<ExistingTerm, "sources">, old: TermContent, lang: string): boolean {
    const { id, title, synonyms = [], confirmed } = old;
    const [first] = Object.keys(title);
    const isOtherTitle = (synonym: Synonym): boolean =>
      synonym.kind === AUTHORITY_TITLE && (synonym.lang ?? first) === lang;
    const givers = this.#history.titleGivers(id);
    const giver = givers?.get(`title.${lang}`);
    if (giver !== undefined) return giver === "operator";
    // The title of a depositor is only a proposal until a curator confirms it.
    if (givers?.get("title") === "operator" && confirmed !== false) return true;
    if (this.#options.authority!.starterTitles.get(id)?.[lang] === title[lang]) return true;
    return synonyms.some(isOtherTitle) || (sources !== 0 && (sources & this.#authorityBits) === 0);
  }

  #noteKeptTitles({ id, title }: TermContent, said: TermPatch, languages: readonly string[]): void {
    const edited = this.#history.edited(id);
    for (const lang of languages) {
      const by = edited?.get(`title.${lang}`);
      const to = said.title![lang]!;
      if (by !== undefined) this.#keep({ id, field: `title.${lang}`, from: title[lang]!, to, by });
    }
  }

  /** Returns whether a person decided that the term stays active or deprecated. */
  keepsStatus(id: string): boolean {
    const edited = this.#history.edited(id);
    const by = edited && isEdited(edited, "status");
    if (by === undefined) return false;
    this.#keep({ id, field: "status", from: "active", to: "deprecated", by });
    return true;
  }

  report(item: LoadEffect): void {
    this.#options.report?.(item);
  }

  /** Returns whether a term is back that was deprecated because the source no longer had it. */
  #isBack(id: string, { sources }: ExistingTerm, line: string): boolean {
    if ((sources & this.bit) !== 0) return false;
    const { status, replaced_by } = JSON.parse(line) as TermPatch;
    if (status !== undefined || replaced_by !== undefined) return false;
    return this.#history.deprecatedBy(id) === this.#options.source;
  }

  #keep({ id, field, from, to, by: { by, time } }: KeptField): void {
    this.kept += 1;
    this.report({
      kind: "kept",
      id,
      field,
      by,
      time,
      value: from,
      source: to,
    });
  }
}

const reactivate = ({ replaced_by: _, ...item }: TermContent): TermContent => ({ ...item, status: "active" });

interface KeptField extends FieldChange {
  readonly id: string;
  readonly by: EditedField;
}
