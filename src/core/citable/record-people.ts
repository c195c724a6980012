import { type Identifier, recogniseIdentifier } from "../identifiers/identifiers.js";
import { isObject, type Json, own } from "../json.js";
import type { Organisation, Person } from "./citable.js";
import { labelOf, textAt, valuesAt } from "./values-at.js";

/**
 * The people of a record, each once, in the order of their first mention. Two mentions are one person where the ORCID
 * iDs are equal, or where the names are equal and no ORCID iD differs; what either of them says is joined.
 */
export function peopleOf(values: readonly Json[]): readonly Person[] {
  const people: Person[] = [];
  for (const person of values.flatMap(personsIn)) {
    const at = people.findIndex((known) => isSame(known, person));
    if (at === -1) people.push(person);
    else people[at] = join(people[at]!, person);
  }
  return people;
}

/** A person, or those that an object of people holds: `{depositor, principal_contact, contributors}`. */
function personsIn(value: Json): readonly Person[] {
  const person = readPerson(value);
  if (person !== undefined) return [person];
  return isObject(value)
    ? Object.values(value)
        .flat()
        .flatMap((each) => readPerson(each) ?? [])
    : [];
}

function readPerson(value: Json): Person | undefined {
  if (typeof value === "string" && value.trim() !== "")
    return { name: value.trim(), identifiers: [], affiliations: [] };
  const familyName = textAt(value, "family_name");
  const givenName = textAt(value, "given_name");
  const name = [familyName, givenName].filter((part) => part !== undefined).join(", ") || textAt(value, "name");
  if (name === undefined || name === "") return undefined;
  const identifiers = valuesAt(value, "identifiers").flatMap(readIdentifier);
  const orcid = identifiers.find(({ scheme }) => scheme === "orcid")?.value;
  return {
    name,
    ...(givenName === undefined ? {} : { givenName }),
    ...(familyName === undefined ? {} : { familyName }),
    ...(orcid === undefined ? {} : { orcid }),
    identifiers: identifiers.filter(({ scheme }) => scheme !== "orcid"),
    affiliations: valuesAt(value, "affiliations").flatMap(readOrganisation),
  };
}

function readIdentifier(value: Json): readonly Identifier[] {
  const text = typeof value === "string" ? value : textAt(value, "identifier");
  const identifier = text === undefined ? undefined : recogniseIdentifier(text);
  return identifier === undefined ? [] : [identifier];
}

function readOrganisation(value: Json): readonly Organisation[] {
  const name = labelOf(value);
  if (name === undefined) return [];
  const id = isObject(value) ? own(value, "id") : undefined;
  const known = typeof id === "string" ? recogniseIdentifier(id) : undefined;
  return [{ name, ...(known?.scheme === "ror" ? { ror: known.value } : {}) }];
}

function isSame(one: Person, other: Person): boolean {
  if (one.orcid !== undefined && other.orcid !== undefined) return one.orcid === other.orcid;
  return plain(one.name) === plain(other.name);
}

/** A name without what two ways of typing it may differ in: form of letters, case, blanks. */
const plain = (name: string): string => name.normalize("NFC").toLowerCase().replaceAll(/\s+/gu, " ").trim();

function join(one: Person, other: Person): Person {
  const orcid = one.orcid ?? other.orcid;
  return {
    ...one,
    ...(orcid === undefined ? {} : { orcid }),
    identifiers: unique([...one.identifiers, ...other.identifiers], ({ scheme, value }) => `${scheme}:${value}`),
    affiliations: unique([...one.affiliations, ...other.affiliations], ({ name, ror }) => ror ?? plain(name)),
  };
}

/** Each once, by key; the first stays. */
export function unique<T>(values: readonly T[], keyOf: (value: T) => string): readonly T[] {
  const seen = new Map<string, T>();
  for (const value of values) if (!seen.has(keyOf(value))) seen.set(keyOf(value), value);
  return [...seen.values()];
}
