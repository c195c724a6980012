import { auditContract } from "./audit.js";
import { changeFeedContract } from "./change-feed.js";
import { elementSearchContract } from "./element-search.js";
import { facetKindsContract, termFacetContract } from "./facet-search.js";
import { idempotencyContract } from "./idempotency.js";
import { recordSearchContract } from "./record-search.js";
import { sqliteUnderTest, sqliteWithLoads } from "./sqlite-under-test.js";
import { storeContract } from "./store.js";
import { putTerms } from "./term-fixtures.js";
import { tombstonesContract } from "./tombstones.js";
import { usersContract } from "./users.js";
import { webhooksContract } from "./webhooks.js";

storeContract(sqliteUnderTest());
auditContract(sqliteUnderTest());
changeFeedContract(sqliteUnderTest());
idempotencyContract(sqliteUnderTest());
webhooksContract(sqliteUnderTest());
tombstonesContract(sqliteUnderTest());
usersContract(sqliteUnderTest());
recordSearchContract(sqliteUnderTest());
elementSearchContract(sqliteUnderTest());
termFacetContract(sqliteUnderTest());
facetKindsContract(sqliteUnderTest(), putTerms);

recordSearchContract(sqliteWithLoads());
elementSearchContract(sqliteWithLoads());
