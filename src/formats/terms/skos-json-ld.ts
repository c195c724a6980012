import { conceptOf, NAMESPACES, type Resource, schemeOf, type Value } from "./skos.js";
import type { TermFormat } from "./term-format.js";

/** JSON-LD 1.1 (https://www.w3.org/TR/json-ld11/); its context names no remote document. */
export const skosJsonLd: TermFormat = {
  name: "jsonld",
  title: "SKOS (JSON-LD)",
  mediaType: "application/ld+json",
  extension: "jsonld",
  async begin(vocabulary, site) {
    const scheme = JSON.stringify(nodeOf(schemeOf(vocabulary, site)));
    return {
      open: `{"@context":${JSON.stringify(NAMESPACES)},"@graph":[\n${scheme}`,
      close: "\n]}\n",
      write: (term) => `,\n${JSON.stringify(nodeOf(conceptOf(vocabulary, term, site)))}`,
      writeOnly: (term) =>
        `${JSON.stringify({ "@context": NAMESPACES, ...nodeOf(conceptOf(vocabulary, term, site)) })}\n`,
    };
  },
};

function nodeOf({ iri, type, statements }: Resource): object {
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
