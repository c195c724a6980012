/** Clauses about a person's name. Records have it as two values, and no phrase matches across values. */
import type { Leaf } from "../../core/catalog/types.js";
import type { FieldLookup } from "../fields/field-lookup.js";
import type { Field } from "../fields/field-meanings.js";
import {
  isWrittenAsName,
  type NamePart,
  type PersonName,
  type PersonPlace,
  personPlaces,
  readNames,
} from "../fields/persons.js";
import { allOf, anyOf, type Clause, NOTHING, type TextScope } from "../index-model/clause.js";
import type { QueryNode } from "../parse/tree.js";

/**
 * Returns a clause that finds the person with a name in any field, or in one element of the list `outer`. To save time,
 * only texts that look like a name are searched: in quotes with capitals, or with a comma or full stop (`Müller,Z.`).
 */
export function personAnywhere(node: QueryNode, fields: Pick<FieldLookup, "persons">, outer?: Field): Clause {
  if (node.kind !== "text" || !(node.quoted ? isWrittenAsName(node.text) : /[.,]/u.test(node.text))) return NOTHING;
  if (outer === undefined) return personClause(node.text, fields.persons);
  const leaves = outer.meanings.flatMap((meaning) => meaning.leaves);
  return personIn(node.text, leaves, outer);
}

/** Returns a clause that finds the person with a name in some leaves. @param outer list of the current element */
export function personIn(text: string, leaves: readonly Leaf[], outer?: Field): Clause {
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
    const of = anyOf(names.map((name) => nameClause(name, place)));
    const { elementPath: path } = place;
    return path === "" || path === within || of.kind === "nothing" ? of : { kind: "element", path, of };
  });
  return anyOf(clauses);
}

function nameClause({ given, family, middle }: PersonName, place: PersonPlace): Clause {
  const surname: Clause = { kind: "words", place: at(place.family), words: family.map(({ word }) => word) };
  const forenames = given.map((part) => {
    const initials = initialsClause(part, place);
    return part.initials.length === 1 ? initials : anyOf([wordClause(part, place.given), initials]);
  });
  const middleNames = middle.map((part) =>
    anyOf([wordClause(part, place.given, place.family), initialsClause(part, place)]),
  );
  return allOf([surname, ...forenames, ...middleNames]);
}

const wordClause = ({ word }: NamePart, ...paths: readonly string[]): Clause => ({
  kind: "words",
  place: at(...paths),
  words: [word],
});

function initialsClause({ initials }: NamePart, { given }: PersonPlace): Clause {
  if (initials.length === 0) return NOTHING;
  return allOf(initials.map((letter) => ({ kind: "prefix", place: at(given), words: [letter] })));
}

const at = (...paths: readonly string[]): TextScope => ({ in: "paths", paths });
