/** DataCite's metadata (https://schema.datacite.org/meta/kernel-4.6), which the XML and the JSON form write. */
import {
  type Citable,
  citedUrl,
  type Funding,
  type MentionedIdentifier,
  type Person,
  type Publication,
  type Site,
} from "../../core/citable/citable.js";
import type { Identifier, IdentifierScheme } from "../../core/identifiers.js";
import type { RecordFormat } from "./record-format.js";

/** A name with its identifier in a scheme. */
export interface Named {
  readonly name: string;
  readonly identifier?: string;
  readonly scheme?: string;
  readonly schemeUri?: string;
}

/** A creator or contributor in DataCite's terms. */
export interface DatacitePerson {
  readonly name: string;
  readonly givenName?: string | undefined;
  readonly familyName?: string | undefined;
  readonly nameIdentifiers: readonly { readonly value: string; readonly scheme: string; readonly schemeUri?: string }[];
  readonly affiliations: readonly Named[];
}

interface RelatedIdentifier {
  readonly value: string;
  readonly type: string;
  readonly relation: string;
}

/** A record in DataCite's terms, from which both of its formats are written. */
export interface Datacite {
  readonly identifier: string;
  readonly creators: readonly DatacitePerson[];
  readonly contact?: DatacitePerson | undefined;
  readonly title: string;
  readonly publisher: string;
  readonly publicationYear: string;
  readonly resourceTypeGeneral: string;
  readonly resourceType: string;
  readonly subjects: readonly { readonly label: string; readonly uri?: string | undefined }[];
  readonly dates: readonly { readonly date: string; readonly type: string }[];
  readonly alternateIdentifiers: readonly { readonly value: string; readonly type: string }[];
  readonly relatedIdentifiers: readonly RelatedIdentifier[];
  /** Publications without an identifier that DataCite knows. */
  readonly relatedItems: readonly { readonly title: string; readonly type: string }[];
  readonly version: string;
  readonly rights: readonly {
    readonly text: string;
    readonly uri?: string | undefined;
    readonly spdx?: string | undefined;
  }[];
  readonly description: string;
  readonly funding: readonly Funding[];
}

/** DataCite's code for "not given", for a required value that the record lacks. */
const NOT_GIVEN = ":unav";

/** `resourceTypeGeneral` of the schema. */
const GENERAL_TYPES = new Set([
  "Audiovisual",
  "Award",
  "Book",
  "BookChapter",
  "Collection",
  "ComputationalNotebook",
  "ConferencePaper",
  "ConferenceProceeding",
  "DataPaper",
  "Dataset",
  "Dissertation",
  "Event",
  "Image",
  "InteractiveResource",
  "Instrument",
  "Journal",
  "JournalArticle",
  "Model",
  "OutputManagementPlan",
  "PeerReview",
  "PhysicalObject",
  "Preprint",
  "Project",
  "Report",
  "Service",
  "Software",
  "Sound",
  "Standard",
  "StudyRegistration",
  "Text",
  "Workflow",
  "Other",
]);

/** Describes a record in DataCite's terms. */
export function describeForDatacite(record: Citable, site: Site): Datacite {
  const { people, dates, access, resourceTypeGeneral: general } = record;
  const creators = people.map(datacitePerson);
  return {
    identifier: citedUrl(site, record),
    creators: creators.length === 0 ? [{ name: NOT_GIVEN, nameIdentifiers: [], affiliations: [] }] : creators,
    contact: creators[0],
    title: record.title,
    publisher: record.publisher ?? NOT_GIVEN,
    publicationYear: String(record.year),
    resourceTypeGeneral: GENERAL_TYPES.has(general) ? general : "Other",
    resourceType: record.resourceType ?? record.model.title,
    subjects: record.subjects.map(({ label, identifier }) => withUri(label, identifier?.url)),
    dates: [
      { date: record.issued, type: "Issued" },
      { date: record.updated, type: "Updated" },
      ...(dates.submitted === undefined ? [] : [{ date: dates.submitted, type: "Submitted" }]),
      ...(dates.collected === undefined ? [] : [{ date: dates.collected, type: "Collected" }]),
      ...(dates.available === undefined ? [] : [{ date: dates.available, type: "Available" }]),
    ],
    alternateIdentifiers: [
      { value: record.id, type: "Bindery" },
      ...record.identifiers.map(({ text, identifier }) => ({
        value: identifier?.value ?? text,
        type: identifier === undefined ? "Other" : schemeName(identifier.scheme),
      })),
    ],
    relatedIdentifiers: relatedOf(record, site),
    relatedItems: record.publications.filter((each) => relatedType(each) === undefined).flatMap(relatedItem),
    version: String(record.version),
    rights: [
      ...dataciteRights(record),
      ...accessOf(access),
      ...(record.rights === undefined ? [] : [{ text: record.rights }]),
    ],
    description: record.summary,
    funding: record.funding.filter(({ funder }) => funder !== undefined),
  };
}

