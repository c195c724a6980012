import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { makeSingleFlight } from "../../core/single-flight.js";
import { structureOf } from "../../core/terms/structure.js";
import { whyNotDrawn } from "../../formats/structure-graph.js";
import type { Drawing } from "../../formats/structure-svg.js";
import type { StructureAnswer } from "../api/vocabularies.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { useCase } from "../context/use-case.js";
import { readTerm } from "./read-terms.js";

/**
 * Draws the structure of a term, as the term is now.
 * @param caller who requests the drawing: callers take turns. @throws STRUCTURE_NOT_FOUND
 */
export const drawStructure = useCase(
  // It reads the term; a thread of its own draws (`start-drawing.ts`).
  { thread: "http" },
  (deps) => {
    const read = readTerm.make(deps);
    const drawings = makeDrawings(deps);
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
export function makeDrawings(
  { draw, caches }: Pick<Deps, "draw" | "caches">,
  retryMs = LIMITS.structureRetryMinutes * 60_000,
): Deps["draw"] {
  const cache = caches.open("drawings");
  const once = makeSingleFlight();
  return async (smiles, caller) =>
    cache.get<Drawing>(smiles) ??
    once(smiles, async () => {
      const drawing = await draw(smiles, caller);
      if ("reason" in drawing) cache.set(smiles, drawing, 2 * drawing.reason.length, retryMs);
      else cache.set(smiles, drawing, 2 * drawing.svg.length);
      return drawing;
    });
}
