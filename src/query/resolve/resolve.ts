import type { Leaf, LeafType } from "../../core/catalog/types.js";
import { addAll } from "../../core/collections.js";
import type { Warning } from "../../core/issue.js";
import { moleculeId } from "../../core/pasted-identifiers.js";
import { parseRecordId } from "../../core/record.js";
import { isRelative, nearestDates, parseDateOrNow } from "../../core/time.js";
import { parseAmount } from "../../core/units/amounts.js";
import { findUnit, plainDashes } from "../../core/units/units.js";
import { type FieldLookup, STATED } from "../fields/field-lookup.js";
import { isQuantity, type Meaning, type SearchField } from "../fields/field-meanings.js";
import { compoundBlock } from "../fields/identifiers.js";
import {
  andClauses,
  type Clause,
  EVERYTHING,
  NOTHING,
  notClause,
  orClauses,
  type TextScope,
  valueClause,
} from "../index-model/clause.js";
import { readBounds, readValue } from "../parse/bounds.js";
import { isSpacedNumber } from "../parse/leaf-nodes.js";
import { Notes } from "../parse/notes.js";
import type { QueryNode, RangeBound } from "../parse/tree.js";
import { analyse } from "../text/analyse.js";
import { noteQuantity, type QuantityNote, quantityClause } from "./quantity-clause.js";
import { personAnywhere, personIn, phraseInLeaves, type TextNode, textClause, waysToAttach } from "./text-clauses.js";

/** Clause of a query, with warnings. */
export interface ResolvedQuery {
  readonly clause: Clause;
  /**
   * All words in order, if the query consists only of words and phrases without a field that must all match, or if such
   * words are the alternative to a field. Otherwise absent.
   */
  readonly plain?: readonly string[] | undefined;
  /** Whether a range was read as words because its values cannot be compared. */
  readonly fallback: boolean;
  readonly warnings: readonly Warning[];
  /** Whether the clause depends on the current time. */
  readonly usesNow: boolean;
}

/**
 * Resolves names to paths and analyses texts to words. If models give a name different meanings, the clause has one
 * alternative for each.
 *
 * @param tree result of the parser with the same `fields`
 * @param nowMicros instant of `now`, in microseconds since 1970 UTC
 */
