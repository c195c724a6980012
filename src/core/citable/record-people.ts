import { type Identifier, recogniseIdentifier } from "../identifiers.js";
import { isObject, type Json, type JsonObject, own } from "../json.js";
import type { Organisation, Person } from "./citable.js";
import { textAt, textsIn, valueLabel, valuesAt } from "./values-at.js";

/**
 * Returns the people of a record, each once, in the order of their first mention. Two mentions are one person if the
 * ORCID iDs are equal, or if the names are equal and no ORCID iD differs. The data of both are joined.
 */
export const peopleOf = (values: readonly Json[]): readonly Person[] =>
  mentionedPeople(values).map(({ person }) => person);

/** A person, and the indices of the values that mention it. */
interface MentionedPerson {
  readonly person: Person;
  readonly values: readonly number[];
}

/** Returns the people of `peopleOf` with the values that mention them. */
export function mentionedPeople(values: readonly Json[]): readonly MentionedPerson[] {
  const people = new People();
  for (const [i, value] of values.entries()) for (const person of personsIn(value)) people.add(person, i);
  return people.list.map((mentions) => ({ person: joinMentions(mentions), values: mentions.values }));
}

/** All mentions of one person. */
interface Mentions {
  readonly first: Person;
  readonly repeats: Person[];
  /** Indices of the values with the mentions. */
  readonly values: number[];
  orcid: string | undefined;
}

/** People by number, in the order of their first mention. A record may have 10,000 people, so maps find them. */
class People {
  readonly list: Mentions[] = [];
  readonly #byOrcid = new Map<string, number>();
  readonly #byName = new Map<string, number>();
  /** The person without an ORCID iD, by name. */
  readonly #unidentified = new Map<string, number>();

  /** @param value index of the value that mentions the person */
  add(person: Person, value: number): void {
    const name = comparableName(person.name);
    const at = this.#numberOf(person, name);
    if (at !== undefined) {
      this.#join(at, person, value);
      return;
    }
    const number = this.list.push({ first: person, repeats: [], values: [value], orcid: person.orcid }) - 1;
    if (!this.#byName.has(name)) this.#byName.set(name, number);
    if (person.orcid === undefined) this.#unidentified.set(name, number);
    else this.#byOrcid.set(person.orcid, number);
  }

  /** Returns the first person who matches a mention. */
  #numberOf({ orcid }: Person, name: string): number | undefined {
    if (orcid === undefined) return this.#byName.get(name);
    const [identified, unidentified] = [this.#byOrcid.get(orcid), this.#unidentified.get(name)];
    if (identified === undefined || unidentified === undefined) return identified ?? unidentified;
    return Math.min(identified, unidentified);
  }

  #join(at: number, person: Person, value: number): void {
    const mentions = this.list[at]!;
    mentions.repeats.push(person);
    mentions.values.push(value);
    if (mentions.orcid !== undefined || person.orcid === undefined) return;
    mentions.orcid = person.orcid;
    this.#unidentified.delete(comparableName(mentions.first.name));
    this.#byOrcid.set(person.orcid, Math.min(at, this.#byOrcid.get(person.orcid) ?? at));
  }
}

/**
 * Returns the names of the people in a value, each person once. The value is a person, or an object of people such as
 * `{depositor, contributors}`; the result for any other value is empty.
 */
export function personNames(value: Json): readonly string[] {
  if (!isObject(value)) return [];
  const people = isPerson(value) ? [value] : (Object.values(value).flat() as Json[]).filter(isPerson);
  return people.length === 0 ? [] : peopleOf(people).map(({ name }) => name);
}

/** Returns whether a value is an object with a family or given name. */
export const isPerson = (value: Json): value is JsonObject =>
  isObject(value) && (textAt(value, "family_name") !== undefined || textAt(value, "given_name") !== undefined);

/** Returns the identifiers of a person that are in no known scheme, as they were typed. */
export const unknownIdentifiers = (person: Json): readonly string[] =>
  valuesAt(person, "identifiers").flatMap((value) => {
    if (readIdentifier(value).length > 0) return [];
    return typeof value === "string" ? value.trim() || [] : textsIn(value).join(" ") || [];
  });

/** Returns a person, or the people in an object such as `{depositor, principal_contact, contributors}`. */
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
    givenName,
    familyName,
    orcid,
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
  const name = valueLabel(value);
  if (name === undefined) return [];
  const id = isObject(value) ? own(value, "id") : undefined;
  const identifier = typeof id === "string" ? recogniseIdentifier(id) : undefined;
  return [{ name, ...(identifier?.scheme === "ror" ? { ror: identifier.value } : {}) }];
}

/** Returns a name in one Unicode form, in lower case and with single blanks, for comparisons. */
const comparableName = (name: string): string => name.normalize("NFC").toLowerCase().replaceAll(/\s+/gu, " ").trim();

function joinMentions({ first, repeats, orcid }: Mentions): Person {
  if (repeats.length === 0) return first;
  const all = [first, ...repeats];
  return {
    ...first,
    orcid,
    identifiers: distinctBy(
      all.flatMap(({ identifiers }) => identifiers),
      ({ scheme, value }) => `${scheme}:${value}`,
    ),
    affiliations: distinctBy(
      all.flatMap(({ affiliations }) => affiliations),
      ({ name, ror }) => ror ?? comparableName(name),
    ),
  };
}

/** Returns the values without those whose key occurred earlier. */
export function distinctBy<T>(values: readonly T[], getKey: (value: T) => string): readonly T[] {
  const seen = new Map<string, T>();
  for (const value of values) if (!seen.has(getKey(value))) seen.set(getKey(value), value);
  return [...seen.values()];
}
