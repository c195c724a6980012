import { type Datacite, type DatacitePerson, dataciteOf } from "./datacite.js";
import type { RecordFormat } from "./record-format.js";

/** DataCite metadata in the JSON form of its REST API. */
export const dataciteJson: RecordFormat = {
  name: "datacite-json",
  title: "DataCite JSON",
  mediaType: "application/vnd.datacite.datacite+json",
  extension: "json",
  profile: "http://datacite.org/schema/kernel-4",
  join: { open: "[", between: ",", close: "]\n" },
  write: (record, site) => JSON.stringify(document(dataciteOf(record, site))),
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
    ...(familyName === undefined ? {} : { nameType: "Personal" }),
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