export function resolveQuery(tree: QueryNode, fields: FieldLookup, nowMicros: number): ResolvedQuery {
  const resolver = new Resolver(fields, nowMicros);
  const clause = resolver.resolve(tree);
  const plain = plainWords(tree);
  const { fallback, warnings } = resolver.notes;
  return { clause, plain, fallback, warnings, usesNow: resolver.usesNow };
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

/** Forms of dates, for messages. */
const DATE_FORMS = "Dates are written as 2024, 2024-05, 2024-05-17 or now-30d.";

/** Returns whether a field has only dates. */
const isDateField = ({ leaves, isLeaf }: Pick<Meaning, "leaves" | "isLeaf">): boolean =>
  isLeaf && leaves.length > 0 && leaves.every(({ type }) => type === "date");

/** Returns the dates that a text may mean, as part of a warning. */
function similarDates(text: string): Pick<Warning, "nearest"> {
  const nearest = nearestDates(plainDashes(text));
  return { nearest: nearest.length === 0 ? undefined : nearest };
}

class Resolver {
  readonly notes = new Notes();
  usesNow = false;
  /** Whether a name in the current group has different meanings in different models. */
  #modelsDiffer = false;
  /** Compares quantities that may be derived by their stated (true) or derived (false) values only. */
  #stated: boolean | undefined;
  /** Whether `#stated` applied to a quantity. */
  #hasApplied = false;

  constructor(
    readonly fields: FieldLookup,
    readonly now: number,
  ) {}

  /** Resolves a node. @param outer array of objects below which names are looked up first */
  resolve(node: QueryNode, outer?: SearchField): Clause {
    const stated = this.#statedValue(node, outer);
    if (stated !== undefined) return this.#hasQuantity(stated, outer);
    switch (node.kind) {
      case "everything":
        return EVERYTHING;
      case "all":
        return this.#resolveAll(node.of, outer);
      case "any":
        return orClauses(node.of.map((of) => this.resolve(of, outer)));
      case "not":
        return notClause(this.resolve(node.of, outer));
      case "group":
        return this.#resolveGroup(node, outer);
      case "cites":
        return this.#resolveCites(node, outer);
      case "range":
        return this.#inQuantity(node.field, outer, node.bounds, (meaning) => this.#rangeIn(meaning, node));
      case "exists":
        return this.#inField(node.field, outer, ({ leaves }) => ({ kind: "exists", paths: leafPaths(leaves) }));
      default:
        return this.#resolveText(node, outer);
    }
  }

  /**
   * Resolves the nodes of an AND. `stated:true` among them applies to the quantities in all others. If there are none,
   * it is a condition itself.
   */
  #resolveAll(nodes: readonly QueryNode[], outer?: SearchField): Clause {
    const values = nodes.map((node) => this.#statedValue(node, outer));
    const [stated, ...others] = new Set(values.filter((value) => value !== undefined));
    if (stated === undefined) return this.#resolveNodes(nodes, outer);
    if (others.length > 0) return NOTHING;
    const [outerStated, hadApplied] = [this.#stated, this.#hasApplied];
    [this.#stated, this.#hasApplied] = [stated, false];
    const rest = nodes.filter((_, i) => values[i] === undefined);
    const clause = this.#resolveNodes(rest, outer);
    const condition = this.#hasApplied ? EVERYTHING : this.#hasQuantity(stated, outer);
    [this.#stated, this.#hasApplied] = [outerStated, hadApplied];
    return andClauses([clause, condition]);
  }

  /** Returns the value of `stated:true` or `NOT stated:false`, and undefined for any other node. */
  #statedValue(node: QueryNode, outer: SearchField | undefined): boolean | undefined {
    if (node.kind === "not") {
      const value = this.#statedValue(node.of, outer);
      return value === undefined ? undefined : !value;
    }
    if (node.kind !== "text" || node.field?.toLowerCase() !== STATED) return undefined;
    if (!this.#isStatedName(node.field, outer)) return undefined;
    const text = node.text.trim().toLowerCase();
    return text === "true" ? true : text === "false" ? false : undefined;
  }

  /** Warns about a value of `stated` that is neither true nor false. */
  #noteStated(node: TextNode, outer: SearchField | undefined): void {
    const { field = "" } = node;
    if (field.toLowerCase() !== STATED || !this.#isStatedName(field, outer)) return;
    const value = "text" in node ? node.text : node.pattern;
    const message = `"${STATED}" is true or false, not "${value}", so nothing is found.`;
    this.notes.warn("QUERY_VALUE_UNKNOWN", message, { value, nearest: ["true", "false"] });
  }

  /** Warns of a value of a field of dates that is not a date. It is compared as text. */
  #noteDate(field: string, value: string, outer: SearchField | undefined): void {
    const meanings = this.fields.find(field, outer)?.meanings ?? [];
    if (meanings.length === 0 || !meanings.every(isDateField)) return;
    if (parseDateOrNow(plainDashes(value), this.now) !== undefined) return;
    const message = `"${value}" is not a date, so it is compared with "${field}" as text. ${DATE_FORMS}`;
    this.notes.warn("QUERY_DATE_INVALID", message, { value, ...similarDates(value) });
  }

  #isStatedName(name: string, outer: SearchField | undefined): boolean {
    return this.fields.find(name, outer)?.meanings.every(({ path }) => path === STATED) === true;
  }

  /** Returns a clause for a stated, or a derived, value of any quantity that may be derived. */
  #hasQuantity(stated: boolean, outer: SearchField | undefined): Clause {
    const isInside = ({ elementPath }: Leaf): boolean =>
      outer === undefined ||
      outer.meanings.some(({ path }) => elementPath === path || elementPath.startsWith(`${path}.`));
    const leaves = this.fields.derivable.filter((leaf) => isStated(leaf) === stated && isInside(leaf));
    return leaves.length === 0 ? NOTHING : { kind: "exists", paths: leafPaths(leaves) };
  }

  /** Resolves the nodes of an AND. Adjacent words may be one word in a text: `delta G` and `deltaG`. */
  #resolveNodes(nodes: readonly QueryNode[], outer?: SearchField): Clause {
    const clauses: Clause[] = [];
    for (let i = 0; i < nodes.length; ) {
      const ways = waysToAttach(nodes, i);
      clauses.push(orClauses(ways.map((way) => andClauses(way.map((of) => this.resolve(of, outer))))));
      i += ways[0].length;
    }
    return andClauses(clauses);
  }

  #resolveText(node: TextNode, outer?: SearchField): Clause {
    if (node.field === undefined) {
      const ids = outer === undefined ? this.#recordIds(node) : [];
      const person = personAnywhere(node, this.fields, outer);
      return orClauses([textClause(node, { in: "text" }), ...this.#aliases(node), ...ids, person]);
    }
    this.#noteStated(node, outer);
    if (node.kind === "text") this.#noteDate(node.field, node.text, outer);
    const textIn = (meaning: Meaning): Clause => this.#textIn(meaning, node, outer);
    if (node.kind !== "text" || node.quoted) return this.#inField(node.field, outer, textIn);
    const bounds = [">=", "<="].map((op) => ({ op: op as RangeBound["op"], text: node.text }));
    const isAmount = (meaning: Meaning): boolean => isQuantity(meaning) && (meaning.isLeaf || this.#hasUnit(node.text));
    return this.#inQuantity(node.field, outer, bounds, textIn, isAmount);
  }

  #aliases(node: TextNode): readonly Clause[] {
    if (node.kind !== "text" || node.quoted) return [];
    const terms = this.fields.findAliases(node.text);
    return terms.map(({ vocabulary, id }) => ({ kind: "cites", vocabularies: [vocabulary], id, within: false }));
  }

  /** Returns clauses for the record, or the records of the parent, with the text as its id. */
  #recordIds(node: TextNode): readonly Clause[] {
    const { recordIds } = this.fields;
    if (recordIds.length === 0 || !("text" in node) || node.kind === "fuzzy") return [];
    const id = parseRecordId(node.text.trim());
    return id === undefined ? [] : [valueClause(recordIds, id)];
  }

  /** Returns whether the text is a number without a unit, or with a known one. Other values of an object are text. */
  #hasUnit(text: string): boolean {
    const unit = parseAmount(text)?.unit;
    return unit === "" || (unit !== undefined && findUnit(this.fields.units, unit) !== undefined);
  }

  /**
   * Resolves bounds in a field to a range of a quantity in the meanings that have one, and else by `otherwise`.
   * @param isAmount returns whether the bounds may be about a quantity of a meaning
   */
  #inQuantity(
    name: string,
    outer: SearchField | undefined,
    bounds: readonly RangeBound[],
    otherwise: (meaning: Meaning) => Clause,
    isAmount: (meaning: Meaning) => boolean = () => true,
  ): Clause {
    const notes: (QuantityNote | undefined)[] = [];
    const clause = this.#inField(name, outer, (meaning) => {
      const quantity = isAmount(meaning) ? quantityClause(meaning, bounds, this.fields.units) : undefined;
      notes.push(quantity?.note);
      return quantity?.clause ?? otherwise(meaning);
    });
    const fields = this.fields.find(name, outer)?.meanings ?? [];
    noteQuantity(this.notes, name, fields, notes, this.fields.units);
    return clause;
  }

  #inField(name: string, outer: SearchField | undefined, makeClause: (meaning: Meaning) => Clause): Clause {
    const meanings = this.fields.find(name, outer)?.meanings ?? [];
    if (outer !== undefined && meanings.some(({ models }) => models !== undefined)) this.#modelsDiffer = true;
    if (meanings.length > 0 && meanings.every(({ leaves }) => leaves.length === 0)) {
      const message = `"${name}" is not part of the field before the brackets, so it finds nothing.`;
      this.notes.warn("QUERY_FIELD_OUTSIDE", message, { value: name });
    }
    const clauses = meanings.map((meaning) => {
      const chosen = this.#chooseStated(meaning);
      return chosen.leaves.length === 0 ? NOTHING : inModels(chosen, makeClause(chosen));
    });
    return orClauses(clauses);
  }

  /** Removes the derived, or the stated, values of a quantity that may be derived, if the query says so. */
  #chooseStated(meaning: Meaning): Meaning {
    if (this.#stated === undefined || meaning.leaves.every(isStated)) return meaning;
    this.#hasApplied = true;
    return { ...meaning, leaves: meaning.leaves.filter((leaf) => isStated(leaf) === this.#stated) };
  }

  #textIn({ leaves, isLeaf }: Meaning, node: TextNode, outer: SearchField | undefined): Clause {
    if (node.kind !== "text") return textClause(node, { in: "paths", paths: leafPaths(leaves) });
    const whole = leaves.filter(({ isWhole, type }) => isWhole && type === "keyword"); // Numbers are compared as such.
    const ids = wholeClause(whole, node.text);
    if (whole.length === leaves.length) return ids;
    const block = node.quoted ? undefined : compoundBlock(node.text);
    const compounds = block === undefined ? [] : leaves.filter(({ kind }) => kind === "inchikey");
    const rest = leaves.filter((leaf) => !compounds.includes(leaf) && !whole.includes(leaf));
    const clauses = isLeaf
      ? [...groupByType(rest)].map(([type, of]) => this.#valueIn(type, leafPaths(of), node))
      : [phraseInLeaves(analyse(node.text), rest)];
    const person = isLeaf ? NOTHING : personIn(node.text, leaves, outer);
    return orClauses([...clauses, phraseInLeaves(block === undefined ? [] : [block], compounds), ids, person]);
  }

  /** Resolves a value of a leaf. A text in quotes is text, except for a date: dates by the service have no words. */
  #valueIn(type: LeafType, paths: readonly string[], node: Node<"text">): Clause {
    const isDate = type === "date" && parseDateOrNow(plainDashes(node.text), this.now) !== undefined;
    const isText = node.quoted && !isDate;
    const ends = isText ? undefined : readValue(node.text, type, this.#nowFor(type, [node.text]));
    return ends === undefined ? textClause(node, { in: "paths", paths }) : { kind: "range", paths, type, ...ends };
  }

  /**
   * Resolves a range. In an object, it applies to the numbers or dates below it if its ends are numbers or dates, else
   * to keywords.
   */
  #rangeIn({ leaves, isLeaf }: Meaning, { field, bounds }: Node<"range">): Clause {
    const texts = bounds.map(({ text }) => text);
    const clauses: Clause[] = [];
    const byKeyword: Clause[] = [];
    for (const [type, of] of groupByType(leaves)) {
      const ends = readBounds(bounds, type, this.#nowFor(type, texts));
      const range: Clause | undefined = ends && { kind: "range", paths: leafPaths(of), type, ...ends };
      if (range !== undefined) (type === "keyword" ? byKeyword : clauses).push(range);
    }
    if (isLeaf || clauses.length === 0) addAll(clauses, byKeyword);
    if (clauses.length > 0) return orClauses(clauses);
    if (isDateField({ leaves, isLeaf })) this.#noteDates(field, texts);
    else {
      const message = `"${texts.join('", "')}" cannot be compared with the values of "${field}"; read as plain words.`;
      this.notes.fallBack("QUERY_RANGE_AS_TEXT", message, { value: texts.join(" ") });
    }
    return andClauses(texts.map((text) => phraseInLeaves(analyse(text), leaves)));
  }

  /** Warns of the ends of a range of dates that are not dates. */
  #noteDates(field: string, ends: readonly string[]): void {
    for (const value of ends.filter((end) => parseDateOrNow(plainDashes(end), this.now) === undefined)) {
      const message = `"${value}" is not a date, so the range of "${field}" was read as plain words. ${DATE_FORMS}`;
      // A range is no end of a range.
      const nearest = similarDates(value).nearest?.filter((near) => !String(near).startsWith("["));
      this.notes.fallBack("QUERY_RANGE_AS_TEXT", message, { value, ...(nearest?.length ? { nearest } : {}) });
    }
  }

  #nowFor(type: LeafType, texts: readonly string[]): number {
    if (type === "date" && texts.some(isRelative)) this.usesNow = true;
    return this.now;
  }

  #resolveCites({ field, id, within }: Node<"cites">, outer?: SearchField): Clause {
    const terms = this.fields.findIds(id);
    if (within && terms.every(({ isFlat }) => isFlat)) {
      const message = `"${id}" belongs to a vocabulary without a hierarchy, so "within" finds only this term.`;
      this.notes.warn("QUERY_WITHIN_FLAT", message, { value: id });
    }
    const cites = (leaves: readonly Leaf[], sites?: readonly string[]): Clause => {
      const ids = new Map<string, string[]>();
      const blocks = new Set<string>();
      for (const term of terms) {
        if (term.block !== undefined) blocks.add(term.block);
        else ids.set(term.id, [...(ids.get(term.id) ?? []), term.vocabulary]);
      }
      const compounds = leaves.filter(({ kind }) => kind === "inchikey");
      return orClauses([
        ...[...ids].map(([to, vocabularies]): Clause => ({ kind: "cites", vocabularies, id: to, sites, within })),
        ...[...blocks].map((block) => phraseInLeaves([block], compounds)),
      ]);
    };
    if (this.fields.isTerms) return cites(this.fields.compounds.filter(({ path }) => path === "id"));
    if (field === undefined) return cites(outer?.meanings.flatMap(({ leaves }) => leaves) ?? this.fields.compounds);
    return this.#inField(field, outer, ({ leaves, sites }) =>
      orClauses([sites.length === 0 ? NOTHING : cites(leaves, sites), wholeClause(leaves.filter(isOfMolecules), id)]),
    );
  }

  /** Resolves a group. If models differ, each has an alternative, because no clause in an element names a model. */
  #resolveGroup(node: Node<"group">, outer?: SearchField): Clause {
    if (outer !== undefined) return this.#elementClause(node, this.fields.find(node.field, outer));
    this.#modelsDiffer = false;
    const clause = this.#elementClause(node, this.fields.find(node.field));
    return this.#modelsDiffer ? this.#elementClause(node, this.fields.findEach(node.field)) : clause;
  }

  #elementClause({ of }: Node<"group">, field: SearchField | undefined): Clause {
    const clauses = (field?.meanings ?? []).map((meaning) => {
      if (!meaning.isElement) return NOTHING;
      const inner = this.resolve(of, { meanings: [meaning] });
      return inModels(meaning, { kind: "element", path: meaning.path, of: inner });
    });
    return orClauses(clauses);
  }
}

