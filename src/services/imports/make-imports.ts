import type { ImportOperatorServices, ImportReadServices } from "../api/import-services.js";
import type { Deps } from "../context/deps.js";
import { makeFindDumps } from "./find-dumps.js";
import { makeImportRecords } from "./import-records.js";
import { makeImportTerms } from "./import-terms.js";
import { makeLoadAuthority } from "./load-authority.js";
import { makeLoadStarters } from "./load-starters.js";
import { makeReadImport } from "./read-import.js";

/** All that imports files. */
export function makeImports(deps: Deps): ImportOperatorServices & ImportReadServices {
  return {
    importTerms: makeImportTerms(deps),
    importRecords: makeImportRecords(deps),
    loadAuthority: makeLoadAuthority(deps),
    findDumps: makeFindDumps(deps),
    listDumps: () => deps.store.dumps.list(),
    loadStarters: makeLoadStarters(deps),
    ...makeReadImport(deps),
  };
}
