import { type JsonObject, own } from "../core/json.js";
import { DumpError } from "../formats/dumps/dump-file.js";
import { readDump } from "../formats/dumps/read-dump.js";
import type { Authority, DumpEntry, DumpOptions } from "../ports/authorities.js";
import {
  baseName,
  type DumpDocument,
  documentEntries,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from "./dump-documents.js";
import {
  bareId,
  type LiveSource,
  MISSING_TERM,
  NO_PLACE,
  parseCount,
  parseObject,
  requireTerm,
  selectTerms,
  WrongAnswer,
} from "./live/live-source.js";

/** Addresses and ids of organisations: `https://ror.org/02hpadn98`, `ror:02hpadn98`, `02hpadn98`. */
const ROR_ID = /^(?:https?:\/\/ror\.org\/|ror:)?(0[a-z0-9]{8})$/;

/** Version in the name of a release's file. */
const RELEASE = /v\d+(?:\.\d+)+/;

const OLD_SCHEMA =
  "the file has the retired schema v1 of ROR; load one of schema v2: releases from 2024 on have it, those up to v1.x " +
  "as the file whose name ends in _schema_v2.json (https://doi.org/10.5281/zenodo.6347574)";

/** Type of the display name, which is the title. */
const DISPLAY = "ror_display";

/** Prefixes for ids of other registries that have none of their own. */
const PREFIXES: Readonly<Record<string, string>> = { fundref: "fundref", isni: "isni", wikidata: "wikidata" };

/**
 * ROR, the Research Organization Registry: the JSON array of a release, or its zip. Organisations that are no longer
 * active come last, because their successors must be known: the ids of all organisations are kept in memory.
 * @see https://ror.readme.io/docs/data-dump, https://ror.readme.io/docs/ror-data-structure
 */
export const ror: Authority = {
  name: "ror",
  title: "ROR, the Research Organization Registry",
  url: "https://doi.org/10.5281/zenodo.6347574",
  licence: "CC0 1.0",
  vocabulary: "affiliations",
  takes: "the zip of a release, or its JSON file (schema v2), gzipped or not",
  dumps: [{ name: /^(?!.*schema_v1).*ror-data.*\.(zip|json|json\.gz)$/ }],
  passes: 1,
  read: readRor,
};

async function* readRor(path: string, { onProgress }: DumpOptions): AsyncGenerator<readonly DumpEntry[]> {
  const ids = new Set<string>();
  const inactive: { readonly entry: DumpDocument; readonly part: string }[] = [];
  let hasOldSchema = false;
  let hasRecords = false;
  for await (const file of readDump(path, onProgress)) {
    const part = file.name;
    if (!part.toLowerCase().endsWith(".json")) continue;
    const release = RELEASE.exec(baseName(part))?.[0];
    if (release !== undefined) yield [{ release }];
    const take = (document: DumpDocument): readonly DumpEntry[] => {
      const { line, value } = document;
      if (own(value, "names") === undefined && own(value, "name") !== undefined) {
        hasOldSchema = true;
        return [];
      }
      hasRecords = true;
      const id = rorId(value);
      if (id === undefined) return [{ part, line, reason: '"id" must be the address of a ROR record' }];
      if (textAt(value, "status") !== "active") {
        inactive.push({ entry: document, part });
        return [];
      }
      ids.add(id);
      return [organisation(value, id, { part, line }, null)];
    };
    yield* documentEntries(file, take);
  }
  if (!hasRecords) throw new DumpError(hasOldSchema ? OLD_SCHEMA : "there is no JSON file of ROR records in it");
  for (const { entry } of inactive) ids.add(rorId(entry.value)!);
  let missingSuccessors = 0;
  const inactiveEntries = inactive.map(({ entry: { line, value }, part }) => {
    const successors = relatedTo(value, "successor");
    const successor = successors.find((id) => ids.has(id));
    if (successor === undefined && successors.length > 0) missingSuccessors += 1;
    return organisation(value, rorId(value)!, { part, line }, successor ?? null);
  });
  yield inactiveEntries;
  if (missingSuccessors > 0) yield [{ leftOut: "successors that are not in the file", count: missingSuccessors }];
}

/** Returns the id of an organisation for vocabularies: `ror:02hpadn98`. */
const rorId = (record: JsonObject): string | undefined => {
  const idPart = ROR_ID.exec(textAt(record, "id") ?? "")?.[1];
  return idPart === undefined ? undefined : `ror:${idPart}`;
};

/** Returns the ids of related organisations. @param type `successor`, `parent`, ...; undefined: any */
function relatedTo(record: JsonObject, type?: string): readonly string[] {
  const relationships = objectsAt(record, "relationships").filter(
    (each) => type === undefined || textAt(each, "type") === type,
  );
  return relationships.flatMap((each) => rorId(each) ?? []);
}

/** Types of relationships that have a prop of their own. All others are in `related`. */
const RELATIONS = {
  parents: "parent",
  children: "child",
  predecessors: "predecessor",
  successors: "successor",
} as const;

/** Returns the ids of related organisations by prop. An organisation with several relations is in the first list. */
function relations(record: JsonObject): Readonly<Record<string, readonly string[]>> {
  const listed = new Set<string>();
  const props: Record<string, readonly string[]> = {};
  for (const [prop, type] of [...Object.entries(RELATIONS), ["related", undefined] as const]) {
    const ids = [...new Set(relatedTo(record, type))].filter((id) => !listed.has(id));
    for (const id of ids) listed.add(id);
    props[prop] = ids;
  }
  return props;
}

/** Maps an entry of the dump or an answer of the API, which are the same. */
export function organisation(
  record: JsonObject,
  id: string,
  place: { readonly part: string; readonly line: number },
  successor: string | null,
): DumpEntry {
  const names = objectsAt(record, "names").flatMap((name) => {
    const value = textAt(name, "value");
    return value === undefined ? [] : [{ value, types: textsAt(name, "types"), lang: textAt(name, "lang") }];
  });
  const display = names.find(({ types }) => types.includes(DISPLAY)) ?? names[0];
  if (display === undefined) return { ...place, reason: `${id} has no name` };
  const otherNames = names.filter((name) => name !== display);
  const location = objectAt(objectsAt(record, "locations")[0] ?? {}, "geonames_details");
  const isActive = textAt(record, "status") === "active";
  const item = {
    id,
    title: { en: display.value },
    synonyms: otherNames.map(({ value, types, lang }) => ({
      name: value,
      kind: types[0] ?? "alias",
      ...(lang === undefined ? {} : { lang }),
    })),
    props: {
      city: textAt(location, "name") ?? null,
      state: textAt(location, "country_subdivision_name") ?? null,
      country: textAt(location, "country_name") ?? null,
      types: [...textsAt(record, "types")],
      identifiers: externalIds(record),
      ...relations(record),
    },
    status: isActive ? "active" : "deprecated",
    replaced_by: isActive ? null : successor,
  };
  return { ...place, item };
}

/** Returns ids such as `grid.116068.8`, `isni:0000 0001 2341 2786`, `wikidata:Q49108`: the preferred ones first. */
function externalIds(record: JsonObject): string[] {
  return objectsAt(record, "external_ids").flatMap((each) => {
    const prefix = PREFIXES[textAt(each, "type") ?? ""];
    const ids = new Set([textAt(each, "preferred") ?? [], textsAt(each, "all")].flat());
    return [...ids].map((id) => (prefix === undefined ? id : `${prefix}:${id}`));
  });
}

/** Characters with a meaning in searches (of Elasticsearch); `<` and `>` cannot be escaped. */
const SYNTAX = /[+\-=&|!(){}[\]^"~*?:\\/]/g;

/**
 * The REST API of ROR, version 2: `/v2/organizations/<id>` and `/v2/organizations?query=&page=`, whose pages have 20
 * organisations. An unknown id is a 404 with `{"errors": [...]}`.
 * @see https://ror.readme.io/docs/rest-api
 */
export const rorLive: LiveSource = {
  name: "ror",
  title: "ROR",
  ids: /^ror:0[a-z0-9]{8}$/,
  perSecond: 5,
  async find(get, id) {
    const answer = await get(["v2", "organizations", bareId(id)]);
    const record = parseObject(answer);
    if (answer.status !== 200) {
      if (textsAt(record, "errors").length > 0) return MISSING_TERM;
      throw new WrongAnswer('a refusal of ROR has "errors"');
    }
    const successor = relatedTo(record, "successor")[0] ?? null;
    return { kind: "found", item: requireTerm(organisation(record, rorId(record) ?? "", NO_PLACE, successor)) };
  },
  async search(get, text, page) {
    const query = text.replace(/[<>]/g, " ").replace(SYNTAX, "\\$&");
    const answer = parseObject(await get(["v2", "organizations"], { query, page }));
    const total = parseCount(own(answer, "number_of_results"), "number_of_results");
    const entries = objectsAt(answer, "items").flatMap((record) => {
      const id = rorId(record);
      return id === undefined ? [] : [organisation(record, id, NO_PLACE, relatedTo(record, "successor")[0] ?? null)];
    });
    return { items: selectTerms(entries), total };
  },
};
