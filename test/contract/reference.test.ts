import { elementSearchContract } from "./element-search.js";
import { recordSearchContract } from "./record-search.js";
import { referenceUnderTest } from "./reference-engine.js";

recordSearchContract(referenceUnderTest());
elementSearchContract(referenceUnderTest());
