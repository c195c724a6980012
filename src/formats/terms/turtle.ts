import type { Quad } from "n3";
import { conceptOf, NAMESPACES, type Name, type Resource, schemeOf, type Value } from "./skos.js";
import type { TermFormat } from "./term-format.js";

type N3 = typeof import("n3");

/** RDF 1.1 Turtle (https://www.w3.org/TR/turtle/). */
export const turtle: TermFormat = {
  name: "turtle",
  title: "SKOS (Turtle)",
  mediaType: "text/turtle",
  extension: "ttl",
  async begin(vocabulary, site) {
    // Loaded when somebody wants it: no thread needs it to start.
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

/** A document of its own: a writer goes on with the subject before, and so cannot be asked for pieces. */
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

/** The whole IRI of a name. */
function expand(name: Name): string {
  const [space = "", local = ""] = name.split(":");
  return NAMESPACES[space as keyof typeof NAMESPACES] + local;
}
