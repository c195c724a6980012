import { changedFields, type FieldChange, mergeTerm, patchOfChanges } from "../../../../core/catalog/merge-term.js";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import type { TermContent, TermPatch } from "../../../../core/term.js";
import { type EditedField, isEdited } from "../../../../core/terms/edited-fields.js";
import type { LoadedItem, LoadOptions } from "../../../../ports/store.js";
import type { Generation } from "../store/generation.js";
import { allEdited, deprecatedBy } from "../store/history-table.js";
import { sourceBit } from "../store/source-bits.js";
import type { BulkLoader } from "./bulk-loader.js";
import type { CurrentItem } from "./current-item.js";

/** Ids whose sources a load changes although it changes nothing else of their items. */
const SCRATCH_TABLES = "CREATE TABLE scratch.origin(ext TEXT PRIMARY KEY, sources INTEGER NOT NULL) WITHOUT ROWID;";

/** Rows that are read in one go to find those that the source no longer has. */
const ROWS_AT_ONCE = 4_096;

/** An item as the source wants it, or with what people changed of it. */
interface Wanted {
  readonly content: TermContent;
  /** Of one that is other than the line says: what writes it over the item. */
  readonly patch?: TermPatch;
}

/** The source of a load: which items it has, which it had before, and what people changed of them. */
export class LoadedSource {
  /** Fields that were left as people made them. */
  kept = 0;
  readonly #loader: BulkLoader;
  readonly #vocabulary: Vocabulary;
  readonly #options: LoadOptions;
  readonly #bit: number;
  /** Of a sync, by id. */
  readonly #edited: ReadonlyMap<string, ReadonlyMap<string, EditedField>>;
  /** Of a sync: a bit for each row that is current when it begins and that the source has. */
  readonly #seen: Uint8Array | undefined;
  readonly #generation: Generation | undefined;

  /** @param generation current as the load begins */
  constructor(loader: BulkLoader, vocabulary: Vocabulary, options: LoadOptions, generation: Generation | undefined) {
    const { source, withdraws } = options;
    const isSync = source !== undefined && withdraws !== undefined;
    loader.db.raw.exec(SCRATCH_TABLES);
    this.#loader = loader;
    this.#vocabulary = vocabulary;
    this.#options = options;
    this.#generation = generation;
    // A source that is new has a bit by now, but in a dry run, where nothing can have come from it.
    this.#bit = source === undefined ? 0 : sourceBit(loader.db, vocabulary.name, source);
    this.#edited = isSync ? allEdited(loader.db, vocabulary.name) : new Map();
    this.#seen = isSync ? new Uint8Array(Math.ceil((generation?.next ?? 0) / 8)) : undefined;
  }

  /** The bits of an item that the source has. @param old as it is; undefined: the item is new */
  sourcesOf(old: Pick<CurrentItem, "sources"> | undefined): number {
    return (old?.sources ?? 0) | this.#bit;
  }

  /** Those of one that it no longer has. */
  sourcesWithout({ sources }: Pick<CurrentItem, "sources">): number {
    return sources & ~this.#bit;
  }

  /** Notes that the source has an item: in its list, or by saying what became of its id. */
  see({ id }: Pick<CurrentItem, "id">): void {
    const at = id >> 3;
    // Rows with higher numbers were written since by others: they are left alone.
    if (this.#seen !== undefined && at < this.#seen.length) this.#seen[at]! |= 1 << (id & 7);
  }

  /** Notes the sources of an item that stays as it is. */
  noteUnchanged(id: string, old: Pick<CurrentItem, "sources">, sources: number): void {
    if (sources === old.sources) return;
    this.#loader.db.sql("INSERT OR REPLACE INTO scratch.origin(ext, sources) VALUES(?, ?)").run(id, sources);
  }

  /**
   * Has a say where a sync meets what people changed, or an item that is back; undefined elsewhere.
   * @param made JSON of what the line makes of the item
   * @param line JSON of what it says, where that is not all of the item
   */
  settle(old: CurrentItem, id: string, made: string, line: string | null): Wanted | undefined {
    const edited = this.#edited.get(id);
    const isBack = this.#seen !== undefined && old.isDeprecated && line !== null && this.#isBack(id, old, line);
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

  /** The items that came from the source and that it no longer has. */
  *missing(): Generator<{ readonly id: string; readonly isDeprecated: boolean }> {
    const { withdraws } = this.#options;
    const seen = this.#seen;
    if (seen === undefined || this.#generation === undefined || this.#bit === 0 || withdraws?.() !== true) return;
    const { next } = this.#generation;
    const read = this.#generation.sql<{ id: number; ext: string; status: number }>(
      "SELECT id, ext, status FROM term_$g WHERE id >= ? AND id < ? AND (sources & ?) <> 0",
    );
    for (let from = 0; from < next; from += ROWS_AT_ONCE) {
      // Most rows are there: blocks of them are not read at all.
      if (seen.subarray(from >> 3, (from + ROWS_AT_ONCE) >> 3).every((bits) => bits === 255)) continue;
      for (const { id, ext, status } of read.all(from, Math.min(from + ROWS_AT_ONCE, next), this.#bit)) {
        if ((seen[id >> 3]! & (1 << (id & 7))) !== 0) continue;
        yield { id: ext, isDeprecated: status > 0 };
      }
    }
  }

  /** Did somebody decide that the item stays active, or deprecated? */
  keepsStatus(id: string): boolean {
    const edited = this.#edited.get(id);
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
    if ((sources & this.#bit) !== 0) return false;
    const { status, replaced_by } = JSON.parse(line) as TermPatch;
    if (status !== undefined || replaced_by !== undefined) return false;
    return deprecatedBy(this.#loader.db, this.#vocabulary.name, id) === this.#options.source;
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
