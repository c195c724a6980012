import type { ImportOperatorServices, ImportReadServices } from "../api/import-services.js";
import type { Deps } from "../context/deps.js";
import { makeImportRecords } from "./import-records.js";
import { makeImportTerms } from "./import-terms.js";
import { makeLoadStarters } from "./load-starters.js";
import { makeReadImport } from "./read-import.js";

/** All that imports files. */
export function makeImports(deps: Deps): ImportOperatorServices & ImportReadServices {
  return {
    importTerms: makeImportTerms(deps),
    importRecords: makeImportRecords(deps),
    loadStarters: makeLoadStarters(deps),
    ...makeReadImport(deps),
  };
}
