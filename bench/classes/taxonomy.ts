import { ncbi } from "../../src/authorities/ncbi.js";
import type { Vocabulary } from "../../src/core/catalog/types.js";
import type { TermContent } from "../../src/core/term.js";
import { checkTerm } from "../../src/services/rules/check-term.js";
import { makeOrganism } from "../../test/support/items.js";

/** So many generated organisms: a tree in which each has eight children. */
export async function* generatedTaxa(size: number): AsyncGenerator<TermContent> {
  for (let n = 0; n < size; n++) {
    const { id, title, props, synonyms, parent } = makeOrganism(n) as unknown as TermContent;
    const above = n === 0 ? {} : { parent: parent! };
    yield { id, title, props, synonyms: synonyms!, status: "active", ...above };
  }
}

/** The items of a dump, as a load of the authority makes them. */
export async function* dumpedTaxa(file: string, vocabulary: Vocabulary): AsyncGenerator<TermContent> {
  for await (const entries of ncbi.read(file, {})) {
    for (const entry of entries) {
      if ("reason" in entry) throw new Error(`${entry.part}:${entry.line}: ${entry.reason}`);
      if (!("item" in entry)) continue;
      const { content, reasons } = checkTerm(vocabulary, entry.item);
      if (content === undefined) throw new Error(reasons.join("; "));
      yield content;
    }
  }
}
