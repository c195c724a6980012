import type { Leaf, LeafType } from "../../core/catalog/types.js";
import { findUnit } from "../../core/catalog/units.js";
import { addAll } from "../../core/collections.js";
import type { Warning } from "../../core/issue.js";
import { parseRecordId } from "../../core/record.js";
import type { Field, FieldLookup, Meaning } from "../fields/field-meanings.js";
import { isQuantity } from "../fields/field-type.js";
import { compoundBlock } from "../fields/inchikeys.js";
import type { Clause, TextScope } from "../index-model/clause.js";
import { allOf, anyOf, EVERYTHING, isValue, NOTHING, notOf } from "../index-model/clauses.js";
import { readBounds, readValue } from "../parse/bounds.js";
import { isSpacedNumber } from "../parse/leaf-nodes.js";
import { Notes } from "../parse/notes.js";
import type { QueryNode, RangeBound } from "../parse/tree.js";
import { parseAmount } from "../text/amounts.js";
import { analyse } from "../text/analyse.js";
import { isRelative, parseDate } from "../text/dates.js";
import { personAnywhere, personIn } from "./person-clause.js";
import { type QuantityNote, quantityClause } from "./quantity-clause.js";
import { noteQuantity } from "./quantity-notes.js";
import { type TextNode, textClause, waysToAttach, wordsIn } from "./text-clauses.js";

/** What a query means. */
export interface ResolvedQuery {
  readonly clause: Clause;
  /**
   * All words in order, where the query is nothing but words and phrases in no field, all of which must match; or such
   * words as the alternative to a field.
   */
  readonly plain?: readonly string[];
  /** Was something read otherwise than it was written, because its values cannot be compared? */
  readonly fallback: boolean;
  readonly warnings: readonly Warning[];
  /** Does the clause depend on when it was made? */
  readonly usesNow: boolean;
}

/**
 * Turns names into paths and texts into analysed words. Where models give a name different meanings, the clause holds
 * one alternative for each.
 *
 * @param tree made with the same `fields`
 * @param nowMicros what `now` means, in microseconds since 1970 UTC
 */
export function resolveQuery(tree: QueryNode, fields: FieldLookup, nowMicros: number): ResolvedQuery {
  const resolver = new Resolver(fields, nowMicros);
  const clause = resolver.resolve(tree);
  const plain = plainWords(tree);
  const { fallback, warnings } = resolver.notes;
  return { clause, ...(plain === undefined ? {} : { plain }), fallback, warnings, usesNow: resolver.usesNow };
}

function plainWords(node: QueryNode): readonly string[] | undefined {
  if (node.kind === "text") return node.field === undefined ? analyse(node.text) : undefined;
  if (node.kind === "any") return plainAlternative(node.of);
  const words = node.kind === "all" ? node.of.map(plainWords) : [undefined];
  return words.every((some) => some !== undefined) ? words.flat() : undefined;
}

/** Returns the typed words of `ph:7.4 OR (pH AND 7.4)` or `ph:>7 OR "pH above 7"`, which a title may contain. */
function plainAlternative([field, words, ...others]: readonly QueryNode[]): readonly string[] | undefined {
  if (field?.kind === "all" && isSpacedNumber(field.of, words) && others.length === 0) return plainWords(field);
  const isInField = field !== undefined && "field" in field && field.field !== undefined && field.kind !== "group";
  if (!isInField || others.length > 0) return undefined;
  return words?.kind === "all" || (words?.kind === "text" && words.quoted) ? plainWords(words) : undefined;
}

type Node<K extends QueryNode["kind"]> = Extract<QueryNode, { kind: K }>;

