import { elementSearchContract } from "../contract/element-search.contract.js";
import { facetKindsContract, termFacetContract } from "../contract/facet-search.contract.js";
import { recordScopeContract } from "../contract/record-scopes.contract.js";
import { recordSearchContract } from "../contract/record-search.contract.js";
import { referenceUnderTest, referenceWithTerms } from "../support/engines/reference-engine.js";

recordScopeContract(referenceUnderTest());
recordSearchContract(referenceUnderTest());
elementSearchContract(referenceUnderTest());
termFacetContract(referenceUnderTest());
const { under, putTerms } = referenceWithTerms();
facetKindsContract(under, putTerms);
