import { LRUCache } from "lru-cache";
import { fail } from "../../core/errors.js";
import { structureOf } from "../../core/terms/structure.js";
import { drawStructure } from "../../formats/structure-svg.js";
import type { VocabularyServices } from "../api/vocabulary-services.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { makeReadTerm } from "./read-term.js";

/** Characters of the pictures that are kept, by what they were drawn from. A usual one has about 4,000. */
const KEPT_LENGTH_MAX = 2 * 1024 * 1024;

/** The picture of a term's structure, as the term is now. */
export function makeDrawStructure(deps: Deps): VocabularyServices["drawStructure"] {
  const readTerm = makeReadTerm(deps);
  const kept = new LRUCache<string, string>({ maxSize: KEPT_LENGTH_MAX, sizeCalculation: ({ length }) => length });
  return async (name, id) => {
    const vocabulary = findVocabulary(deps.catalog, name);
    const answer = await readTerm(name, id);
    if (answer.kind === "moved") return answer;
    const missing = (reason: string) => fail("STRUCTURE_NOT_FOUND", { vocabulary: name, id: answer.term.id, reason });
    const structure = structureOf(vocabulary, answer.term.json);
    if (vocabulary.structure === undefined) throw missing("this vocabulary declares no structures");
    if (structure === undefined) throw missing(`it has no text in "${vocabulary.structure}"`);
    const { text, revision } = structure;
    const known = kept.get(text);
    if (known !== undefined) return { kind: "drawn", svg: known, revision };
    const drawing = await drawStructure(text);
    if ("reason" in drawing) throw missing(drawing.reason);
    kept.set(text, drawing.svg);
    return { kind: "drawn", svg: drawing.svg, revision };
  };
}
