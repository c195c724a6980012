import { elementSearchContract } from "./element-search.js";
import { facetKindsContract, termFacetContract } from "./facet-search.js";
import { recordScopeContract } from "./record-scopes.js";
import { recordSearchContract } from "./record-search.js";
import { referenceUnderTest, referenceWithTerms } from "./reference-engine.js";

recordScopeContract(referenceUnderTest());
recordSearchContract(referenceUnderTest());
elementSearchContract(referenceUnderTest());
termFacetContract(referenceUnderTest());
const { under, putTerms } = referenceWithTerms();
facetKindsContract(under, putTerms);
