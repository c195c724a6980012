/** The parameter that says in which order hits come. */
import { Type } from "typebox";
import { choice } from "../schemas/components.js";
import { type PathNames, parameter, type Refusal } from "./parameter.js";
import { clip } from "./parameter-reader.js";

/** Those that any search of records has. */
export const RECORD_ORDERS = ["newest", "oldest", "bestmatch"];

/** What other services call an order. */
const SORT_NAMES = { elsewhere: ["order", "orderby", "sortby", "ordering", "sortorder"] };

const TERM_ORDERS = ["newest", "title", "oldest", "bestmatch"];

export const termSort = parameter(
  choice(TERM_ORDERS, { description: "Default: title without a query, otherwise bestmatch." }),
  { ...SORT_NAMES, hint: `Send the order as "sort": ${TERM_ORDERS.join(", ")}.` },
);

function checkRecordSort(text: string, { sorts }: PathNames): Refusal | undefined {
  if (text === "" || RECORD_ORDERS.includes(text) || sorts.find(text) !== undefined) return undefined;
  const example = sorts.names.at(-1);
  const names = example === undefined ? "" : `, or one of ${sorts.names.join(", ")} ("-${example}": the largest first)`;
  const message = `The parameter "sort" must be ${RECORD_ORDERS.join(" or ")}${names}, not "${clip(text)}".`;
  return { message, allowed: [...RECORD_ORDERS, ...sorts.names] };
}

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
