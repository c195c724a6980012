import type { Catalog } from "../../core/catalog/types.js";
import type { RecordHit, RecordSearchRequest, TermHit } from "../../services/api/search-services.js";
import type { OpenedRecordResult } from "../../services/api/stream-services.js";
import type { ResultWriter } from "../../services/streams/write-result.js";
import { NDJSON, RESULT_FORMATS } from "../parameters/result-format.js";
import type { SearchParameters, TermSearchParameters } from "../parameters/search-parameters.js";
import { withLinks } from "./answer-text.js";
import { API, recordLinks, termLinks } from "./links.js";
import type { AskedStream } from "./stream-answers.js";

const LINES = { open: "", between: "", close: "" };

/** How the records that a search finds are written. */
export function recordWriter(
  search: OpenedRecordResult,
  { site, format: name }: AskedStream<SearchParameters<RecordSearchRequest>>,
  _catalog: Catalog,
): ResultWriter<RecordHit> {
  const api = site.url + API;
  const { record: format } = RESULT_FORMATS.find((each) => each.name === name) ?? NDJSON;
  if (format?.join === undefined) {
    return { ...LINES, write: (record) => line(withLinks(record.json, recordLinks(api, record))) };
  }
  return { ...format.join, write: async (record) => format.write(await search.describe(record), site) };
}

/** How the items that a search finds are written. */
export function termWriter(
  { site, parameters }: AskedStream<TermSearchParameters>,
  _catalog: Catalog,
): ResultWriter<TermHit> {
  const api = site.url + API;
  const { vocabulary } = parameters.request;
  return { ...LINES, write: ({ id, json }) => line(withLinks(json, termLinks(api, vocabulary, id))) };
}

/** JSON on one line: between its tokens there may be line ends, in its texts they are escaped. */
const line = (json: string): string => `${json.includes("\n") ? json.replaceAll(/[\r\n]+/g, " ") : json}\n`;
