/** Which page of a list is wanted. */
import { Type } from "typebox";
import { LIMITS } from "../../core/limits.js";
import { choice } from "../schemas/components.js";
import { parameter, queryOf } from "./parameter.js";

/** The number of a page. @param more what is to be known of it */
export const pageNumber = (more: string) =>
  parameter(Type.Integer({ minimum: 1, description: `Number of the page.${more}` }), {
    alias: "p",
    default: 1,
    elsewhere: ["offset", "start", "skip", "from", "pagenumber", "pageno"],
    hint: 'Send the number of the page, from 1, as "page" (or "p"), or use "cursor".',
  });

/** How many hits a page has. @param description of the limit */
export const pageSize = (description: string, sizeMax?: number) =>
  parameter(Type.Integer({ minimum: 1, description }), {
    alias: "s",
    default: LIMITS.pageSizeDefault,
    elsewhere: ["limit", "perpage", "pagesize", "rows", "count", "max", "maxresults", "top", "n"],
    hint: 'Send the number of hits per page as "size" (or "s").',
    ...(sizeMax === undefined ? {} : { sizeMax }),
  });

/** Of a page of records, and of every other list but that of terms. */
export const recordPageSize = pageSize(`At most ${LIMITS.recordPageSizeMax}.`, LIMITS.recordPageSizeMax);

export const layout = parameter(choice(["list"], { description: "Layout; `list` is the only one." }));

/** Of lists that nobody searches. */
export const PageQuery = queryOf({ page: pageNumber(""), size: recordPageSize });

/** Of lists with the look of a search that have one order and no query. */
export const ListQuery = queryOf({ ...PageQuery.parameters, sort: parameter(choice(["newest"])), l: layout });