function withUri(label: string, uri: string | undefined): { label: string; uri?: string | undefined } {
  return { label, uri };
}

function datacitePerson({ name, givenName, familyName, orcid, identifiers, affiliations }: Person): DatacitePerson {
  const orcids =
    orcid === undefined
      ? []
      : [{ value: `https://orcid.org/${orcid}`, scheme: "ORCID", schemeUri: "https://orcid.org" }];
  const isnis = identifiers.filter(({ scheme }) => scheme === "isni");
  return {
    name,
    givenName,
    familyName,
    nameIdentifiers: [
      ...orcids,
      ...isnis.map(({ value, url }) => ({ value: url ?? value, scheme: "ISNI", schemeUri: "https://isni.org" })),
    ],
    affiliations: affiliations.map(({ name: title, ror }) =>
      ror === undefined
        ? { name: title }
        : { name: title, identifier: `https://ror.org/${ror}`, scheme: "ROR", schemeUri: "https://ror.org" },
    ),
  };
}

/** DataCite's names of the kinds of identifiers of related things. */
const RELATED_TYPES: Readonly<Partial<Record<IdentifierScheme, string>>> = {
  doi: "DOI",
  handle: "Handle",
  isbn: "ISBN",
  issn: "ISSN",
  pmid: "PMID",
  arxiv: "arXiv",
  url: "URL",
};

const schemeName = (scheme: IdentifierScheme): string => RELATED_TYPES[scheme] ?? scheme.toUpperCase();

/** Returns how a mention is related: by its own kind of identifier, else by the address at which it resolves. */
function relatedType({
  identifier,
}: Pick<MentionedIdentifier, "identifier">): { value: string; type: string } | undefined {
  if (identifier === undefined) return undefined;
  const type = RELATED_TYPES[identifier.scheme];
  if (type !== undefined) return { value: type === "arXiv" ? `arXiv:${identifier.value}` : identifier.value, type };
  return identifier.url === undefined ? undefined : { value: identifier.url, type: "URL" };
}

function relatedOf(record: Citable, site: Site): readonly RelatedIdentifier[] {
  const { parent, previous, next, identifiers, publications, references } = record;
  const relate = (relation: string, identifier: Identifier | undefined): readonly RelatedIdentifier[] => {
    const related = relatedType(identifier === undefined ? {} : { identifier });
    return related === undefined ? [] : [{ ...related, relation }];
  };
  const version = (relation: string, id: string | undefined): readonly RelatedIdentifier[] =>
    id === undefined ? [] : [{ value: citedUrl(site, { id }), type: "URL", relation }];
  return [
    ...version("IsVersionOf", parent),
    ...version("IsNewVersionOf", previous),
    ...version("IsPreviousVersionOf", next),
    ...identifiers.flatMap(({ identifier }) => relate("IsIdenticalTo", identifier)),
    ...publications.flatMap(({ identifier }) => relate("IsSupplementTo", identifier)),
    ...references.flatMap((identifier) => relate("References", identifier)),
  ];
}

const ITEM_TYPES: Readonly<Record<string, string>> = {
  Article: "JournalArticle",
  Book: "Book",
  Thesis: "Dissertation",
};

