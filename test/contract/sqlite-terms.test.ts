import { nearTermsContract } from "./near-terms.js";
import { sqliteUnderTest } from "./sqlite-under-test.js";
import { termFinderContract } from "./term-finder.js";
import { searchAll } from "./term-fixtures.js";
import { termHierarchyContract, termTreeContract } from "./term-hierarchy.js";
import { termIdentifiersContract } from "./term-identifiers.js";
import { termIndexingContract } from "./term-indexing.js";
import { findInStore, termLoadsBesideContract, termLoadsContract } from "./term-loads.js";
import { termRacesContract } from "./term-races.js";
import { termSearchContract } from "./term-search.js";
import { termSearchRandomContract } from "./term-search-random.js";
import { termSuggestContract } from "./term-suggest.js";
import { termSyncsContract } from "./term-syncs.js";
import { termsContract } from "./terms.js";

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
