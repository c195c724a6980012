import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { LIMITS } from "../../../core/limits.js";
import type { TermContent } from "../../../core/term.js";
import type { LoadSummary } from "../../../ports/store.js";
import { noteChange } from "../change.js";
import type { Writer } from "../transaction.js";
import { lifeSigns, showLife, withClaim } from "./claim.js";
import { fillGeneration } from "./fill-generation.js";
import type { Loader } from "./loader.js";
import { stagedContents, stageItems } from "./stage-items.js";
import { switchGeneration } from "./switch-generation.js";
import { declared, putTerm } from "./term-writer.js";

/**
 * Loads items as `Store.loadTerms` says. It has a connection and a scratch database of its own; only small changes
 * and the switch run in a transaction of `writer`. One load per vocabulary at a time.
 * @throws BinderyError STORE_UNAVAILABLE (another load runs, no disk); what `items` throws
 */
export async function loadTerms(
  writer: Writer,
  catalog: Catalog,
  name: string,
  items: AsyncIterable<TermContent>,
  isStopped: () => boolean,
): Promise<LoadSummary> {
  const vocabulary = declared(catalog, name);
  return await withClaim(writer, vocabulary, { isStopped, isRemake: false }, async (loader, g) => {
    const summary = await stageItems(loader, vocabulary, items, lifeSigns(loader, g));
    const fresh = summary.new + summary.changed;
    if (fresh === 0) return summary;
    if (fresh <= LIMITS.importTransactionItemsMax) {
      const counts = await loadFew(writer, vocabulary, loader, g);
      return { ...counts, unchanged: counts.unchanged + summary.unchanged };
    }
    await remake(writer, vocabulary, loader, g, true);
    return summary;
  });
}

/** Makes a generation again from what is there: in rank order, and as the vocabulary is declared now. */
export async function remakeGeneration(
  writer: Writer,
  vocabulary: Vocabulary,
  isStopped: () => boolean,
): Promise<void> {
  await withClaim(writer, vocabulary, { isStopped, isRemake: true }, async (loader, g) => {
    await stageItems(loader, vocabulary, nothing(), lifeSigns(loader, g));
    await remake(writer, vocabulary, loader, g, false);
  });
}

async function* nothing(): AsyncGenerator<TermContent> {}

async function remake(
  writer: Writer,
  vocabulary: Vocabulary,
  loader: Loader,
  g: number,
  isImport: boolean,
): Promise<void> {
  const since = await fillGeneration(writer, vocabulary, loader, g);
  await switchGeneration(writer, vocabulary, loader, { g, since, isImport });
}

/** Few changes are one transaction on the current generation. */
function loadFew(writer: Writer, vocabulary: Vocabulary, loader: Loader, g: number): Promise<LoadSummary> {
  return writer.run((now) => {
    const { db } = writer;
    showLife(db, g);
    const counts = { new: 0, changed: 0, unchanged: 0 };
    let n = 0;
    const entry = db.sql("INSERT INTO change_term(import, n, id, action, revision) VALUES(?, ?, ?, ?, ?)");
    for (const content of stagedContents(loader)) {
      const { outcome, revision } = putTerm(db, vocabulary, content, now);
      counts[outcome] += 1;
      if (outcome === "unchanged") continue;
      n += 1;
      entry.run(g, n, content.id, outcome === "new" ? "created" : "updated", revision);
    }
    if (n > 0) noteChange(db, now, { kind: "term", action: "imported", place: vocabulary.name, id: String(g) });
    return counts;
  });
}
