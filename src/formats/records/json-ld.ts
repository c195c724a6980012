import {
  type Citable,
  citedUrl,
  type Organisation,
  ownDoi,
  type Person,
  pageUrl,
  type Result,
  type Site,
  type Subject,
} from "../../core/citable/citable.js";
import type { RecordFormat } from "./record-format.js";

/**
 * schema.org Dataset as JSON-LD, which the page of a record also has. The context names no remote document, so a reader
 * without network understands all of it.
 */
export const jsonLd: RecordFormat = {
  name: "jsonld",
  title: "schema.org JSON-LD",
  mediaType: "application/ld+json",
  extension: "jsonld",
  profile: "https://schema.org/",
  join: { open: "[", between: ",", close: "]\n" },
  write: (record, site) => JSON.stringify(datasetOf(record, site)),
};

/** Profile of data sets by Bioschemas. */
const BIOSCHEMAS = "https://bioschemas.org/profiles/Dataset/1.0-RELEASE";

function datasetOf(record: Citable, site: Site): object {
  const { dates, license, people, publications, identifiers } = record;
  const page = pageUrl(site, record);
  const isBioschemas = license?.url !== undefined && people.length > 0 && record.summary.length >= 50;
  return {
    "@context": { "@vocab": "https://schema.org/", dct: "http://purl.org/dc/terms/" },
    "@type": "Dataset",
    "@id": citedUrl(site, record),
    "dct:conformsTo": isBioschemas ? { "@id": BIOSCHEMAS } : undefined,
    url: page,
    identifier: [ownDoi(record)?.url, citedUrl(site, record), record.id].filter((each) => each !== undefined),
    sameAs: undefinedIfEmpty(identifiers.flatMap(({ identifier }) => identifier?.url ?? [])),
    name: record.title,
    description: record.summary === "" ? undefined : record.summary,
    creator: undefinedIfEmpty(people.map(personOf)),
    publisher: record.publisher === undefined ? undefined : { "@type": "Organization", name: record.publisher },
    datePublished: record.issued,
    dateModified: record.updated,
    temporalCoverage: dates.collected,
    version: String(record.version),
    isVersionOf: { "@id": citedUrl(site, { id: record.parent }) },
    license: license?.url ?? license?.name,
    conditionsOfAccess: record.rights,
    isAccessibleForFree: record.access === undefined ? undefined : record.access === "open",
    keywords: undefinedIfEmpty(record.subjects.map(keywordOf)),
    measurementTechnique: record.subjects.find(({ field }) => field === "technique")?.label,
    about: undefinedIfEmpty(record.subjects.flatMap(aboutOf)),
    variableMeasured: undefinedIfEmpty(record.results.map(variableOf)),
    funding: undefinedIfEmpty(
      record.funding.map(({ funder, title, number }) => ({
        "@type": "Grant",
        name: title,
        identifier: number,
        funder: funder === undefined ? undefined : { "@type": "Organization", name: funder },
      })),
    ),
    citation: undefinedIfEmpty(publications.map(({ identifier, title, text }) => identifier?.url ?? title ?? text)),
    mentions: undefinedIfEmpty(record.references.flatMap(({ url }) => (url === undefined ? [] : [{ "@id": url }]))),
    isPartOf: { "@type": "DataCatalog", "@id": `${site.url}/`, url: `${site.url}/` },
    distribution: [
      download(`${page}/export/json`, "application/json"),
      ...(record.results.length === 0 ? [] : [download(`${page}/export/results`, "text/csv")]),
    ],
  };
}

/** Returns a list, or undefined if it is empty. */
const undefinedIfEmpty = <T>(values: readonly T[]): readonly T[] | undefined =>
  values.length === 0 ? undefined : values;

function download(contentUrl: string, encodingFormat: string): object {
  return { "@type": "DataDownload", contentUrl, encodingFormat };
}

function personOf({ name, givenName, familyName, orcid, affiliations }: Person): object {
  return {
    "@type": "Person",
    "@id": orcid === undefined ? undefined : `https://orcid.org/${orcid}`,
    name: familyName === undefined ? name : [givenName, familyName].filter((part) => part !== undefined).join(" "),
    givenName,
    familyName,
    affiliation: undefinedIfEmpty(affiliations.map(organisationOf)),
  };
}

function organisationOf({ name, ror }: Organisation): object {
  return { "@type": "Organization", "@id": ror === undefined ? undefined : `https://ror.org/${ror}`, name };
}

function keywordOf({ label, identifier }: Subject): string | object {
  if (identifier?.url === undefined) return label;
  return { "@type": "DefinedTerm", "@id": identifier.url, name: label };
}

/** Returns what is measured, if a type of schema.org or Bioschemas says what it is. */
function aboutOf({ label, identifier }: Subject): readonly object[] {
  if (identifier?.scheme === "inchikey") {
    return [{ "@type": "MolecularEntity", "@id": identifier.url, name: label, inChIKey: identifier.value }];
  }
  if (identifier?.scheme === "taxonomy") return [{ "@type": "Taxon", "@id": identifier.url, name: label }];
  return [];
}

function variableOf({ kind, name, value, unit, of }: Result): object {
  const about = of.length === 0 ? undefined : of.join(", ");
  return { "@type": "PropertyValue", name: kind, alternateName: name, value, unitText: unit, description: about };
}
