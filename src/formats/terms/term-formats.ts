import type { Quad } from "n3";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { Site } from "../../core/citable/citable.js";
import type { TermBody } from "../../core/terms/term-version.js";
import { conceptOf, NAMESPACES, type Name, type Resource, schemeOf, type Value } from "./skos.js";

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

export interface TermDocument {
  /** Text before all terms, with the vocabulary itself; and text after them. */
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
