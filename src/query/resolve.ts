import type { Leaf, LeafType } from "../core/catalog/types.js";
import type { Warning } from "../core/issue.js";
import { analyse } from "./analyse.js";
import { readBounds, readValue } from "./bounds.js";
import type { Clause, Place } from "./clause.js";
import { allOf, anyOf, EVERYTHING, NOTHING, notOf } from "./clauses.js";
import type { Field, FieldLookup, Meaning } from "./fields.js";
import { Notes } from "./notes.js";
import { prefixWords } from "./pattern.js";
import type { QueryNode } from "./tree.js";

/** What a query means. */
export interface ResolvedQuery {
  readonly clause: Clause;
  /** All words in order, where the query is nothing but words and phrases in no field, all of which must match. */
  readonly plain?: readonly string[];
  /** Was something read otherwise than it was written, because its values cannot be compared? */
  readonly fallback: boolean;
  readonly warnings: readonly Warning[];
}

/**
 * Turns names into paths and texts into analysed words. Where models give a name different meanings, the clause holds
 * one alternative for each.
 *
 * @param tree made with the same `fields`; what an index cannot do was rewritten before (`degradeTree`)
 * @param nowMicros what `now` means, in microseconds since 1970 UTC
 */
export function resolveQuery(tree: QueryNode, fields: FieldLookup, nowMicros: number): ResolvedQuery {
  const resolver = new Resolver(fields, nowMicros);
  const clause = resolver.resolve(tree);
  const plain = plainWords(tree);
  const { fallback, warnings } = resolver.notes;
  return { clause, ...(plain === undefined ? {} : { plain }), fallback, warnings };
}

function plainWords(tree: QueryNode): readonly string[] | undefined {
  const texts = tree.kind === "all" ? tree.of : [tree];
  const words: string[] = [];
  for (const node of texts) {
    if (node.kind !== "text" || node.field !== undefined) return undefined;
    words.push(...analyse(node.text));
  }
  return words;
}

/** The fuzzy distance that a word has where none is said. */
const SHORT_WORD_LENGTH = 5;

type Node<K extends QueryNode["kind"]> = Extract<QueryNode, { kind: K }>;

class Resolver {
  readonly notes = new Notes();
  /** Did a name in a group mean different things in different models? */
  #modelsDiffer = false;

  constructor(
    readonly fields: FieldLookup,
    readonly now: number,
  ) {}

  /** @param outer the array of objects that names are relative to */
  resolve(node: QueryNode, outer?: Field): Clause {
    switch (node.kind) {
      case "everything":
        return EVERYTHING;
      case "all":
        return allOf(node.of.map((of) => this.resolve(of, outer)));
      case "any":
        return anyOf(node.of.map((of) => this.resolve(of, outer)));
      case "not":
        return notOf(this.resolve(node.of, outer));
      case "group":
        return this.#resolveGroup(node, outer);
      case "cites":
        return this.#resolveCites(node, outer);
      case "range":
        return this.#inField(node.field, outer, (meaning) => this.#rangeIn(meaning, node));
      case "exists":
        return this.#inField(node.field, outer, ({ leaves }) => ({ kind: "exists", paths: pathsOf(leaves) }));
      default:
        if (node.field === undefined) return textClause(node, { in: "text" });
        return this.#inField(node.field, outer, (meaning) => this.#textIn(meaning, node));
    }
  }

