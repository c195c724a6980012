import type { Query } from "../../http/parameters/query-string.js";
import { address, type Pairs } from "./paths.js";

/**
 * The address of a search page: everything that it shows stands in it, so that a changed address is the link to a
 * changed page. Whoever changes what is found comes to the first page of it, with all facets.
 */
export class SearchAddress {
  private constructor(
    readonly path: string,
    readonly pairs: Pairs,
  ) {}

  /** What was sent, without the place in the list and in a facet, and without empty parameters. */
  static of(path: string, query: Query): SearchAddress {
    const sent = [...query].filter(([name]) => !PLACES.has(name));
    const pairs = sent.flatMap(([name, values]) =>
      values.filter((value) => value !== "").map((v) => [name, v] as const),
    );
    return new SearchAddress(path, pairs);
  }

  toString(): string {
    return address(this.path, this.pairs);
  }

  /** With this value instead of all others of the name; undefined takes the parameter away. */
  with(name: string, value: string | undefined): SearchAddress {
    const at = this.pairs.findIndex(([each]) => each === name);
    const rest = this.pairs.filter(([each]) => each !== name);
    if (value === undefined || value === "") return new SearchAddress(this.path, rest);
    const place = at === -1 ? rest.length : this.pairs.slice(0, at).filter(([each]) => each !== name).length;
    return new SearchAddress(this.path, rest.toSpliced(place, 0, [name, value]));
  }

  /** With one value of a facet more. */
  plus(name: string, value: string): SearchAddress {
    return new SearchAddress(this.path, [...this.pairs, [name, value]]);
  }

  minus(name: string, value: string): SearchAddress {
    return new SearchAddress(
      this.path,
      this.pairs.filter(([each, v]) => each !== name || v !== value),
    );
  }

  /** Without all parameters of these names. */
  without(names: ReadonlySet<string>): SearchAddress {
    return new SearchAddress(
      this.path,
      this.pairs.filter(([name]) => !names.has(name)),
    );
  }

  /** The same search elsewhere: of another model, or as data. */
  at(path: string): SearchAddress {
    return new SearchAddress(path, this.pairs);
  }
}

const PLACES: ReadonlySet<string> = new Set(["page", "p", "cursor", "facets", "facet_text", "facet_below"]);
