import type { Model } from "../../core/catalog/types.js";
import type { Query } from "../../http/parameters/query-string.js";
import type { PageOptions } from "../answers/page-route.js";
import type { BuilderView } from "../parts/builder.js";
import { type BuilderChoices, builderChoices, firstRows, isShown, readBuilder } from "../views/builder-view.js";
import { type BuiltQuery, rowsOf, writeQuery } from "../views/query-rows.js";
import type { SearchView } from "../views/search-view.js";
import { BUILDER_PREFIX } from "../views/view-parameters.js";

/** The builder of an address. */
interface Built {
  readonly rows: BuiltQuery;
  readonly choices: BuilderChoices;
  /** What is searched: the address with the query that the rows say. */
  readonly query: Query;
  /** Query of the search from which the builder was opened. */
  readonly before: string;
  /** Is this to be shown without the builder? */
  readonly isShown: boolean;
}

/** The rows that the form of the builder has sent, else those of the query; where there is none, one to begin with. */
export async function readBuilt(
  { services, fieldsOf }: PageOptions,
  sent: Query,
  models: readonly Model[],
): Promise<Built> {
  const choices = builderChoices(models, fieldsOf);
  const kept = [...sent].filter(([name]) => !name.startsWith(BUILDER_PREFIX));
  const q = sent.get("q")?.[0] ?? "";
  const rows = readBuilder(sent, choices);
  if (rows !== undefined) {
    const query = new Map([...kept, ["q", [writeQuery(rows)]] as const]);
    return { rows, choices, query, before: q, isShown: isShown(sent) };
  }
  const begun = { choices, query: new Map(kept), before: q, isShown: false };
  if (q.trim() === "") return { ...begun, rows: firstRows(choices) };
  const only = models.length === 1 ? { model: models[0]!.name } : {};
  const { answer } = await services.readQueryText({ q, totals: false, lang: "en", ...only });
  return { ...begun, rows: rowsOf(q, answer.parts) };
}

/** What the form of the builder sets itself. */
const OWN: ReadonlySet<string> = new Set(["q", "build"]);

export function builderView({ rows, choices, before }: Built, { q, total, address }: SearchView): BuilderView {
  const search = address.with("build", undefined);
  return {
    ...{ built: rows, choices, q, total, path: address.path },
    carried: [...address.without(OWN).pairs, ["q", before]],
    page: String(search),
    close: String(search.with("q", before)),
  };
}