  #inField(name: string, outer: Field | undefined, clauseOf: (meaning: Meaning) => Clause): Clause {
    const meanings = this.fields.find(name, outer)?.meanings ?? [];
    if (outer !== undefined && meanings.some(({ models }) => models !== undefined)) this.#modelsDiffer = true;
    if (meanings.length > 0 && meanings.every(({ leaves }) => leaves.length === 0)) {
      const message = `"${name}" does not lie within the field before the brackets, so it finds nothing.`;
      this.notes.warn("QUERY_FIELD_OUTSIDE", message, { value: name });
    }
    const clauses = meanings.map((meaning) =>
      meaning.leaves.length === 0 ? NOTHING : inModels(meaning, clauseOf(meaning)),
    );
    return anyOf(clauses);
  }

  #textIn({ leaves, isLeaf }: Meaning, node: Node<"text" | "prefix" | "wildcard" | "fuzzy">): Clause {
    const paths = pathsOf(leaves);
    if (node.kind !== "text" || node.quoted || !isLeaf) return textClause(node, { in: "paths", paths });
    const clauses = [...byType(leaves)].map(([type, of]): Clause => {
      const ends = readValue(node.text, type, this.now);
      if (ends === undefined) return textClause(node, { in: "paths", paths: pathsOf(of) });
      return { kind: "range", paths: pathsOf(of), type, ...ends };
    });
    return anyOf(clauses);
  }

  /** In an object, a range is about the numbers or dates below it where its ends are such, else about keywords. */
  #rangeIn({ leaves, isLeaf }: Meaning, { field, bounds }: Node<"range">): Clause {
    const clauses: Clause[] = [];
    const byKeyword: Clause[] = [];
    for (const [type, of] of byType(leaves)) {
      const ends = readBounds(bounds, type, this.now);
      const range: Clause | undefined = ends && { kind: "range", paths: pathsOf(of), type, ...ends };
      if (range !== undefined) (type === "keyword" ? byKeyword : clauses).push(range);
    }
    if (isLeaf || clauses.length === 0) clauses.push(...byKeyword);
    if (clauses.length > 0) return anyOf(clauses);
    const texts = bounds.map(({ text }) => text);
    const message = `"${texts.join('", "')}" cannot be compared with the values of "${field}"; read as plain words.`;
    this.notes.fallBack("QUERY_RANGE_AS_TEXT", message, { value: texts.join(" ") });
    const place: Place = { in: "paths", paths: pathsOf(leaves) };
    return allOf(texts.map((text) => wordsClause(analyse(text), place)));
  }

  #resolveCites({ field, id, within }: Node<"cites">, outer?: Field): Clause {
    const known = this.fields.findIds(id);
    const cites = (sites?: readonly string[]): Clause => {
      const ids = new Map<string, string[]>();
      for (const one of known) ids.set(one.id, [...(ids.get(one.id) ?? []), one.vocabulary]);
      const at = sites === undefined ? {} : { sites };
      return anyOf([...ids].map(([to, vocabularies]) => ({ kind: "cites", vocabularies, id: to, ...at, within })));
    };
    if (field === undefined || this.fields.isTerms) return cites();
    return this.#inField(field, outer, ({ sites }) => (sites.length === 0 ? NOTHING : cites(sites)));
  }

  /** Where models differ within the group, each of them has an alternative: no clause in an element names a model. */
  #resolveGroup(node: Node<"group">, outer?: Field): Clause {
    if (outer !== undefined) return this.#groupOf(node, this.fields.find(node.field, outer));
    this.#modelsDiffer = false;
    const clause = this.#groupOf(node, this.fields.find(node.field));
    return this.#modelsDiffer ? this.#groupOf(node, this.fields.findEach(node.field)) : clause;
  }

  #groupOf({ of }: Node<"group">, field: Field | undefined): Clause {
    const clauses = (field?.meanings ?? []).map((meaning) => {
      if (!meaning.isElement) return NOTHING;
      const inner = this.resolve(of, { meanings: [meaning] });
      return inModels(meaning, { kind: "element", path: meaning.path, of: inner });
    });
    return anyOf(clauses);
  }
}

function inModels({ models }: Meaning, clause: Clause): Clause {
  if (models === undefined) return clause;
  const place: Place = { in: "paths", paths: ["model"] };
  return allOf([anyOf(models.map((model) => wordsClause(analyse(model), place))), clause]);
}

function textClause(node: Node<"text" | "prefix" | "wildcard" | "fuzzy">, place: Place): Clause {
  switch (node.kind) {
    case "text":
      return wordsClause(analyse(node.text), place);
    case "prefix": {
      const words = prefixWords(node.text);
      return words.length === 0 ? NOTHING : { kind: "prefix", place, words };
    }
    case "wildcard":
      return { kind: "wildcard", place, pattern: node.pattern };
    case "fuzzy": {
      const word = analyse(node.text)[0] ?? "";
      const edits = node.edits ?? ([...word].length <= SHORT_WORD_LENGTH ? 1 : 2);
      return { kind: "fuzzy", place, word, edits };
    }
  }
}

const wordsClause = (words: readonly string[], place: Place): Clause =>
  words.length === 0 ? NOTHING : { kind: "words", place, words };

const pathsOf = (leaves: readonly Leaf[]): readonly string[] => leaves.map((leaf) => leaf.path);

function byType(leaves: readonly Leaf[]): ReadonlyMap<LeafType, readonly Leaf[]> {
  const types = new Map<LeafType, readonly Leaf[]>();
  for (const leaf of leaves) types.set(leaf.type, [...(types.get(leaf.type) ?? []), leaf]);
  return types;
}
