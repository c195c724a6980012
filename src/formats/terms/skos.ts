/** Terms as SKOS (https://www.w3.org/TR/skos-reference/): a vocabulary is a concept scheme, a term a concept. */
import type { Vocabulary } from "../../core/catalog/types.js";
import type { Site } from "../../core/citable/citable.js";
import { recogniseIdentifier } from "../../core/identifiers/identifiers.js";
import type { TermBody } from "../../core/terms/term-version.js";

export const NAMESPACES = {
  skos: "http://www.w3.org/2004/02/skos/core#",
  dct: "http://purl.org/dc/terms/",
  owl: "http://www.w3.org/2002/07/owl#",
  xsd: "http://www.w3.org/2001/XMLSchema#",
} as const;

/** A name in a namespace: `skos:prefLabel`. */
export type Name = `${keyof typeof NAMESPACES}:${string}`;

/** A value of a property: another resource, or a text with its language or its type. */
export type Value = { readonly iri: string } | { readonly text: string; readonly lang?: string; readonly type?: Name };

/** A resource and its properties, each with all of its values. */
export interface Resource {
  readonly iri: string;
  readonly type: Name;
  readonly statements: readonly (readonly [property: Name, values: readonly Value[]])[];
}

/** Describes a vocabulary without its terms. */
export function schemeOf(vocabulary: Vocabulary, site: Site): Resource {
  const { title, description } = vocabulary;
  const english = (text: string): readonly Value[] => [{ text, lang: "en" }];
  return {
    iri: schemeIri(vocabulary, site),
    type: "skos:ConceptScheme",
    statements: [
      ["dct:title", english(title)],
      ["dct:description", english(description)],
    ],
  };
}

/** Describes a term. Props are left out: SKOS has no place for them, and JSON has all of them. */
export function conceptOf(vocabulary: Vocabulary, term: TermBody, site: Site): Resource {
  const { id, title, synonyms = [], parent, status, replaced_by: successor, created, updated } = term;
  const titles = new Set(Object.values(title));
  const scheme = schemeIri(vocabulary, site);
  const iri = (other: string): string => conceptIri(vocabulary, other, site);
  const isDeprecated = status === "deprecated";
  const authority = recogniseIdentifier(id)?.url;
  const isTop = vocabulary.hierarchy && parent === undefined && !isDeprecated;
  const all: Resource["statements"] = [
    ["skos:prefLabel", Object.entries(title).map(([tag, text]) => label(text, tag))],
    // A label is in only one of the two (S13 of the reference).
    ["skos:altLabel", synonyms.flatMap(({ name, lang }) => (titles.has(name) ? [] : [label(name, lang)]))],
    ["skos:notation", [{ text: id }]],
    ["skos:inScheme", [{ iri: scheme }]],
    ["skos:topConceptOf", isTop ? [{ iri: scheme }] : []],
    ["skos:broader", parent === undefined ? [] : [{ iri: iri(parent.id) }]],
    ["skos:exactMatch", authority === undefined ? [] : [{ iri: authority }]],
    ["owl:deprecated", isDeprecated ? [{ text: "true", type: "xsd:boolean" }] : []],
    ["dct:isReplacedBy", successor === undefined ? [] : [{ iri: iri(successor) }]],
    ["dct:created", timeOf(created)],
    ["dct:modified", timeOf(updated)],
  ];
  return { iri: iri(id), type: "skos:Concept", statements: all.filter(([, values]) => values.length > 0) };
}

const label = (text: string, lang: string | undefined): Value => (lang === undefined ? { text } : { text, lang });

const timeOf = (time: string | undefined): readonly Value[] =>
  time === undefined ? [] : [{ text: time, type: "xsd:dateTime" }];

/** Returns the page of a vocabulary. It leads clients that ask it for data to the data. */
const schemeIri = ({ name }: Vocabulary, { url }: Site): string => `${url}/vocabularies/${name}`;

const conceptIri = (vocabulary: Vocabulary, id: string, site: Site): string =>
  `${schemeIri(vocabulary, site)}/${encodeURIComponent(id).replaceAll("%3A", ":")}`;
