/** Parameters of lists: the page, its size, and the order of hits. */
import { Type } from "typebox";
import { choice } from "../../core/answer.js";
import { LIMITS } from "../../core/limits.js";
import { declareQuery, type PathNames, parameter, type ValueRefusal } from "./parameter.js";
import { clip } from "./parameter-reader.js";

/** Declares the number of a page. @param note text after its description */
export const pageNumber = (note: string) =>
  parameter(Type.Integer({ minimum: 1, description: `Number of the page.${note}` }), {
    alias: "p",
    default: 1,
    elsewhere: ["offset", "start", "skip", "from", "pagenumber", "pageno"],
    hint: 'Send the number of the page, from 1, as "page" (or "p"), or use "cursor".',
  });

/** Declares the number of hits on a page. @param description description of the limit */
export const pageSize = (description: string, sizeMax?: number) =>
  parameter(Type.Integer({ minimum: 1, description }), {
    alias: "s",
    default: LIMITS.pageSizeDefault,
    elsewhere: ["limit", "perpage", "pagesize", "rows", "count", "max", "maxresults", "top", "n"],
    hint: 'Send the number of hits per page as "size" (or "s").',
    sizeMax,
  });

/** Size of a page of any list except lists of terms. */
export const recordPageSizeParameter = pageSize(`At most ${LIMITS.recordPageSizeMax}.`, LIMITS.recordPageSizeMax);

/** Layout of hits, which clients of Invenio send. */
export const layout = parameter(choice(["list"], { description: "Layout; `list` is the only one." }));

/** Query parameters of lists that have no search. */
export const PageQuery = declareQuery({ page: pageNumber(""), size: recordPageSizeParameter });

/** Query parameters of lists in the form of a search answer that have one order and no query. */
export const ListQuery = declareQuery({ ...PageQuery.parameters, sort: parameter(choice(["newest"])), l: layout });

/** The parameter that says in which order hits come. */

/** Orders of any search of records. */
export const RECORD_ORDERS = ["newest", "oldest", "bestmatch"];

/** Names of this parameter in other services. */
const SORT_NAMES = { elsewhere: ["order", "orderby", "sortby", "ordering", "sortorder"] };

const TERM_ORDERS = ["newest", "title", "oldest", "bestmatch", "mostcited"];

/** Order of terms. */
export const termSort = parameter(
  choice(TERM_ORDERS, {
    description:
      "Default: title without a query, otherwise bestmatch. `mostcited`: the terms that most records cite first.",
  }),
  { ...SORT_NAMES, hint: `Send the order as "sort": ${TERM_ORDERS.join(", ")}.` },
);

function checkRecordSort(text: string, { sorts }: PathNames): ValueRefusal | undefined {
  if (text === "" || RECORD_ORDERS.includes(text) || sorts.find(text) !== undefined) return undefined;
  const example = sorts.names.at(-1);
  const names = example === undefined ? "" : `, or one of ${sorts.names.join(", ")} ("-${example}": the largest first)`;
  const message = `The parameter "sort" must be ${RECORD_ORDERS.join(" or ")}${names}, not "${clip(text)}".`;
  return { message, allowed: [...RECORD_ORDERS, ...sorts.names] };
}

/** Order of records. */
export const recordSort = parameter(
  Type.String({
    description:
      "`newest`, `oldest` (by `created`), `bestmatch`, or the name of a " +
      "number, date or quantity of the query language: `kd` for the smallest first, `-kd` for the largest. Records " +
      "without one are the last. Default: newest without a query, otherwise bestmatch.",
    examples: ["kd"],
  }),
  {
    ...SORT_NAMES,
    check: checkRecordSort,
    hint: `Send the order as "sort": ${RECORD_ORDERS.join(", ")}, kd, -kd ...`,
  },
);