function relatedItem({ title, text, kind }: Publication): readonly { title: string; type: string }[] {
  const label = title ?? text;
  return label === "" ? [] : [{ title: label, type: ITEM_TYPES[kind ?? ""] ?? "Text" }];
}

function dataciteRights({ license }: Citable): Datacite["rights"] {
  if (license === undefined) return [];
  const { name, url, spdx } = license;
  return [{ text: name, uri: url, spdx }];
}

/** COAR's vocabulary of access rights, 1.0. */
const ACCESS: Readonly<Record<string, { readonly text: string; readonly uri: string }>> = {
  open: { text: "open access", uri: "http://purl.org/coar/access_right/c_abf2" },
  embargoed: { text: "embargoed access", uri: "http://purl.org/coar/access_right/c_f1cf" },
  restricted: { text: "restricted access", uri: "http://purl.org/coar/access_right/c_16ec" },
};

function accessOf(access: string | undefined): Datacite["rights"] {
  if (access === undefined) return [];
  const right = Object.hasOwn(ACCESS, access) ? ACCESS[access] : undefined;
  return [right ?? { text: access }];
}

/** DataCite metadata in the JSON form of its REST API. */
export const dataciteJson: RecordFormat = {
  name: "datacite-json",
  title: "DataCite JSON",
  mediaType: "application/vnd.datacite.datacite+json",
  extension: "json",
  profile: "http://datacite.org/schema/kernel-4",
  join: { open: "[", between: ",", close: "]\n" },
  write: (record, site) => JSON.stringify(document(describeForDatacite(record, site))),
};

function document(data: Datacite): unknown {
  return {
    schemaVersion: "http://datacite.org/schema/kernel-4",
    creators: data.creators.map(person),
    titles: [{ title: data.title }],
    publisher: { name: data.publisher },
    publicationYear: data.publicationYear,
    types: { resourceTypeGeneral: data.resourceTypeGeneral, resourceType: data.resourceType },
    subjects: data.subjects.map(({ label, uri }) => ({ subject: label, valueUri: uri })),
    contributors: data.contact === undefined ? [] : [{ ...person(data.contact), contributorType: "ContactPerson" }],
    dates: data.dates.map(({ date, type }) => ({ date, dateType: type })),
    alternateIdentifiers: data.alternateIdentifiers.map(({ value, type }) => ({
      alternateIdentifier: value,
      alternateIdentifierType: type,
    })),
    relatedIdentifiers: data.relatedIdentifiers.map(({ value, type, relation }) => ({
      relatedIdentifier: value,
      relatedIdentifierType: type,
      relationType: relation,
    })),
    relatedItems: data.relatedItems.map(({ title, type }) => ({
      relatedItemType: type,
      relationType: "IsSupplementTo",
      titles: [{ title }],
    })),
    version: data.version,
    rightsList: data.rights.map(({ text, uri, spdx }) => ({
      rights: text,
      rightsUri: uri,
      ...(spdx === undefined ? {} : { rightsIdentifier: spdx, rightsIdentifierScheme: "SPDX" }),
    })),
    descriptions: data.description === "" ? [] : [{ description: data.description, descriptionType: "Abstract" }],
    fundingReferences: data.funding.map(({ funder, number, title }) => ({
      funderName: funder,
      awardNumber: number,
      awardTitle: title,
    })),
    url: data.identifier,
  };
}

function person({ name, givenName, familyName, nameIdentifiers, affiliations }: DatacitePerson): object {
  return {
    name,
    nameType: familyName === undefined ? undefined : "Personal",
    givenName,
    familyName,
    nameIdentifiers: nameIdentifiers.map(({ value, scheme, schemeUri }) => ({
      nameIdentifier: value,
      nameIdentifierScheme: scheme,
      schemeUri,
    })),
    affiliation: affiliations.map(({ name: title, identifier, scheme, schemeUri }) => ({
      name: title,
      affiliationIdentifier: identifier,
      affiliationIdentifierScheme: scheme,
      schemeUri,
    })),
  };
}
