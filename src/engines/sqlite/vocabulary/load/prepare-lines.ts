import type { Vocabulary } from "../../../../core/catalog/types.js";
import { contentDigest } from "../../../../core/terms/term-row.js";
import type { TermLine } from "../../../../ports/loads.js";
import { makeItem, NEW_PATCH, type PreparedLine, prepareLine as prepareFor } from "../../../term-loads/made-items.js";
import type { Db } from "../../connection/database.js";
import { findCurrent } from "../store/current-item.js";
import { currentGeneration, type Generation, inRead } from "../store/generation.js";

/**
 * Does what a load does with lines and writes nothing, on the thread that reads: it looks what is there of their items.
 * Of an item that is as it was its row is passed on; of a new one its content, for it is all that the line says.
 */
export function prepareLines(db: Db, vocabulary: Vocabulary, lines: readonly TermLine[]): PreparedLine[] {
  return inRead(db, () => {
    const generation = currentGeneration(db, vocabulary.name);
    return lines.map((line) => prepareLine(generation, vocabulary, line));
  });
}

function prepareLine(generation: Generation | undefined, vocabulary: Vocabulary, line: TermLine): PreparedLine {
  const content = "patch" in line ? line.alone : "content" in line ? line.content : undefined;
  if (content === undefined) return prepareFor(vocabulary, line);
  const { id } = content;
  const old = generation && findCurrent(generation, id);
  if (old === undefined) {
    const alone = makeItem(vocabulary, content);
    return { line: line.line, id, alone, patch: "patch" in line ? NEW_PATCH : null };
  }
  const { id: row, hash, sources } = old;
  if (old.isDeprecated || hash !== contentDigest(content)) return prepareFor(vocabulary, line);
  return { line: line.line, id, alone: { row, hash, sources }, patch: null };
}
