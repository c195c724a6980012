import { elementSearchContract } from "./element-search.js";
import { recordSearchContract } from "./record-search.js";
import { sqliteUnderTest, sqliteWithLoads } from "./sqlite-under-test.js";
import { storeContract } from "./store.js";
import { usersContract } from "./users.js";

storeContract(sqliteUnderTest());
usersContract(sqliteUnderTest());
recordSearchContract(sqliteUnderTest());
elementSearchContract(sqliteUnderTest());

recordSearchContract(sqliteWithLoads());
elementSearchContract(sqliteWithLoads());
