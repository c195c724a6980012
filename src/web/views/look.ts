import { findUnit, type Unit } from "../../core/catalog/units.js";
import type { Warning } from "../../core/issue.js";
import type { Query } from "../../http/parameters/query-string.js";
import { defaultColumns, knownColumns, listOf } from "../../services/streams/columns.js";
import { WORDS } from "../words/page-en.js";
import type { Pairs } from "./paths.js";
import { type ShownFields, unitsOf } from "./shown-fields.js";
import { UNIT_PREFIX } from "./view-parameters.js";

/** What a page shows of the records that it finds, as its address says it. */
export interface Look {
  readonly view: "list" | "table";
  /** Of a table, in this order. */
  readonly columns: readonly string[];
  /** Name of the list whose elements are the rows; absent: a record is a row. */
  readonly rows?: string;
  /** Only elements that the query asks for. */
  readonly isMatched: boolean;
  /** What numbers are converted to, by the names of fields. */
  readonly units: ReadonlyMap<string, Unit>;
  /** What is not there, and was left out. */
  readonly warnings: readonly Warning[];
}

const UNKNOWN = "UNKNOWN_PARAMETER";

/** Reads the look of a page. Names that these models do not have are left out: the page of another model has them. */
export function readLook(query: Query, shown: ShownFields): Look {
  const isTable = query.get("view")?.[0] === "table";
  const sentRows = isTable ? (query.get("rows")?.[0] ?? "") : "";
  const rows = shown.models.some((model) => listOf(model, sentRows) !== undefined) ? sentRows : undefined;
  const sent = (query.get("cols") ?? []).flatMap((text) => text.split(",")).map((name) => name.trim());
  const names = isTable ? [...new Set(sent.filter((name) => name !== ""))] : [];
  const known = knownColumns(shown.models, names, rows);
  const units = readUnits(query, shown, rows);
  const unknown = [
    ...(sentRows === "" || rows !== undefined ? [] : [WORDS.search.noList(sentRows)]),
    ...names.filter((name) => !known.includes(name)).map(WORDS.search.noColumn),
    ...units.unknown,
  ];
  return {
    view: isTable ? "table" : "list",
    columns: known.length > 0 ? known : defaultsOf(shown, rows),
    ...(rows === undefined ? {} : { rows }),
    isMatched: rows !== undefined && query.get("matched")?.[0] === "true",
    units: units.known,
    warnings: unknown.map((message) => ({ code: UNKNOWN, message })),
  };
}

/** As in a result as CSV; what a record is stands in the link to it. */
function defaultsOf({ models, columns }: ShownFields, rows: string | undefined): readonly string[] {
  if (rows === undefined) return columns;
  const first = models.length === 1 ? ["title"] : ["title", "model"];
  const others = defaultColumns(models, rows).filter((name) => name !== "id" && name !== "model");
  return [...new Set([...first, ...others])];
}

function readUnits(query: Query, shown: ShownFields, rows: string | undefined) {
  const known = new Map<string, Unit>();
  const unknown: string[] = [];
  for (const [parameter, [text = ""]] of query) {
    if (!parameter.startsWith(UNIT_PREFIX) || text === "") continue;
    const name = parameter.slice(UNIT_PREFIX.length);
    const unit = findUnit(shown.models[0]!.units, text);
    if (knownColumns(shown.models, [name], rows).length === 0) {
      unknown.push(WORDS.search.noColumn(name));
      continue;
    }
    const allowed = unitsOf(shown, name);
    if (unit !== undefined && (allowed.length === 0 || allowed.includes(unit))) known.set(name, unit);
    else unknown.push(WORDS.search.noUnit(name, text));
  }
  return { known, unknown };
}

/**
 * The look as parameters of a result as CSV: the columns that are shown, after the id that their rows lead to. A list
 * has no columns of its own.
 */
export function tableParameters({ view, columns, rows, isMatched, units }: Look, { models }: ShownFields): Pairs {
  const shown = view === "table" ? ["id", ...columns] : defaultColumns(models, undefined);
  return [
    ...(view === "table" ? [["fields", shown.join(",")] as const] : []),
    ...(rows === undefined ? [] : [["rows", rows] as const]),
    ...(isMatched ? [["matched", "true"] as const] : []),
    ...[...units].flatMap(([name, unit]) => (shown.includes(name) ? [[UNIT_PREFIX + name, unit.name] as const] : [])),
  ];
}