class Resolver {
  readonly notes = new Notes();
  usesNow = false;
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
        return this.#resolveAll(node.of, outer);
      case "any":
        return anyOf(node.of.map((of) => this.resolve(of, outer)));
      case "not":
        return notOf(this.resolve(node.of, outer));
      case "group":
        return this.#resolveGroup(node, outer);
      case "cites":
        return this.#resolveCites(node, outer);
      case "range":
        return this.#inQuantity(node.field, outer, node.bounds, (meaning) => this.#rangeIn(meaning, node));
      case "exists":
        return this.#inField(node.field, outer, ({ leaves }) => ({ kind: "exists", paths: pathsOf(leaves) }));
      default:
        return this.#resolveText(node, outer);
    }
  }

  /** Resolves the nodes of an AND. Adjacent words may be one word in a text: `delta G` and `deltaG`. */
  #resolveAll(nodes: readonly QueryNode[], outer?: Field): Clause {
    const clauses: Clause[] = [];
    for (let i = 0; i < nodes.length; ) {
      const ways = waysToAttach(nodes, i);
      clauses.push(anyOf(ways.map((way) => allOf(way.map((of) => this.resolve(of, outer))))));
      i += ways[0].length;
    }
    return allOf(clauses);
  }

  #resolveText(node: TextNode, outer?: Field): Clause {
    if (node.field === undefined) {
      const ids = outer === undefined ? this.#recordIds(node) : [];
      const person = personAnywhere(node, this.fields, outer);
      return anyOf([textClause(node, { in: "text" }), ...this.#aliases(node), ...ids, person]);
    }
    const textIn = (meaning: Meaning): Clause => this.#textIn(meaning, node, outer);
    if (node.kind !== "text" || node.quoted) return this.#inField(node.field, outer, textIn);
    const bounds = [">=", "<="].map((op) => ({ op: op as RangeBound["op"], text: node.text }));
    const isAmount = (meaning: Meaning): boolean => isQuantity(meaning) && (meaning.isLeaf || this.#hasUnit(node.text));
    return this.#inQuantity(node.field, outer, bounds, textIn, isAmount);
  }

  #aliases(node: TextNode): readonly Clause[] {
    if (node.kind !== "text" || node.quoted) return [];
    const known = this.fields.findAliases(node.text);
    return known.map(({ vocabulary, id }) => ({ kind: "cites", vocabularies: [vocabulary], id, within: false }));
  }

  /** The record, or the records under the parent, whose id the text is. */
  #recordIds(node: TextNode): readonly Clause[] {
    const { recordIds } = this.fields;
    if (recordIds.length === 0 || !("text" in node) || node.kind === "fuzzy") return [];
    const id = parseRecordId(node.text.trim());
    return id === undefined ? [] : [isValue(recordIds, id)];
  }

  /** Does a known unit stand in the text? What else stands in the field of an object is its text. */
  #hasUnit(text: string): boolean {
    const unit = parseAmount(text)?.unit;
    return unit === "" || (unit !== undefined && findUnit(this.fields.units, unit) !== undefined);
  }

  /**
   * Bounds in a field: about numbers with their units where they are, else what `otherwise` says.
   * @param isAmount may the bounds be about a quantity of this meaning?
   */
  #inQuantity(
    name: string,
    outer: Field | undefined,
    bounds: readonly RangeBound[],
    otherwise: (meaning: Meaning) => Clause,
    isAmount: (meaning: Meaning) => boolean = () => true,
  ): Clause {
    const notes: (QuantityNote | undefined)[] = [];
    const clause = this.#inField(name, outer, (meaning) => {
      const found = isAmount(meaning) ? quantityClause(meaning, bounds, this.fields.units) : undefined;
      notes.push(found?.note);
      return found?.clause ?? otherwise(meaning);
    });
    const fields = this.fields.find(name, outer)?.meanings ?? [];
    noteQuantity(this.notes, name, fields, notes, this.fields.units);
    return clause;
  }

  #inField(name: string, outer: Field | undefined, clauseOf: (meaning: Meaning) => Clause): Clause {
    const meanings = this.fields.find(name, outer)?.meanings ?? [];
    if (outer !== undefined && meanings.some(({ models }) => models !== undefined)) this.#modelsDiffer = true;
    if (meanings.length > 0 && meanings.every(({ leaves }) => leaves.length === 0)) {
      const message = `"${name}" is not part of the field before the brackets, so it finds nothing.`;
      this.notes.warn("QUERY_FIELD_OUTSIDE", message, { value: name });
    }
    const clauses = meanings.map((meaning) =>
      meaning.leaves.length === 0 ? NOTHING : inModels(meaning, clauseOf(meaning)),
    );
    return anyOf(clauses);
  }

  #textIn({ leaves, isLeaf }: Meaning, node: TextNode, outer: Field | undefined): Clause {
    if (node.kind !== "text") return textClause(node, { in: "paths", paths: pathsOf(leaves) });
    const whole = leaves.filter(({ isWhole, type }) => isWhole && type === "keyword"); // Numbers are compared as such.
    const ids = whole.length === 0 ? NOTHING : isValue(pathsOf(whole), node.text);
    if (whole.length === leaves.length) return ids;
    const block = node.quoted ? undefined : compoundBlock(node.text);
    const compounds = block === undefined ? [] : leaves.filter(({ kind }) => kind === "inchikey");
    const others = leaves.filter((leaf) => !compounds.includes(leaf) && !whole.includes(leaf));
    const clauses = isLeaf
      ? [...byType(others)].map(([type, of]) => this.#valueIn(type, pathsOf(of), node))
      : [wordsIn(analyse(node.text), others)];
    const person = isLeaf ? NOTHING : personIn(node.text, leaves, outer);
    return anyOf([...clauses, wordsIn(block === undefined ? [] : [block], compounds), ids, person]);
  }

  /** In quotes it is text, but for a date: that has no words where the service wrote it. */
  #valueIn(type: LeafType, paths: readonly string[], node: Node<"text">): Clause {
    const isText = node.quoted && (type !== "date" || parseDate(node.text) === undefined);
    const ends = isText ? undefined : readValue(node.text, type, this.#nowFor(type, [node.text]));
    return ends === undefined ? textClause(node, { in: "paths", paths }) : { kind: "range", paths, type, ...ends };
  }

  /** In an object, a range is about the numbers or dates below it where its ends are such, else about keywords. */
  #rangeIn({ leaves, isLeaf }: Meaning, { field, bounds }: Node<"range">): Clause {
    const texts = bounds.map(({ text }) => text);
    const clauses: Clause[] = [];
    const byKeyword: Clause[] = [];
    for (const [type, of] of byType(leaves)) {
      const ends = readBounds(bounds, type, this.#nowFor(type, texts));
      const range: Clause | undefined = ends && { kind: "range", paths: pathsOf(of), type, ...ends };
      if (range !== undefined) (type === "keyword" ? byKeyword : clauses).push(range);
    }
    if (isLeaf || clauses.length === 0) addAll(clauses, byKeyword);
    if (clauses.length > 0) return anyOf(clauses);
    const message = `"${texts.join('", "')}" cannot be compared with the values of "${field}"; read as plain words.`;
    this.notes.fallBack("QUERY_RANGE_AS_TEXT", message, { value: texts.join(" ") });
    return allOf(texts.map((text) => wordsIn(analyse(text), leaves)));
  }

  #nowFor(type: LeafType, texts: readonly string[]): number {
    if (type === "date" && texts.some(isRelative)) this.usesNow = true;
    return this.now;
  }

  #resolveCites({ field, id, within }: Node<"cites">, outer?: Field): Clause {
    const known = this.fields.findIds(id);
    if (within && known.every(({ isFlat }) => isFlat)) {
      const message = `"${id}" belongs to a vocabulary without a hierarchy, so "within" finds only this term.`;
      this.notes.warn("QUERY_WITHIN_FLAT", message, { value: id });
    }
    const cites = (leaves: readonly Leaf[], sites?: readonly string[]): Clause => {
      const ids = new Map<string, string[]>();
      const blocks = new Set<string>();
      for (const one of known) {
        if (one.block !== undefined) blocks.add(one.block);
        else ids.set(one.id, [...(ids.get(one.id) ?? []), one.vocabulary]);
      }
      const at = sites === undefined ? {} : { sites };
      const compounds = leaves.filter(({ kind }) => kind === "inchikey");
      return anyOf([
        ...[...ids].map(([to, vocabularies]): Clause => ({ kind: "cites", vocabularies, id: to, ...at, within })),
        ...[...blocks].map((block) => wordsIn([block], compounds)),
      ]);
    };
    if (this.fields.isTerms) return cites(this.fields.compounds.filter(({ path }) => path === "id"));
    if (field === undefined) return cites(outer?.meanings.flatMap(({ leaves }) => leaves) ?? this.fields.compounds);
    return this.#inField(field, outer, ({ leaves, sites }) => (sites.length === 0 ? NOTHING : cites(leaves, sites)));
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
  const place: TextScope = { in: "paths", paths: ["model"] };
  return allOf([anyOf(models.map((model) => ({ kind: "words", place, words: analyse(model) }))), clause]);
}

const pathsOf = (leaves: readonly Leaf[]): readonly string[] => leaves.map((leaf) => leaf.path);

function byType(leaves: readonly Leaf[]): ReadonlyMap<LeafType, readonly Leaf[]> {
  const types = new Map<LeafType, readonly Leaf[]>();
  for (const leaf of leaves) types.set(leaf.type, [...(types.get(leaf.type) ?? []), leaf]);
  return types;
}
