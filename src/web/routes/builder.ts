import type { Model } from "../../core/catalog/types.js";
import type { Query } from "../../http/parameters/url-encoding.js";
import type { PageOptions } from "../answers/page-route.js";
import type { BuilderView } from "../parts/builder.js";
import { type BuilderChoices, builderChoices, firstRows, isShowPressed, readBuilder } from "../views/builder-view.js";
import { BUILDER_PREFIX } from "../views/page-addresses.js";
import { type BuiltQuery, readQueryRows, writeQuery } from "../views/query-rows.js";
import type { SearchView } from "../views/search-view.js";

/** State of the query builder. */
interface BuilderState {
  readonly rows: BuiltQuery;
  readonly choices: BuilderChoices;
  /** Parameters of the search, with the query that the rows make. */
  readonly query: Query;
  /** Query of the search from which the builder was opened. */
  readonly original: string;
  /** Whether the reader left the builder to see the hits. */
  readonly isShown: boolean;
}

/** Reads the rows from the form of the builder, or else from the query. Without a query, returns an empty row. */
export async function readBuilderState(
  { services, fieldsOf }: PageOptions,
  parameters: Query,
  models: readonly Model[],
): Promise<BuilderState> {
  const choices = builderChoices(models, fieldsOf);
  const searchParameters = [...parameters].filter(([name]) => !name.startsWith(BUILDER_PREFIX));
  const q = parameters.get("q")?.[0] ?? "";
  const rows = readBuilder(parameters, choices);
  if (rows !== undefined) {
    const query = new Map([...searchParameters, ["q", [writeQuery(rows)]] as const]);
    return { rows, choices, query, original: q, isShown: isShowPressed(parameters) };
  }
  const state = { choices, query: new Map(searchParameters), original: q, isShown: false };
  if (q.trim() === "") return { ...state, rows: firstRows(choices) };
  const scope = models.length === 1 ? { model: models[0]!.name } : {};
  const { answer } = await services.readQueryText({ q, totals: false, lang: "en", ...scope });
  return { ...state, rows: readQueryRows(q, answer.parts) };
}

/** Parameters that the form of the builder sets itself. */
const BUILDER_PARAMETERS: ReadonlySet<string> = new Set(["q", "build"]);

/** Makes the view of the builder. */
export function builderView({ rows, choices, original }: BuilderState, { q, total, address }: SearchView): BuilderView {
  const search = address.with("build", undefined);
  return {
    built: rows,
    choices,
    q,
    total,
    path: address.path,
    carried: [...address.without(BUILDER_PARAMETERS).pairs, ["q", original]],
    page: String(search),
    close: String(search.with("q", original)),
  };
}
