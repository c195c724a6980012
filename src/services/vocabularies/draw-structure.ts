import { LRUCache } from "lru-cache";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { structureOf } from "../../core/terms/structure.js";
import { whyNotDrawn } from "../../formats/structure-graph.js";
import type { Drawing } from "../../formats/structure-svg.js";
import type { StructureAnswer } from "../api/vocabularies.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { useCase } from "../context/use-case.js";
import { readTerm } from "./read-terms.js";

/** Maximum total length of cached drawings and their SMILES, in UTF-16 units. A typical drawing has about 4,000. */
const CACHED_LENGTH_MAX = 2 * 1024 * 1024;

/**
 * Draws the structure of a term, as the term is now.
 * @param caller who requests the drawing: callers take turns. @throws STRUCTURE_NOT_FOUND
 */
export const drawStructure = useCase(
  // It reads the term; a thread of its own draws (`start-drawing.ts`).
  { thread: "http" },
  (deps) => {
    const read = readTerm.make(deps);
    const drawings = makeDrawings(deps.draw);
    return async (name: string, id: string, caller?: string): Promise<StructureAnswer> => {
      const vocabulary = findVocabulary(deps.catalog, name);
      const answer = await read(name, id);
      if (answer.kind === "moved") return answer;
      const missing = (reason: string) => fail("STRUCTURE_NOT_FOUND", { vocabulary: name, id: answer.term.id, reason });
      const structure = structureOf(vocabulary, answer.term);
      if (vocabulary.structure === undefined) throw missing("this vocabulary declares no structures");
      if (structure === undefined) throw missing(`it has no text in "${vocabulary.structure}"`);
      const { text, revision } = structure;
      const refusal = whyNotDrawn(text);
      if (refusal !== undefined) throw missing(refusal);
      const drawing = await drawings(text, caller);
      if ("reason" in drawing) throw missing(drawing.reason);
      return { kind: "drawn", svg: drawing.svg, revision };
    };
  },
);

/**
 * Caches drawings by their SMILES, also those that failed: these for a limited time, because a busy machine may be the
 * cause. Concurrent requests for one structure draw it once.
 *
 * @param retryMs how long a failure is remembered
 */
export function makeDrawings(draw: Deps["draw"], retryMs = LIMITS.structureRetryMinutes * 60_000): Deps["draw"] {
  const cache = new LRUCache<string, Drawing, string | undefined>({
    maxSize: CACHED_LENGTH_MAX,
    sizeCalculation: (drawing, text) => text.length + ("svg" in drawing ? drawing.svg : drawing.reason).length,
    fetchMethod: async (text, _stale, { options, context: caller }) => {
      const drawing = await draw(text, caller);
      if ("reason" in drawing) options.ttl = retryMs;
      return drawing;
    },
    // An eviction must not fail the requests that wait for the drawing.
    ignoreFetchAbort: true,
  });
  return (smiles, caller) => cache.forceFetch(smiles, { context: caller });
}