function inModels({ models }: Meaning, clause: Clause): Clause {
  if (models === undefined) return clause;
  const place: TextScope = { in: "paths", paths: ["model"] };
  return andClauses([orClauses(models.map((model) => ({ kind: "words", place, words: analyse(model) }))), clause]);
}

const isOfMolecules = ({ isMoleculeId }: Leaf): boolean => isMoleculeId === true;

/** Returns a clause for a whole value at one of some leaves: the text, or for ids of molecules its normal form. */
function wholeClause(leaves: readonly Leaf[], text: string): Clause {
  const ids = leaves.filter(isOfMolecules);
  const others = leaves.filter((leaf) => !isOfMolecules(leaf));
  const clauseAt = (at: readonly Leaf[], value: string): Clause =>
    at.length === 0 ? NOTHING : valueClause(leafPaths(at), value);
  return orClauses([clauseAt(others, text), clauseAt(ids, moleculeId(text) ?? text)]);
}

const isStated = ({ quantity }: Leaf): boolean => quantity?.isDerived !== true;

const leafPaths = (leaves: readonly Leaf[]): readonly string[] => leaves.map((leaf) => leaf.path);

function groupByType(leaves: readonly Leaf[]): ReadonlyMap<LeafType, readonly Leaf[]> {
  const types = new Map<LeafType, readonly Leaf[]>();
  for (const leaf of leaves) types.set(leaf.type, [...(types.get(leaf.type) ?? []), leaf]);
  return types;
}
