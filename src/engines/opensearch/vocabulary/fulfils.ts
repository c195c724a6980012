import { compareBytes } from "../../../core/terms/term-order.js";
import { isWord } from "../../../query/index-model/term-document.js";
import { makeEditTest } from "../../../query/text/edit-distance.js";
import { compilePattern } from "../../../query/text/pattern.js";
import type { TermDocument } from "../documents/term-document.js";
import type { DocumentTest, End, TermField } from "./document-test.js";

type Of<Kind extends DocumentTest["kind"]> = Extract<DocumentTest, { kind: Kind }>;

/** Judges documents that the index does not have yet as it would. */
export type Judge = (document: TermDocument) => boolean;

/** What a test needs to know is made once for all documents. */
export function makeJudge(test: DocumentTest): Judge {
  switch (test.kind) {
    case "always":
      return () => true;
    case "never":
      return () => false;
    case "all": {
      const judges = test.of.map(makeJudge);
      return (document) => judges.every((judge) => judge(document));
    }
    case "any": {
      const judges = test.of.map(makeJudge);
      return (document) => judges.some((judge) => judge(document));
    }
    case "not": {
      const judge = makeJudge(test.of);
      return (document) => !judge(document);
    }
    case "has":
      return (document) => valuesOf(document, test.field).some((value) => test.values.has(value));
    case "replaced":
      return ({ successor }) => successor !== undefined;
    case "phrase":
      return (document) => document[test.column].some((value) => hasPhrase(value.split(" "), test));
    case "pattern":
    case "near":
      return wordJudge(test);
    case "between":
      return ({ number }) => (number[test.path] ?? []).some((value) => isWithin(value, test, (a, b) => a - b));
    case "keyword":
      return ({ keyword }) => keyword.some((value) => isWithin(value, test, compareBytes));
  }
}

function valuesOf(document: TermDocument, field: TermField): readonly string[] {
  switch (field) {
    case "id":
      return [document.id];
    case "parent":
      return document.parent === undefined ? [] : [document.parent];
    case "region":
      // Which items that changed stand below one is known by their ids (`Below`).
      return [];
    case "whole":
      return document.whole;
    default:
      return document.facet[field.slice("facet.".length)] ?? [];
  }
}

function hasPhrase(found: readonly string[], { tokens, isPrefix }: Of<"phrase">): boolean {
  const last = tokens.length - 1;
  return found.some((_, at) =>
    tokens.every((token, i) => (isPrefix && i === last ? found[at + i]?.startsWith(token) : found[at + i] === token)),
  );
}

function wordJudge(test: Of<"pattern"> | Of<"near">): Judge {
  const { column, before } = test;
  const fits = test.kind === "pattern" ? compilePattern(test.pattern).test : nearJudge(test);
  return (document) =>
    document[column].some((value) =>
      value.split(" ").some((token) => isWord(token) && token.startsWith(before) && fits(token.slice(before.length))),
    );
}

function nearJudge({ word, edits, isPrefix }: Of<"near">): (other: string) => boolean {
  const test = makeEditTest(word, edits);
  if (!isPrefix) return test;
  // No longer beginning is near: words may have hundreds of letters.
  const longest = [...word].length + edits;
  return (other) => {
    const letters = [...other].slice(0, longest);
    return letters.some((_, i) => test(letters.slice(0, i + 1).join("")));
  };
}

function isWithin<T>(
  value: T,
  { from, to }: { readonly from?: End<T>; readonly to?: End<T> },
  compare: (a: T, b: T) => number,
): boolean {
  if (from !== undefined) {
    const order = compare(value, from.value);
    if (order < 0 || (order === 0 && !from.inclusive)) return false;
  }
  if (to === undefined) return true;
  const order = compare(value, to.value);
  return order < 0 || (order === 0 && to.inclusive);
}
