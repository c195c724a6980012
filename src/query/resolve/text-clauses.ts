/**
 * Clauses about words, also about adjacent words that may be one word in a text, and about the name of a person.
 * Records have a name as two values, and no phrase matches across values.
 */
import type { Leaf } from "../../core/catalog/types.js";
import type { FieldLookup } from "../fields/field-lookup.js";
import type { SearchField } from "../fields/field-meanings.js";
import {
  isWrittenAsName,
  type NamePart,
  type PersonName,
  type PersonPlace,
  personPlaces,
  readNames,
} from "../fields/persons.js";
import { andClauses, type Clause, NOTHING, orClauses, phraseClause, type TextScope } from "../index-model/clause.js";
import type { QueryNode } from "../parse/tree.js";
import { analyse } from "../text/analyse.js";
import { mayAttach } from "../text/greek-spellings.js";
import { prefixWords } from "../text/pattern.js";

/** A node about words. */
export type TextNode = Extract<QueryNode, { kind: "text" | "prefix" | "wildcard" | "fuzzy" }>;

/** Maximum length of a word with the default fuzzy distance 1. Longer words have 2. */
const SHORT_WORD_LENGTH = 5;

/** Returns the clause of a text node in the searched text. */
export function textClause(node: TextNode, place: TextScope): Clause {
  switch (node.kind) {
    case "text":
      return phraseClause(analyse(node.text), place);
    case "prefix":
      return phraseClause(prefixWords(node.text), place, "prefix");
    case "wildcard":
      return { kind: "wildcard", place, pattern: node.pattern };
    case "fuzzy": {
      const word = analyse(node.text)[0] ?? "";
      const edits = node.edits ?? ([...word].length <= SHORT_WORD_LENGTH ? 1 : 2);
      return { kind: "fuzzy", place, word, edits };
    }
  }
}

/** Returns a clause that matches consecutive words in one of the leaves. */
export const phraseInLeaves = (words: readonly string[], leaves: readonly Leaf[]): Clause =>
  leaves.length === 0 ? NOTHING : phraseClause(words, { in: "paths", paths: leaves.map((leaf) => leaf.path) });

/** Maximum number of adjacent words that may be one word in a text (`NF kappa B`). */
const NEIGHBOURS_MAX = 4;

/**
 * Returns the ways to read adjacent nodes of an AND that texts may write as one word because of a Greek letter:
 * `delta G` is also written `deltaG`. Each way is a list of nodes that must all match. The first way has the nodes
 * themselves; it is the only one if the node at `first` cannot be attached to the next.
 */
export function waysToAttach(nodes: readonly QueryNode[], first: number): readonly [QueryNode[], ...QueryNode[][]] {
  let ways: [QueryNode[], ...QueryNode[][]] = [[nodes[first]!]];
  for (const node of nodes.slice(first + 1, first + NEIGHBOURS_MAX)) {
    if (!areNeighbours(nodes[first + ways[0].length - 1]!, node)) break;
    const attached = ways.map((way) => [...way.slice(0, -1), attach(way.at(-1)!, node)]);
    ways = [[...ways[0], node], ...ways.slice(1).map((way) => [...way, node]), ...attached];
  }
  return ways;
}

type WordNode = Extract<QueryNode, { kind: "text" | "prefix" }>;

function areNeighbours(node: QueryNode, next: QueryNode): boolean {
  if (node.kind !== "text" || node.quoted || (next.kind !== "text" && next.kind !== "prefix")) return false;
  if ((next.kind === "text" && next.quoted) || node.field !== next.field) return false;
  const words = next.kind === "prefix" ? prefixWords(next.text) : analyse(next.text);
  return mayAttach(analyse(node.text).at(-1) ?? "", words[0] ?? "");
}

/** Joins two nodes to one phrase, whose Greek spellings include the attached form. */
function attach(node: QueryNode, next: QueryNode): QueryNode {
  const [{ text, field }, last] = [node as WordNode, next as WordNode];
  const phrase = `${text} ${last.text}`;
  return last.kind === "prefix"
    ? { kind: "prefix", field, text: phrase }
    : { kind: "text", field, text: phrase, quoted: false };
}

/**
 * Returns a clause that finds the person with a name in any field, or in one element of the list `outer`. To save time,
 * only texts that look like a name are searched: in quotes with capitals, or with a comma or full stop (`Müller,Z.`).
 */
export function personAnywhere(node: QueryNode, fields: Pick<FieldLookup, "persons">, outer?: SearchField): Clause {
  if (node.kind !== "text" || !(node.quoted ? isWrittenAsName(node.text) : /[.,]/u.test(node.text))) return NOTHING;
  if (outer === undefined) return personClause(node.text, fields.persons);
  const leaves = outer.meanings.flatMap((meaning) => meaning.leaves);
  return personIn(node.text, leaves, outer);
}

/** Returns a clause that finds the person with a name in some leaves. @param outer list of the current element */
export function personIn(text: string, leaves: readonly Leaf[], outer?: SearchField): Clause {
  return personClause(text, personPlaces(leaves), outer?.meanings[0]?.path);
}

/**
 * Returns a clause that matches if one person has the name, in either order and with initials. `NOTHING` if the text
 * cannot be a whole name.
 * @param within path of the list, if the clause is evaluated for one of its elements
 */
function personClause(text: string, places: readonly PersonPlace[], within?: string): Clause {
  const names = places.length === 0 ? [] : readNames(text);
  const clauses = places.map((place): Clause => {
    const of = orClauses(names.map((name) => nameClause(name, place)));
    const { elementPath: path } = place;
    return path === "" || path === within || of.kind === "nothing" ? of : { kind: "element", path, of };
  });
  return orClauses(clauses);
}

function nameClause({ given, family, middle }: PersonName, place: PersonPlace): Clause {
  const surname: Clause = { kind: "words", place: at(place.family), words: family.map(({ word }) => word) };
  const forenames = given.map((part) => {
    const initials = initialsClause(part, place);
    return part.initials.length === 1 ? initials : orClauses([wordClause(part, place.given), initials]);
  });
  const middleNames = middle.map((part) =>
    orClauses([wordClause(part, place.given, place.family), initialsClause(part, place)]),
  );
  return andClauses([surname, ...forenames, ...middleNames]);
}

const wordClause = ({ word }: NamePart, ...paths: readonly string[]): Clause => ({
  kind: "words",
  place: at(...paths),
  words: [word],
});

function initialsClause({ initials }: NamePart, { given }: PersonPlace): Clause {
  if (initials.length === 0) return NOTHING;
  return andClauses(initials.map((letter) => ({ kind: "prefix", place: at(given), words: [letter] })));
}

const at = (...paths: readonly string[]): TextScope => ({ in: "paths", paths });
