import type { ListPages } from "../../core/records/beginning.js";
import type { Query } from "../../http/parameters/query-string.js";
import { shortPath } from "./hit-view.js";
import { address, type Pairs } from "./paths.js";

/** Maximum number of elements of a list on one page of a record. */
const ROWS_MAX = 50;

/** Prefix of parameters for pages of lists. `rows.results=2` is the second page of the list `results`. */
const PREFIX = "rows.";

export const isRowsParameter = (name: string): boolean => name.startsWith(PREFIX);

/** One page of a long list, and the addresses of the others. */
export interface RowPage {
  /** Numbers of the first and the last element, counted from 1. */
  readonly first: number;
  readonly last: number;
  /** Number of all elements of the list. */
  readonly length: number;
  readonly previous?: string;
  readonly next?: string;
}

/** Pages of the long lists of a record. One page of each list is shown. */
export class RowPages implements ListPages {
  readonly size = ROWS_MAX;
  readonly #pages: ReadonlyMap<string, number>;

  /**
   * @param path path of the record page
   * @param roots prefixes of paths that names of lists omit, as queries do
   */
  constructor(
    private readonly path: string,
    query: Query,
    private readonly roots: readonly string[],
  ) {
    const sent = [...query].filter(([name]) => isRowsParameter(name));
    this.#pages = new Map(sent.map(([name, [text = ""]]) => [name.slice(PREFIX.length), pageNumber(text)]));
  }

  startOf(pointer: string, length: number): number {
    const last = Math.max(1, Math.ceil(length / ROWS_MAX));
    return (Math.min(this.#pages.get(this.#nameOf(pointer)) ?? 1, last) - 1) * ROWS_MAX;
  }

  /** Returns the shown page of a list. @param shown number of shown elements */
  pageOf(pointer: string, length: number, shown: number): RowPage {
    const start = this.startOf(pointer, length);
    const page = start / ROWS_MAX + 1;
    return {
      ...{ first: start + 1, last: start + shown, length },
      ...(page > 1 ? { previous: this.#at(pointer, page - 1) } : {}),
      ...(page * ROWS_MAX < length ? { next: this.#at(pointer, page + 1) } : {}),
    };
  }

  /** Returns the address of a list element that another page shows; else undefined. @param pointer of the element */
  elsewhere(pointer: string, length: number): string | undefined {
    const at = pointer.lastIndexOf("/");
    const [list, index] = [pointer.slice(0, at), Number(pointer.slice(at + 1))];
    const page = Math.floor(index / ROWS_MAX) + 1;
    return page === this.startOf(list, length) / ROWS_MAX + 1 ? undefined : this.#at(list, page, pointer);
  }

  /** Returns the address of a page of a list. @param target of the fragment: the list, or one of its elements */
  #at(list: string, page: number, target = list): string {
    const pages = new Map([...this.#pages, [this.#nameOf(list), page]]);
    const pairs: Pairs = [...pages].flatMap(([name, number]) => (number > 1 ? [[PREFIX + name, String(number)]] : []));
    return `${address(this.path, pairs)}#${target}`;
  }

  /** Returns the name of a list as in queries. A list inside another list has an index: `measurements.3.samples`. */
  #nameOf = (pointer: string): string => shortPath(pointer.slice(1).replaceAll("/", "."), this.roots);
}

function pageNumber(text: string): number {
  const page = /^\d{1,6}$/.test(text) ? Number(text) : 1;
  return Math.max(1, page);
}
