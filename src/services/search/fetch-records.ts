import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import { requireUser } from "../../core/may.js";
import { parseRecordId } from "../../core/record.js";
import type { Clause } from "../../query/index-model/clause.js";
import { anyOf } from "../../query/index-model/clauses.js";
import { foldKeyword } from "../../query/text/analyse.js";
import type { SearchServices } from "../api/search-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { badParameter } from "../input/issues.js";
import { makeHitBeginnings } from "./hit-beginnings.js";
import { narrowed, scopeOf } from "./record-scope.js";

/** Several records by id, in the order asked. */
export function makeFetchRecords({ index, catalog }: Deps): SearchServices["fetchRecords"] {
  const beginningsOf = makeHitBeginnings();
  return async (actor, { model, ...asked }, ids) => {
    if (asked.own) requireUser(actor);
    const models = model === undefined ? [...catalog.models.keys()] : [findModel(catalog, model).name];
    const scope = scopeOf(actor, { ...asked, allVersions: true, filters: {} }, models);
    if (ids.length > LIMITS.idsMax) {
      throw badParameter("ids", `At most ${LIMITS.idsMax} ids can be fetched at once, not ${ids.length}.`, ids.length);
    }
    const parsed = new Map([...new Set(ids)].map((id) => [id, parseRecordId(id.trim())]));
    const known = [...parsed.values()].filter((id) => id !== undefined);
    const { hits } = await index.searchRecords({
      clause: narrowed(catalog, anyOf(known.map(hasId)), { ...asked, filters: {} }),
      ...{ scope, facets: [], sort: "newest", page: { offset: 0, limit: LIMITS.idsMax } },
    });
    const byId = new Map(hits.map((hit) => [hit.id, hit]));
    const found = [...new Set(known)].flatMap((id) => byId.get(id) ?? []);
    const warnings = [...parsed].flatMap(([id, known]): Warning[] => {
      if (known !== undefined && byId.has(known)) return [];
      return [{ code: "UNKNOWN_ID", message: `There is no record "${id}" here.`, parameter: "ids", value: id }];
    });
    const query = { parsed: "", fallback: false };
    const shown = asked.beginnings ? await beginningsOf(found) : found;
    return { hits: shown, total: found.length, size: LIMITS.idsMax, sortBy: "ids", query, warnings };
  };
}

function hasId(id: string): Clause {
  const end = { value: foldKeyword(id), inclusive: true };
  return { kind: "range", paths: ["id"], type: "keyword", from: end, to: end };
}
