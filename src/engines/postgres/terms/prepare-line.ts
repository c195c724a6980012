import type { Catalog } from "../../../core/catalog/types.js";
import type { PreparedTerm, TermLine } from "../../../ports/loads.js";
import { prepareLine as prepareFor } from "../../term-loads/made-items.js";
import { declared } from "./term-writer.js";

/** Does what a load does with a line and needs nothing that is stored. @throws BinderyError VOCABULARY_NOT_FOUND */
export function prepareLine(catalog: Catalog, vocabulary: string, line: TermLine): PreparedTerm {
  return prepareFor(declared(catalog, vocabulary), line);
}
