import type { Warning } from "../../core/issue.js";
import { escapePointer, isObject, type Json, own, unescapePointer } from "../../core/json.js";
import type { ListPages, PageSizes } from "../../core/records/beginning.js";
import { clip } from "../../http/parameters/parameter-reader.js";
import type { Query } from "../../http/parameters/url-encoding.js";
import { WORDS } from "../words/page-en.js";
import { shortPath } from "./hit-view.js";
import { address, type Pairs } from "./page-addresses.js";

/** Prefix of parameters for pages of lists. `rows.results=2` is the second page of the list `results`. */
const PREFIX = "rows.";

/** Returns whether a parameter selects the page of a list. */
export const isRowsParameter = (name: string): boolean => name.startsWith(PREFIX);

/** Page of a long list, with the addresses of its neighbours. */
interface ListPage {
  /** Numbers of the first and the last element, counted from 1. */
  readonly first: number;
  readonly last: number;
  /** Total number of elements. */
  readonly length: number;
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
}

/** Pages of the long lists of a record. The record page shows one page of each list. */
export class RowPages implements ListPages {
  /** Texts of the parameters, by the name of the list. */
  readonly #texts: ReadonlyMap<string, string>;
  readonly #pages: ReadonlyMap<string, number>;

  /**
   * @param path path of the record page
   * @param roots prefixes of paths that names of lists omit, as queries do
   */
  constructor(
    readonly sizes: PageSizes,
    private readonly path: string,
    query: Query,
    private readonly roots: readonly string[],
  ) {
    const parameters = [...query].filter(([name]) => isRowsParameter(name));
    this.#texts = new Map(parameters.map(([name, [text = ""]]) => [name.slice(PREFIX.length), text]));
    this.#pages = new Map([...this.#texts].map(([name, text]) => [name, isPageNumber(text) ? Number(text) : 1]));
  }

  firstShownIndex(pointer: string, length: number): number {
    const page = this.#pages.get(this.#nameOf(pointer)) ?? 1;
    return (Math.min(page, this.#lastPage(length)) - 1) * this.sizes.elements;
  }

  /** Returns the shown page of a list. @param shown number of shown elements */
  pageOf(pointer: string, length: number, shown: number): ListPage {
    const start = this.firstShownIndex(pointer, length);
    const page = this.#pageWith(start);
    const at = (number: number): string => this.#at(new Map([[pointer, number]]), pointer);
    return {
      first: start + 1,
      last: start + shown,
      length,
      previous: page > 1 ? at(page - 1) : undefined,
      next: page * this.sizes.elements < length ? at(page + 1) : undefined,
    };
  }

  /**
   * Returns the address of a value that another page shows, with the pages of all lists around it; else undefined.
   *
   * @param pointer of the value
   * @param body the whole body of the record
   */
  elsewhere(pointer: string, body: Json): string | undefined {
    const pages = new Map<string, number>();
    let isShown = true;
    let list = "";
    let value: Json | undefined = body;
    for (const step of pointer
      .split("/")
      .slice(1)
      .map((text) => unescapePointer(text))) {
      if (Array.isArray(value)) {
        const page = this.#pageWith(Number(step));
        pages.set(list, page);
        if (page !== this.#pageWith(this.firstShownIndex(list, value.length))) isShown = false;
        value = value[Number(step)];
      } else value = isObject(value) ? own(value, step) : undefined;
      list += `/${escapePointer(step)}`;
    }
    return isShown ? undefined : this.#at(pages, pointer);
  }

  /**
   * Returns the parameters that choose pages of the lists of a record, and a warning for each whose value is no page.
   *
   * @param body the whole body of the record
   */
  notes(body: Json): { readonly parameters: readonly string[]; readonly warnings: readonly Warning[] } {
    const lastPages = new Map<string, number>();
    if (this.#texts.size > 0) this.#readLists(body, "", lastPages);
    const warnings = [...this.#texts].flatMap(([name, text]) => {
      const last = lastPages.get(name);
      if (last === undefined || text === "" || (isPageNumber(text) && Number(text) <= last)) return [];
      const parameter = PREFIX + name;
      const message = isPageNumber(text)
        ? WORDS.search.beyond(Number(text), last)
        : WORDS.search.noChoice(parameter, clip(text), undefined, [last === 1 ? "1" : `1–${last}`]);
      return [{ code: "UNKNOWN_PARAMETER", message, parameter }];
    });
    return { parameters: [...lastPages.keys()].map((name) => PREFIX + name), warnings };
  }

  /** Reads the number of the last page of each list in a value, by the name of the list. */
  #readLists(value: Json, pointer: string, lastPages: Map<string, number>): void {
    if (Array.isArray(value)) {
      // Lists at several places can have the same name.
      const name = this.#nameOf(pointer);
      lastPages.set(name, Math.max(lastPages.get(name) ?? 1, this.#lastPage(value.length)));
    } else if (!isObject(value)) return;
    for (const [step, each] of Object.entries(value)) {
      this.#readLists(each, `${pointer}/${escapePointer(step)}`, lastPages);
    }
  }

  #lastPage(length: number): number {
    return Math.max(1, Math.ceil(length / this.sizes.elements));
  }

  /** Returns the number of the page that shows an element. @param index of the element, from 0 */
  #pageWith(index: number): number {
    return Math.floor(index / this.sizes.elements) + 1;
  }

  /** Returns the address of pages of lists, by pointer. @param target of the fragment: a list, or a value in it */
  #at(lists: ReadonlyMap<string, number>, target: string): string {
    const newPages = [...lists].map(([list, page]) => [this.#nameOf(list), page] as const);
    const pages = new Map([...this.#pages, ...newPages]);
    const pairs: Pairs = [...pages].flatMap(([name, number]) => (number > 1 ? [[PREFIX + name, String(number)]] : []));
    return `${address(this.path, pairs)}#${target}`;
  }

  /** Returns the name of a list in queries. A list inside another list has an index: `measurements.3.samples`. */
  #nameOf = (pointer: string): string => shortPath(pointer.slice(1).replaceAll("/", "."), this.roots);
}

const isPageNumber = (text: string): boolean => /^[1-9]\d{0,5}$/.test(text);
