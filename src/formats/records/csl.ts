import { type Citable, citedUrl, ownDoi, type Person, type Site } from "../../core/citable/citable.js";
import type { RecordFormat } from "./record-format.js";

/** CSL-JSON, which Zotero, Mendeley and citation processors read: a list of one item. */
export const csl: RecordFormat = {
  name: "csl",
  title: "CSL-JSON",
  mediaType: "application/vnd.citationstyles.csl+json",
  extension: "json",
  profile: "https://resource.citationstyles.org/schema/v1.0/input/json/csl-data.json",
  join: { open: "[", between: ",", close: "]\n", isAlways: true },
  write: (record, site) => JSON.stringify(makeItem(record, site)),
};

function makeItem(record: Citable, site: Site): object {
  const doi = ownDoi(record);
  return {
    id: record.id,
    type: "dataset",
    title: record.title,
    ...(record.people.length === 0 ? {} : { author: record.people.map(makeName) }),
    issued: { "date-parts": [record.issued.slice(0, 10).split("-").map(Number)] },
    ...(record.publisher === undefined ? {} : { publisher: record.publisher }),
    version: String(record.version),
    ...(doi === undefined ? {} : { DOI: doi.value }),
    URL: citedUrl(site, record),
    ...(record.summary === "" ? {} : { abstract: record.summary }),
    ...(record.subjects.length === 0 ? {} : { keyword: record.subjects.map(({ label }) => label).join(", ") }),
  };
}

function makeName({ name, familyName, givenName }: Person): object {
  if (familyName === undefined) return { literal: name };
  return { family: familyName, ...(givenName === undefined ? {} : { given: givenName }) };
}
