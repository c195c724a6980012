import {
  AUTHORITY_TITLE,
  changedFields,
  type FieldChange,
  mergeTerm,
  patchOfChanges,
  withoutRenaming,
} from "../../core/catalog/merge-term.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { Synonym, TermContent, TermPatch } from "../../core/term.js";
import { type EditedField, isEdited, type TitleGivers } from "../../core/terms/edited-fields.js";
import type { LoadedItem, LoadOptions } from "../../ports/loads.js";
import type { CurrentItem } from "./compared-item.js";

/** An item as the source wants it, or with what people changed of it. */
interface Wanted {
  readonly content: TermContent;
  /** Of one that is other than the line says: what writes it over the item. */
  readonly patch?: TermPatch;
}

/** History of the terms, as far as a load needs it. */
interface ItemHistory {
  /** Fields that people changed since the item's source last did. */
  edited(id: string): ReadonlyMap<string, EditedField> | undefined;
  /** What the last change of its status was, if a load did it: the name of what was loaded. */
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

/** The source of a load: which items it has, and what people changed of them. */
export class LoadedSource {
  /** Fields that were left as people made them. */
  kept = 0;
  /** Are the items a new state of all that the source has? */
  readonly isSync: boolean;
  /** Its bit in the sources of an item, 0 where it has none. */
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

  /** The bits of an item that the source has. @param old as it is; undefined: the item is new */
  sourcesOf(old: Pick<CurrentItem, "sources"> | undefined): number {
    return (old?.sources ?? 0) | this.bit;
  }

  /** Those of one that it no longer has. */
  sourcesWithout({ sources }: Pick<CurrentItem, "sources">): number {
    return sources & ~this.bit;
  }

  /** Asked when all was read: are items deprecated that came from the source and that it no longer has? */
  withdraws(): boolean {
    return this.isSync && this.bit !== 0 && this.#options.withdraws?.() === true;
  }

  /**
   * Has a say where a sync meets what people changed, or an item that is back; undefined elsewhere.
   * @param made JSON of what the line makes of the item
   * @param line JSON of what it says, where that is not all of the item
   */
  settle(old: CurrentItem, id: string, made: string, line: string | null): Wanted | undefined {
    if (!this.isSync) return undefined;
    const edited = this.#history.edited(id);
    const isBack = old.isDeprecated && line !== null && this.#isBack(id, old, line);
    if (edited === undefined && !isBack) return undefined;
    const said = JSON.parse(made) as TermContent;
    const wanted = isBack ? activeAgain(said) : said;
    const changes = changedFields(old.content(), wanted);
    const theirs = changes.filter(({ field }) => edited === undefined || isEdited(edited, field) === undefined);
    if (theirs.length === changes.length && wanted === said) return undefined;
    for (const change of changes) {
      const by = edited && isEdited(edited, change.field);
      if (by !== undefined) this.#keep({ id, ...change, by });
    }
    const patch = patchOfChanges(wanted, theirs);
    const content = mergeTerm(this.#vocabulary, old.content(), patch);
    // Whatever cannot be written as it was meant stays as it is.
    return "reason" in content ? { content: old.content() } : { content, patch };
  }

  /** Returns the patch of a line without new titles for terms that did not get their title from an authority. */
  withoutRenaming(item: Pick<CurrentItem, "sources">, old: TermContent, said: TermPatch): TermPatch {
    // A line that only fills gaps does not replace titles.
    if (this.#options.authority === undefined || said.manner === "fill") return said;
    const kept = Object.keys(said.title ?? {}).filter(
      (lang) => Object.hasOwn(old.title, lang) && old.title[lang] !== said.title![lang] && this.#keeps(item, old, lang),
    );
    if (kept.length === 0) return said;
    if (this.isSync) this.#noteKeptTitles(old, said, kept);
    return withoutRenaming(old, said, kept);
  }

  /** Returns whether a term keeps its title in a language because it does not come from an authority. */
  #keeps({ sources }: Pick<CurrentItem, "sources">, old: TermContent, lang: string): boolean {
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

  /** Did somebody decide that the item stays active, or deprecated? */
  keepsStatus(id: string): boolean {
    const edited = this.#history.edited(id);
    const by = edited && isEdited(edited, "status");
    if (by === undefined) return false;
    this.#keep({ id, field: "status", from: "active", to: "deprecated", by });
    return true;
  }

  report(item: LoadedItem): void {
    this.#options.report?.(item);
  }

  /** Is an item there again that is deprecated because the source no longer had it? */
  #isBack(id: string, { sources }: CurrentItem, line: string): boolean {
    if ((sources & this.bit) !== 0) return false;
    const { status, replaced_by } = JSON.parse(line) as TermPatch;
    if (status !== undefined || replaced_by !== undefined) return false;
    return this.#history.deprecatedBy(id) === this.#options.source;
  }

  #keep({ id, field, from, to, by: { by, time } }: KeptField): void {
    this.kept += 1;
    this.report({
      ...{ kind: "kept", id, field, by, time },
      ...(from === undefined ? {} : { value: from }),
      ...(to === undefined ? {} : { source: to }),
    });
  }
}

const activeAgain = ({ replaced_by: _, ...item }: TermContent): TermContent => ({ ...item, status: "active" });

interface KeptField extends FieldChange {
  readonly id: string;
  readonly by: EditedField;
}
