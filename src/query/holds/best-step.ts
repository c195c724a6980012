import type { Clause } from "../index-model/clause.js";
import { bestMatchSteps, type RecordTest as StepTest } from "../ranking/record-steps.js";
import { compileClause, type RecordTest } from "./compile-clause.js";
import type { ParentOf } from "./held-record.js";

/** Makes what says in which step of `bestmatch` a record stands that fulfils the clause. */
export function makeBestStep(
  search: { readonly clause: Clause; readonly plain?: readonly string[] },
  parentOf: ParentOf,
): (record: Parameters<RecordTest>[0]) => number {
  const steps = bestMatchSteps(search).map(({ number, test }) => ({ number, passes: compileTest(test, parentOf) }));
  return (record) => steps.find(({ passes }) => passes(record, 0))!.number;
}

function compileTest(test: StepTest, parentOf: ParentOf): RecordTest {
  switch (test.kind) {
    case "everything":
      return () => true;
    case "clause":
      return compileClause(test.clause, parentOf, test.weights);
    case "token": {
      const { token, isPrefix } = test;
      return ({ tokens }) => tokens.some((one) => (isPrefix ? one.startsWith(token) : one === token));
    }
  }
}
