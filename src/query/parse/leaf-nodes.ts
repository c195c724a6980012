/** Query nodes for a text, in a field or without one: words, known ids, pasted identifiers, numbers in groups. */
import { projectNumber } from "../../core/identifiers.js";
import {
  identifierText,
  isUniqueWithoutPrefix,
  type PastedIdentifier,
  pastedIdentifier,
} from "../../core/pasted-identifiers.js";
import type { FieldLookup } from "../fields/field-lookup.js";
import { isNumericField } from "../fields/field-meanings.js";
import { analyse } from "../text/analyse.js";
import type { Scanner } from "../text/scan.js";
import type { BracketScope } from "./frame.js";
import { allNodes, anyNodes, type QueryNode } from "./tree.js";

/**
 * Returns the node for a pasted identifier: citations of the term, or the text that records contain. In a search for
 * terms, its words are compared with identifiers (`identifierTail`).
 */
export function pastedNode(text: string, scope: BracketScope, fields: FieldLookup): QueryNode | undefined {
  const pasted = pastedIdentifier(text);
  if (pasted === undefined) return undefined;
  if (fields.isTerms && pasted.prefix !== "") return pasted.isAddress ? wordsInScope(text, scope) : undefined;
  const id = joinId(pasted);
  const isTerm = !isUniqueWithoutPrefix(pasted) && citesIn(scope, fields) && fields.findIds(id).length > 0;
  const node = isTerm
    ? ({ kind: "cites", field: scope.name, id, within: false } as const)
    : wordsInScope(identifierText(pasted), scope);
  // A text may contain the foreign prefix as it was typed.
  return pasted.isAddress ? node : anyNodes([node, wordsInScope(text, scope)].flatMap((each) => each ?? []));
}

const joinId = ({ prefix, value }: PastedIdentifier): string => `${prefix}:${value}`;

/** Returns the known id that a text contains: as it is, as a web address or with a foreign prefix. Else undefined. */
export function findKnownId(text: string, fields: FieldLookup): string | undefined {
  const pasted = pastedIdentifier(text);
  return [text, ...(pasted === undefined ? [] : [joinId(pasted)])].find((id) => fields.findIds(id).length > 0);
}

const wordsInScope = (text: string, { name }: BracketScope): QueryNode | undefined => textNode(text, false, name);

/** Returns a node for a number as typed and as cited: without groups, or without the parts that change every year. */
export function numberNode(text: string, scope: BracketScope, fields: FieldLookup): QueryNode | undefined {
  const number = fields.isTerms || scope.field?.meanings.some(isNumericField) ? undefined : projectNumber(text);
  if (number === undefined || number === text) return undefined;
  return anyNodes([wordsInScope(text, scope), wordsInScope(number, scope)].flatMap((each) => each ?? []));
}

/** A number in groups of digits with blanks between them. */
const SPACED_NUMBER = /\d{1,3}(?:\s\d{3})+(?=[\s)]|$)/uy;

/** Reads a number in groups (see `spacedNumber`). For any other text, returns undefined and reads nothing. */
export function readSpacedNumber(scanner: Scanner, fields: FieldLookup): QueryNode | undefined {
  const start = scanner.at;
  const written = fields.isTerms ? undefined : scanner.take(SPACED_NUMBER);
  const node = written === undefined ? undefined : spacedNumber(written);
  if (node === undefined) scanner.at = start;
  return node;
}

/** Returns a node for the groups of a number as words, or the number as a whole; undefined for any other text. */
export function spacedNumber(text: string): QueryNode | undefined {
  const number = /^\d+\s/u.test(text) ? projectNumber(text) : undefined;
  if (number === undefined) return undefined;
  const groups = text.trim().split(/\s+/u);
  const nodes = [groups, [number]].flatMap(
    (texts) => allNodes(texts.flatMap((each) => textNode(each, false) ?? [])) ?? [],
  );
  return anyNodes(nodes);
}

/** Returns whether the nodes come from `spacedNumber`: the groups of a number, and the number as a whole. */
export function isSpacedNumber(groups: readonly QueryNode[], number: QueryNode | undefined): boolean {
  const texts = groups.map((node) => (node.kind === "text" ? node.text : " "));
  return number?.kind === "text" && /^\d+$/u.test(number.text) && texts.join("") === number.text;
}

/** Returns the node for a text in quotes: a phrase, or an identifier if the text is a web address. */
export function quotedNode(text: string, scope: BracketScope, fields: FieldLookup): QueryNode | undefined {
  const node = pastedIdentifier(text)?.isAddress === true ? pastedNode(text, scope, fields) : undefined;
  return node ?? textNode(text, true, scope.name);
}

/** Returns the node for words, or undefined if the text has no words. */
export function textNode(text: string, quoted: boolean, field?: string): QueryNode | undefined {
  if (analyse(text).length === 0) return undefined;
  return { kind: "text", field, text, quoted };
}

/** Returns whether an id can be looked up in a field. In a search for terms, only the field `id` has ids. */
export function citesIn({ field }: BracketScope, fields: FieldLookup): boolean {
  if (field === undefined) return true;
  if (fields.isTerms) return field.meanings.some(({ path }) => path === "id");
  return field.meanings.some(({ sites }) => sites.length > 0);
}
