import type { Quad } from "n3";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { Site } from "../../core/citable/citable.js";
import { recogniseIdentifier } from "../../core/identifiers.js";
import type { TermBody } from "../../core/terms/term-version.js";

/** A representation of terms. */
export interface TermFormat {
  /** The value of `format=`. */
  readonly name: string;
  /** For lists that people read. */
  readonly title: string;
  readonly mediaType: string;
  /** Extension of a download. */
  readonly extension: string;
  /** Begins a document of terms of one vocabulary, after loading the library that writes it. */
  begin(vocabulary: Vocabulary, site: Site): Promise<TermDocument>;
}

/** Writer of a document with terms. */
export interface TermDocument {
  /** Text before all terms, with the vocabulary itself. `close` is the text after them. */
  readonly open: string;
  readonly close: string;
  /** Writes one of several terms. */
  write(term: TermBody): string;
  /** Writes the whole document of a single term. */
  writeOnly(term: TermBody): string;
}

type N3 = typeof import("n3");

/** RDF 1.1 Turtle (https://www.w3.org/TR/turtle/). */
export const turtle: TermFormat = {
  name: "turtle",
  title: "SKOS (Turtle)",
  mediaType: "text/turtle",
  extension: "ttl",
  async begin(vocabulary, site) {
    // Loaded on first use: no thread needs it to start.
    const n3 = await import("n3");
    const prefixes = serialize(n3, []);
    const write = (resource: Resource): string => serialize(n3, quadsOf(n3, resource)).slice(prefixes.length);
    return {
      open: prefixes + write(schemeOf(vocabulary, site)),
      close: "",
      write: (term) => write(conceptOf(vocabulary, term, site)),
      writeOnly: (term) => prefixes + write(conceptOf(vocabulary, term, site)),
    };
  },
};

/** Writes a whole document: a writer continues with the subject before, so it cannot write pieces. */
function serialize({ Writer }: N3, quads: readonly Quad[]): string {
  const writer = new Writer({ prefixes: NAMESPACES });
  writer.addQuads([...quads]);
  let text = "";
  writer.end((error, result: string) => {
    if (error) throw error;
    text = result;
  });
  return text;
}

function quadsOf({ DataFactory }: N3, { iri, type, statements }: Resource): Quad[] {
  const { namedNode, literal, quad } = DataFactory;
  const subject = namedNode(iri);
  const objectOf = (value: Value) => {
    if ("iri" in value) return namedNode(value.iri);
    const { text, lang, type: datatype } = value;
    return literal(text, lang ?? (datatype === undefined ? undefined : namedNode(expand(datatype))));
  };
  const isA = quad(subject, namedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), namedNode(expand(type)));
  return [
    isA,
    ...statements.flatMap(([property, values]) =>
      values.map((value) => quad(subject, namedNode(expand(property)), objectOf(value))),
    ),
  ];
}

/** Returns the whole IRI of a name. */
function expand(name: Name): string {
  const [space = "", local = ""] = name.split(":");
  return NAMESPACES[space as keyof typeof NAMESPACES] + local;
}

/** JSON-LD 1.1 (https://www.w3.org/TR/json-ld11/); its context names no remote document. */
export const skosJsonLd: TermFormat = {
  name: "jsonld",
  title: "SKOS (JSON-LD)",
  mediaType: "application/ld+json",
  extension: "jsonld",
  async begin(vocabulary, site) {
    const scheme = JSON.stringify(makeNode(schemeOf(vocabulary, site)));
    return {
      open: `{"@context":${JSON.stringify(NAMESPACES)},"@graph":[\n${scheme}`,
      close: "\n]}\n",
      write: (term) => `,\n${JSON.stringify(makeNode(conceptOf(vocabulary, term, site)))}`,
      writeOnly: (term) =>
        `${JSON.stringify({ "@context": NAMESPACES, ...makeNode(conceptOf(vocabulary, term, site)) })}\n`,
    };
  },
};

function makeNode({ iri, type, statements }: Resource): object {
  const members = statements.map(([property, values]) => {
    const written = values.map(writeValue);
    return [property, written.length === 1 ? written[0] : written];
  });
  return { "@id": iri, "@type": type, ...Object.fromEntries(members) };
}

function writeValue(value: Value): unknown {
  if ("iri" in value) return { "@id": value.iri };
  const { text, lang, type } = value;
  if (lang !== undefined) return { "@value": text, "@language": lang };
  return type === undefined ? text : { "@value": text, "@type": type };
}

/** All formats of terms except JSON, in the order in which they are offered. */
export const TERM_FORMATS: readonly TermFormat[] = [turtle, skosJsonLd];

/** Namespaces of SKOS (https://www.w3.org/TR/skos-reference/): a vocabulary is a concept scheme, a term a concept. */
const NAMESPACES = {
  skos: "http://www.w3.org/2004/02/skos/core#",
  dct: "http://purl.org/dc/terms/",
  owl: "http://www.w3.org/2002/07/owl#",
  xsd: "http://www.w3.org/2001/XMLSchema#",
} as const;

/** A name in a namespace: `skos:prefLabel`. */
type Name = `${keyof typeof NAMESPACES}:${string}`;

/** A value of a property: another resource, or a text with its language or its type. */
type Value = { readonly iri: string } | { readonly text: string; readonly lang?: string; readonly type?: Name };

/** A resource and its properties, each with all of its values. */
interface Resource {
  readonly iri: string;
  readonly type: Name;
  readonly statements: readonly (readonly [property: Name, values: readonly Value[]])[];
}

/** Describes a vocabulary without its terms. */
function schemeOf(vocabulary: Vocabulary, site: Site): Resource {
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
function conceptOf(vocabulary: Vocabulary, term: TermBody, site: Site): Resource {
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
    ["dct:created", timeValues(created)],
    ["dct:modified", timeValues(updated)],
  ];
  return { iri: iri(id), type: "skos:Concept", statements: all.filter(([, values]) => values.length > 0) };
}

const label = (text: string, lang: string | undefined): Value => (lang === undefined ? { text } : { text, lang });

const timeValues = (time: string | undefined): readonly Value[] =>
  time === undefined ? [] : [{ text: time, type: "xsd:dateTime" }];

/** Returns the page of a vocabulary. It leads clients that ask it for data to the data. */
const schemeIri = ({ name }: Vocabulary, { url }: Site): string => `${url}/vocabularies/${name}`;

const conceptIri = (vocabulary: Vocabulary, id: string, site: Site): string =>
  `${schemeIri(vocabulary, site)}/${encodeURIComponent(id).replaceAll("%3A", ":")}`;
