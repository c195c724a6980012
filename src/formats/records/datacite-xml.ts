import { element, type Xml, xml } from "../xml.js";
import { type Datacite, type DatacitePerson, describeForDatacite } from "./datacite.js";
import type { RecordFormat } from "./record-format.js";

const NAMESPACE = "http://datacite.org/schema/kernel-4";
const LOCATION = `${NAMESPACE} http://schema.datacite.org/meta/kernel-4.6/metadata.xsd`;

/** DataCite Metadata Schema 4.6 as XML: valid by its XSD. */
export const dataciteXml: RecordFormat = {
  name: "datacite-xml",
  title: "DataCite XML",
  mediaType: "application/vnd.datacite.datacite+xml",
  alsoAsked: ["application/x-datacite+xml"],
  extension: "xml",
  profile: NAMESPACE,
  write: (record, site) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n${resource(describeForDatacite(record, site)).text}\n`,
};

function resource(data: Datacite): Xml {
  const schema = { "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance", "xsi:schemaLocation": LOCATION };
  return element("resource", { xmlns: NAMESPACE, ...schema }, content(data));
}

function content(data: Datacite): Xml {
  return xml`
  ${element("identifier", { identifierType: "URL" }, data.identifier)}
  ${list(
    "creators",
    data.creators.map((creator) => xml`<creator>${person("creatorName", creator)}</creator>`),
  )}
  <titles>${element("title", {}, data.title)}</titles>
  ${element("publisher", {}, data.publisher)}
  ${element("publicationYear", {}, data.publicationYear)}
  ${element("resourceType", { resourceTypeGeneral: data.resourceTypeGeneral }, data.resourceType)}
  ${list(
    "subjects",
    data.subjects.map(({ label, uri }) => element("subject", { valueURI: uri }, label)),
  )}
  ${list("contributors", data.contact === undefined ? [] : [contributor(data.contact)])}
  ${list(
    "dates",
    data.dates.map(({ date, type }) => element("date", { dateType: type }, date)),
  )}
  ${list("alternateIdentifiers", data.alternateIdentifiers.map(alternate))}
  ${list("relatedIdentifiers", data.relatedIdentifiers.map(related))}
  ${element("version", {}, data.version)}
  ${list("rightsList", data.rights.map(rights))}
  ${list("descriptions", data.description === "" ? [] : [description(data.description)])}
  ${list("fundingReferences", data.funding.map(funding))}
  ${list("relatedItems", data.relatedItems.map(item))}
`;
}

/** Returns an element around others, or nothing if there are none: the schema allows no empty lists. */
function list(name: string, elements: readonly Xml[]): Xml | undefined {
  return elements.length === 0 ? undefined : element(name, {}, ...elements);
}

function person(
  nameElement: string,
  { name, givenName, familyName, nameIdentifiers, affiliations }: DatacitePerson,
): Xml {
  return xml`${element(nameElement, { nameType: familyName === undefined ? undefined : "Personal" }, name)}${[
    ...(givenName === undefined ? [] : [element("givenName", {}, givenName)]),
    ...(familyName === undefined ? [] : [element("familyName", {}, familyName)]),
    ...nameIdentifiers.map(({ value, scheme, schemeUri }) =>
      element("nameIdentifier", { nameIdentifierScheme: scheme, schemeURI: schemeUri }, value),
    ),
    ...affiliations.map(({ name: title, identifier, scheme, schemeUri }) =>
      element(
        "affiliation",
        { affiliationIdentifier: identifier, affiliationIdentifierScheme: scheme, schemeURI: schemeUri },
        title,
      ),
    ),
  ]}`;
}

const contributor = (contact: DatacitePerson): Xml =>
  element("contributor", { contributorType: "ContactPerson" }, person("contributorName", contact));

const alternate = ({ value, type }: Datacite["alternateIdentifiers"][number]): Xml =>
  element("alternateIdentifier", { alternateIdentifierType: type }, value);

const related = ({ value, type, relation }: Datacite["relatedIdentifiers"][number]): Xml =>
  element("relatedIdentifier", { relatedIdentifierType: type, relationType: relation }, value);

const rights = ({ text, uri, spdx }: Datacite["rights"][number]): Xml =>
  element("rights", { rightsURI: uri, rightsIdentifier: spdx, rightsIdentifierScheme: spdx && "SPDX" }, text);

const description = (text: string): Xml => element("description", { descriptionType: "Abstract" }, text);

const item = ({ title, type }: Datacite["relatedItems"][number]): Xml =>
  element(
    "relatedItem",
    { relatedItemType: type, relationType: "IsSupplementTo" },
    xml`<titles>${element("title", {}, title)}</titles>`,
  );

function funding({ funder, number, title }: Datacite["funding"][number]): Xml {
  return element("fundingReference", {}, [
    element("funderName", {}, funder),
    ...(number === undefined ? [] : [element("awardNumber", {}, number)]),
    ...(title === undefined ? [] : [element("awardTitle", {}, title)]),
  ]);
}
