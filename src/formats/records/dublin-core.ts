import { type Citable, citedUrl, pageUrl, type Site } from "../../core/citable/citable.js";
import { element, type Xml, xml } from "../xml.js";
import type { RecordFormat } from "./record-format.js";

const NAMESPACE = "http://www.openarchives.org/OAI/2.0/oai_dc/";

/** Unqualified Dublin Core in the envelope of OAI-PMH: valid by oai_dc.xsd. */
export const dublinCore: RecordFormat = {
  name: "dublin-core",
  title: "Dublin Core",
  mediaType: "application/x-dc+xml",
  extension: "xml",
  profile: NAMESPACE,
  write: (record, site) => `<?xml version="1.0" encoding="UTF-8"?>\n${envelope(record, site).text}\n`,
};

function envelope(record: Citable, site: Site): Xml {
  const elements = makeElements(record, site).flatMap(([name, text]) =>
    text === undefined || text === "" ? [] : [xml`  ${element(`dc:${name}`, {}, text)}\n`],
  );
  const namespaces = {
    "xmlns:oai_dc": NAMESPACE,
    "xmlns:dc": "http://purl.org/dc/elements/1.1/",
    "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "xsi:schemaLocation": `${NAMESPACE} http://www.openarchives.org/OAI/2.0/oai_dc.xsd`,
  };
  return element("oai_dc:dc", namespaces, "\n", elements);
}

/** Rights by the names of OpenAIRE's guidelines for data archives. */
const ACCESS: Readonly<Record<string, string>> = {
  open: "info:eu-repo/semantics/openAccess",
  embargoed: "info:eu-repo/semantics/embargoedAccess",
  restricted: "info:eu-repo/semantics/restrictedAccess",
};

type Element = readonly [name: string, text: string | undefined];

function makeElements(record: Citable, site: Site): readonly Element[] {
  const { access, dates, license, references, publications, identifiers } = record;
  const url = citedUrl(site, record);
  return [
    ["title", record.title],
    ...record.people.map(({ name }): Element => ["creator", name]),
    ["publisher", record.publisher],
    ["identifier", url],
    ...(pageUrl(site, record) === url ? [] : [["identifier", pageUrl(site, record)] as const]),
    ...identifiers.map(({ text, identifier }): Element => ["identifier", identifier?.url ?? text]),
    ["type", record.resourceTypeGeneral],
    ["type", "info:eu-repo/semantics/other"],
    ["date", record.issued.slice(0, 10)],
    ["date", dates.collected],
    ["description", record.summary],
    ...record.subjects.map(({ label }): Element => ["subject", label]),
    ["rights", access !== undefined && Object.hasOwn(ACCESS, access) ? ACCESS[access] : access],
    ["rights", license?.url ?? license?.name],
    ["rights", record.rights],
    ...publications.map(({ identifier, title, text }): Element => ["relation", identifier?.url ?? title ?? text]),
    ...references.map(({ url: reference, value }): Element => ["relation", reference ?? value]),
    ["relation", citedUrl(site, { id: record.parent })],
    ...record.funding.map(
      ({ funder, number, title }): Element => [
        "contributor",
        [funder, number ?? title].filter((part) => part !== undefined).join(", "),
      ],
    ),
  ];
}
