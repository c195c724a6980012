import { sqliteUnderTest } from "./sqlite-under-test.js";
import { termHierarchyContract } from "./term-hierarchy.js";
import { termLoadsContract } from "./term-loads.js";
import { termSearchContract } from "./term-search.js";
import { termSearchRandomContract } from "./term-search-random.js";
import { termSuggestContract } from "./term-suggest.js";
import { termsContract } from "./terms.js";

termsContract(sqliteUnderTest());
termLoadsContract(sqliteUnderTest());
termSearchRandomContract(sqliteUnderTest());
termSearchContract(sqliteUnderTest());
termSuggestContract(sqliteUnderTest());
termHierarchyContract(sqliteUnderTest());
