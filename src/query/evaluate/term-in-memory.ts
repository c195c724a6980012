/** Terms in memory, and the tests of terms that rankings and filters of vocabularies need besides clauses. */
import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermContent } from "../../core/term.js";
import type { TextWeights } from "../index-model/leaves.js";
import { IDENTIFIER_NAME, nameKeys, titleKey } from "../index-model/term-document.js";
import { termLeaves } from "../index-model/term-leaves.js";
import { beginsWith, isId, type StepColumns, type TermStepTest } from "../ranking/term-steps.js";
import { makeTypoTest, type TypedWord } from "../ranking/typed-words.js";
import { compileClause, someText } from "./compile-clause.js";
import { type IsDescendant, RecordInMemory } from "./record-in-memory.js";

/** Term that clauses and steps of rankings are evaluated on. It is a record without elements that cites itself. */
export class TermInMemory extends RecordInMemory {
  readonly content: TermContent;
  readonly #vocabulary: Vocabulary;
  #names: ReadonlySet<string> | undefined;
  readonly #titleKeys = new Map<string, string>();

  constructor(content: TermContent, vocabulary: Vocabulary, leaves = termLeaves(content, vocabulary)) {
    super({ elements: [], leaves, cites: [{ vocabulary: vocabulary.name, id: content.id, site: "", element: 0 }] });
    this.content = content;
    this.#vocabulary = vocabulary;
  }

  /** Returns whether the term has a whole name of a kind (IDENTIFIER, TITLE, SYNONYM), by its key. */
  hasName(kind: number, key: string): boolean {
    this.#names ??= new Set(
      nameKeys(this.content, this.#vocabulary, this.leaves).map(([name, ofKind]) => `${ofKind}${name}`),
    );
    return this.#names.has(`${kind}${key}`);
  }

  /** Returns the sort key of the title in a language. */
  titleKey(lang: string): string {
    const key = this.#titleKeys.get(lang) ?? titleKey(this.content, lang, this.#vocabulary);
    this.#titleKeys.set(lang, key);
    return key;
  }
}

/** Returns whether a term matches. */
export type TermTest = (term: TermInMemory) => boolean;

/** Weights of the values in the columns; undefined: all values. */
const WEIGHTS: Readonly<Record<StepColumns, TextWeights | undefined>> = {
  title: ["title"],
  names: ["title", "heavy"],
  all: undefined,
};

/** Data that the tests of steps need besides the steps. */
export interface TermStepContext {
  readonly isDescendant: IsDescendant;
  /** The key of the end of a typed URL (`urlKeys`) that a term has. */
  readonly urlKey?: string | undefined;
  /** The typed words of suggestions. */
  readonly typed?: readonly TypedWord[] | undefined;
}

/** Compiles the condition of a step to a test of terms in memory. */
export function compileTermStep(test: TermStepTest, context: TermStepContext): TermTest {
  const { isDescendant, urlKey, typed = [] } = context;
  switch (test.kind) {
    case "identified": {
      const { whole, local } = test.by;
      const keys = [whole, urlKey].filter((key) => key !== undefined);
      const isLocal = (term: TermInMemory): boolean =>
        whole !== undefined &&
        local.some((key) => term.hasName(IDENTIFIER_NAME, key)) &&
        isId(term.content.id, test.by);
      return (term) => keys.some((key) => term.hasName(IDENTIFIER_NAME, key)) || isLocal(term);
    }
    case "named":
      return (term) => term.hasName(test.as, test.key);
    case "titleStart": {
      const matches = compileClause(test.besides ?? { kind: "everything" }, isDescendant, WEIGHTS.title);
      const hasStart = someText({ in: "text" }, WEIGHTS.title, ({ words }) => beginsWith(words, test.start));
      return (term) => hasStart(term, 0) && matches(term, 0);
    }
    case "clause": {
      const matches = compileClause(test.clause, isDescendant, WEIGHTS[test.columns]);
      return (term) => matches(term, 0);
    }
    case "near": {
      const tests = typed.map((word) => {
        const isNear = makeTypoTest(word);
        return someText({ in: "text" }, WEIGHTS[test.columns], ({ words }) => words.some(isNear));
      });
      return (term) => tests.every((isNear) => isNear(term, 0));
    }
    case "rest":
      return () => true;
  }
}
