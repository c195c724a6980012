import type { FieldLookup } from "../fields/field-lookup.js";
import { analyse } from "../text/analyse.js";
import { analysePattern, hasWildcard, isPrefixText, type PatternPart } from "../text/pattern.js";
import { type Scanner, sliceWord, type Word } from "../text/scan.js";
import type { BracketScope } from "./frame.js";
import { citesIn, numberNode, pastedNode, textNode } from "./leaf-nodes.js";
import { type Notes, noteBoost, noteUnknownName, noteUnknownUse } from "./notes.js";
import { readBracketed } from "./range-text.js";
import { allNodes, EVERYTHING_NODE, type QueryNode } from "./tree.js";

/**
 * Returns the node of a word: text, prefix, wildcard, fuzzy, a known id, everything, or the existence of a field.
 * Undefined if the word has no letters and no digits.
 */
export function wordNode(word: Word, scope: BracketScope, fields: FieldLookup, notes: Notes): QueryNode | undefined {
  const plain = dropBoost(word, notes);
  const { text, isEscaped } = plain;
  const field = scope.name;
  if (/^\*+$/u.test(text) && !isEscaped(0)) {
    return field === undefined ? EVERYTHING_NODE : { kind: "exists", field };
  }
  const fuzzy = fuzzyNode(plain, field, notes);
  if (fuzzy !== undefined) return fuzzy;
  const pasted = text === plain.raw ? (pastedNode(text, scope, fields) ?? numberNode(text, scope, fields)) : undefined;
  if (pasted !== undefined) return pasted;
  if (hasWildcard(plain) && !/^https?:\/\/[^*]*$/iu.test(text)) return patternNode(plain, field, notes);
  const colon = text.indexOf(":");
  if (colon > 0 && !isEscaped(colon) && citesIn(scope, fields) && fields.findIds(text).length > 0) {
    return { kind: "cites", field, id: text, within: false };
  }
  if (colon > 0 && !isEscaped(colon) && scope.name === undefined) noteColon(text, colon, fields, notes);
  return textNode(text, false, scope.name);
}

/** Reads a range after an unknown name as plain words. For any other text, returns undefined and reads nothing. */
export function readUnknownRange(
  scanner: Scanner,
  name: string,
  field: string | undefined,
  fields: FieldLookup,
  notes: Notes,
): readonly QueryNode[] | undefined {
  const start = scanner.at;
  scanner.at += name.length + 1;
  const range = readBracketed(scanner);
  if (range === undefined) {
    scanner.at = start;
    return undefined;
  }
  noteUnknownUse(name, "its range", fields, notes);
  const texts = [name, ...range.bounds.map((bound) => bound.text)];
  return texts.flatMap((text) => textNode(text, false, field) ?? []);
}

function noteColon(text: string, colon: number, fields: FieldLookup, notes: Notes): void {
  const [name, rest] = [text.slice(0, colon), text.slice(colon + 1)];
  if (name === "_exists_" && rest !== "") noteUnknownUse(rest, '"_exists_:"', fields, notes);
  else if (/^[<>≤≥]/u.test(rest)) noteUnknownUse(name, "its comparison", fields, notes);
  else noteUnknownName(name, fields, notes);
}

function dropBoost(word: Word, notes: Notes): Word {
  const boost = /.\^\d+(?:\.\d+)?$/u.exec(word.text);
  if (boost === null || word.isEscaped(boost.index + boost[0].indexOf("^"))) return word;
  noteBoost(notes);
  return sliceWord(word, boost.index + boost[0].indexOf("^"));
}

const EDITS_MAX = 2;

function fuzzyNode(word: Word, field: string | undefined, notes: Notes): QueryNode | undefined {
  const tilde = /~(\d*)(?:\.\d+)?$/u.exec(word.text);
  if (tilde === null || word.isEscaped(tilde.index)) return undefined;
  const body = sliceWord(word, tilde.index);
  const words = analyse(body.text);
  if (words.length === 0) return undefined;
  if (words.length > 1 || hasWildcard(body)) {
    const message = `"~" applies to a single word only; "${word.text}" was read without it.`;
    notes.fallBack("QUERY_FUZZY_IGNORED", message, { value: word.text });
    return hasWildcard(body) ? patternNode(body, field, notes) : { kind: "text", field, ...asText(body.text) };
  }
  const digits = tilde[1]!;
  if (/^0+$/u.test(digits) && !tilde[0].includes(".")) return { kind: "text", field, ...asText(body.text) };
  if (Number(digits) > EDITS_MAX && !tilde[0].includes(".")) {
    const message = `A fuzzy word can have at most ${EDITS_MAX} edits; "${word.text}" was read with ${EDITS_MAX}.`;
    notes.fallBack("QUERY_FUZZY_REDUCED", message, { value: word.text });
  }
  const edits = tilde[0].includes(".") || digits === "" ? undefined : digits === "1" ? 1 : 2;
  return { kind: "fuzzy", field, text: body.text, edits };
}

const asText = (text: string): { text: string; quoted: boolean } => ({ text, quoted: false });

function patternNode(word: Word, field: string | undefined, notes: Notes): QueryNode | undefined {
  const all = analysePattern(word);
  const parts = all.filter(({ kind }) => kind !== "idle");
  if (parts.length === 0 || parts.some((part) => part.kind === "refused")) {
    const message = `A word cannot begin with "*" or "?"; "${word.text}" was read as plain text.`;
    notes.fallBack("QUERY_WILDCARD_REFUSED", message, { value: word.text });
    return textNode(word.text, false, field);
  }
  if (parts.length < all.length) {
    const message = `A "*" between punctuation marks matches nothing; "${word.text}" was read without it.`;
    notes.fallBack("QUERY_WILDCARD_IGNORED", message, { value: word.text });
  }
  if (parts.length > 1) {
    const message = `"${word.text}" is several words, so it finds them in any order.`;
    notes.warn("QUERY_WILDCARD_SPLIT", message, { value: word.text });
  }
  return allNodes(parts.flatMap((part) => partNode(part, word, field)));
}

function partNode(part: PatternPart, word: Word, field: string | undefined): readonly QueryNode[] {
  switch (part.kind) {
    case "words":
      return [{ kind: "text", field, ...asText(part.words.join(" ")) }];
    case "prefix": {
      const written = word.text.replace(/\*+$/u, "");
      const text = isPrefixText(written, part.words) ? written : part.words.join(" ");
      return [{ kind: "prefix", field, text }];
    }
    case "wildcard":
      return [{ kind: "wildcard", field, pattern: part.pattern }];
    case "refused":
    case "idle":
      return [];
  }
}
