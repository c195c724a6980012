import { nearTermsContract } from "../contract/near-terms.contract.js";
import { termFinderContract } from "../contract/term-finder.contract.js";
import { termHierarchyContract, termTreeContract } from "../contract/term-hierarchy.contract.js";
import { termIdentifiersContract } from "../contract/term-identifiers.contract.js";
import { termIndexingContract } from "../contract/term-indexing.contract.js";
import { findInStore, termLoadsBesideContract, termLoadsContract } from "../contract/term-loads.contract.js";
import { termRacesContract } from "../contract/term-races.contract.js";
import { termSearchContract } from "../contract/term-search.contract.js";
import { termSearchRandomContract } from "../contract/term-search-random.contract.js";
import { termSuggestContract } from "../contract/term-suggest.contract.js";
import { termSyncsContract } from "../contract/term-syncs.contract.js";
import { termsContract } from "../contract/terms.contract.js";
import { sqliteUnderTest } from "../support/engines/sqlite-under-test.js";
import { searchAll } from "../support/engines/term-fixtures.js";

termsContract(sqliteUnderTest());
termSyncsContract(sqliteUnderTest());
termRacesContract(sqliteUnderTest());
termIndexingContract(sqliteUnderTest());
for (const find of [findInStore, searchAll]) {
  termLoadsContract(sqliteUnderTest(), find);
  termLoadsBesideContract(sqliteUnderTest(), find);
}
termSearchRandomContract(sqliteUnderTest());
termSearchContract(sqliteUnderTest());
termSuggestContract(sqliteUnderTest());
termTreeContract(sqliteUnderTest());
termFinderContract(sqliteUnderTest());
nearTermsContract(sqliteUnderTest());
termIdentifiersContract(sqliteUnderTest());
termHierarchyContract(sqliteUnderTest());
