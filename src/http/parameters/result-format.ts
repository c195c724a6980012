/** In which format the result of a search is wanted: a page of it as JSON, or the whole of it as a stream. */
import { CITATION_STYLES } from "../../formats/records/citation.js";
import { RECORD_FORMATS } from "../../formats/records/formats.js";
import type { RecordFormat } from "../../formats/records/record-format.js";
import { choice } from "../schemas/components.js";
import { API_TYPES, preferredType } from "./accept.js";
import { parameter } from "./parameter.js";
import { chosenName } from "./representation.js";

/** A format of whole results. */
export interface ResultFormat {
  readonly name: string;
  readonly mediaType: string;
  readonly alsoAsked?: readonly string[];
  /** Of a download. */
  readonly extension: string;
  /** Of those that describe records one by one. */
  readonly record?: RecordFormat;
}

export const NDJSON: ResultFormat = { name: "ndjson", mediaType: "application/x-ndjson", extension: "ndjson" };

/** Formats of any result. */
const LINES: readonly ResultFormat[] = [NDJSON];

/** Those of results of records: also the formats of records in which several are one document. */
export const RESULT_FORMATS: readonly ResultFormat[] = [
  ...LINES,
  ...RECORD_FORMATS.filter(({ join }) => join !== undefined).map((record) => ({
    ...{ name: record.name, mediaType: record.mediaType, extension: record.extension, record },
    ...(record.alsoAsked === undefined ? {} : { alsoAsked: record.alsoAsked }),
  })),
];

const isPlain = ({ mediaType }: ResultFormat): boolean => !mediaType.includes(";");

/** Formats by media type; of two of one type the first. */
function byType(formats: readonly ResultFormat[]): ReadonlyMap<string, ResultFormat> {
  const pairs = formats
    .filter(isPlain)
    .flatMap((format) => [format.mediaType, ...(format.alsoAsked ?? [])].map((type) => [type, format] as const));
  return new Map(pairs.reverse());
}

const BY_TYPE = { records: byType(RESULT_FORMATS), terms: byType(LINES) };

/** What searches answer with. */
export const RESULT_TYPES = {
  records: [...API_TYPES, ...[...BY_TYPE.records.keys()].reverse()],
  terms: [...API_TYPES, ...BY_TYPE.terms.keys()],
} as const;

const formatParameter = (formats: readonly ResultFormat[]) =>
  parameter(
    choice(["json", ...formats.filter(isPlain).map(({ name }) => name)], {
      description:
        "json: one page. Any other: the whole result, streamed, without pages and facets; instead of an Accept header.",
    }),
  );

/** Parameters of searches of records, of searches of items. */
export const RECORD_RESULT = {
  format: formatParameter(RESULT_FORMATS),
  style: parameter(
    choice([...CITATION_STYLES], { description: `Of format=citation. Default: ${CITATION_STYLES[0]}.` }),
  ),
};
export const TERM_RESULT = { format: formatParameter(LINES) };

/**
 * The format of a whole result; undefined for a page of JSON.
 *
 * @throws PARAMETER_INVALID for a style that is unknown, or without a citation
 */
export function resultFormatOf(
  accept: string | undefined,
  wanted: { readonly format?: string | undefined; readonly style?: string | undefined },
  kind: keyof typeof RESULT_TYPES,
): ResultFormat | undefined {
  const type = preferredType(accept, RESULT_TYPES[kind]);
  const name = chosenName(accept, wanted, type === undefined ? undefined : BY_TYPE[kind].get(type)?.name);
  return (kind === "records" ? RESULT_FORMATS : LINES).find((each) => each.name === name);
}
