import type { Units } from "../../core/catalog/unit-types.js";
import { LIMITS } from "../../core/limits.js";
import { isNumeric, isQuantity } from "../fields/field-type.js";
import type { Field, FieldLookup } from "../fields/fields.js";
import { readAmount } from "../text/amounts.js";
import { analyse } from "../text/analyse.js";
import { Scanner } from "../text/scan.js";
import { Frame, type Scope } from "./frame.js";
import { Notes } from "./notes.js";
import { type RangeText, readBracketed, readComparison } from "./range-text.js";
import { readMeant, readMeantSpan } from "./read-meant.js";
import { allNodes, countLeaves, EVERYTHING, type QueryNode } from "./tree.js";
import { citesIn, noteBoost, noteUnknownName, noteUnknownUse, textNode, unknownRange, wordNode } from "./word-node.js";

/** A name before a colon. */
const NAME = /[^\s()":\\*?^~[\]{}<>=]+(?=:)/uy;

/** A field, and what says that descendants are meant too. Among terms `within` alone is about the items themselves. */
const WITHIN = /^(.+)\.within$/u;
/** A range without a field. */
const BARE_RANGE = /[[{][^\s\]}]+\s+TO\s[^\]}]+[\]}]/uy;

interface Named {
  readonly name: string;
  readonly field: Field;
}

/** Reads one text, once. No text is refused; `parse.ts` keeps the limits. */
export class Parser {
  readonly notes = new Notes();
  readonly #scanner: Scanner;
  /** The innermost open bracket is the last: no recursion, so no depth is too deep. */
  readonly #frames: Frame[] = [new Frame({})];
  /** Number of leaves of the tree. */
  leaves = 0;

  constructor(
    text: string,
    readonly fields: FieldLookup,
  ) {
    this.#scanner = new Scanner(text);
  }

  parse(): QueryNode {
    const scanner = this.#scanner;
    for (scanner.skipBlanks(); !scanner.isAtEnd && this.leaves <= LIMITS.queryLeavesMax; scanner.skipBlanks()) {
      this.#readNext();
    }
    if (this.#frames.length > 1) {
      this.notes.fallBack("QUERY_BRACKET_CLOSED", "A bracket was never closed; it was closed at the end.");
    }
    while (this.#frames.length > 1) this.#closeFrame();
    return this.#closed(this.#frames[0]!) ?? this.#readNothing();
  }

  /** Where nothing is left, operators are words after all: `AND AND`. */
  #readNothing(): QueryNode {
    const { text } = this.#scanner;
    if (text.trim() === "") return EVERYTHING;
    const words = allNodes([...new Set(analyse(text))].map((word) => ({ kind: "text", text: word, quoted: false })));
    const read =
      words === undefined ? "There is no word in the query, so it finds everything." : "It was read as words.";
    this.notes.fallBack("QUERY_EMPTY", words === undefined ? read : `The query consists only of operators. ${read}`);
    return words ?? EVERYTHING;
  }

  get #frame(): Frame {
    return this.#frames.at(-1)!;
  }

  #readNext(): void {
    const scanner = this.#scanner;
    if (scanner.next === ")") this.#readClosing();
    else if (this.#readOperator()) return;
    else if (scanner.isAtGroup) this.#open(this.#frame.scope);
    else this.#readClause();
  }

  #readClosing(): void {
    const scanner = this.#scanner;
    scanner.at++;
    if (this.#frames.length === 1) {
      this.notes.fallBack("QUERY_BRACKET_DROPPED", 'A ")" has no "(" before it; it was ignored.');
    } else {
      this.#closeFrame();
      this.#readSuffix();
    }
  }

  /** @returns was there an operator, or a sign that looks like one and says nothing? */
  #readOperator(): boolean {
    const scanner = this.#scanner;
    if (!scanner.isAfterBlank) return false;
    const word = scanner.take(/(?:AND|OR|NOT)(?=[\s()"]|$)|&&|\|\|/uy);
    if (word === "NOT") this.#frame.negate();
    else if (word !== undefined) {
      const operator = word === "OR" || word === "||" ? "OR" : "AND";
      if (this.#frame.takeOperator(operator) === "stray") this.#dropOperator(word);
    }
    if (word !== undefined) return true;
    const stray = scanner.take(/[-+!]+(?=[\s)]|$)/uy);
    if (stray !== undefined) {
      this.#dropOperator(stray);
      return true;
    }
    if (this.#frame.scope.field?.meanings.some(isNumeric) && scanner.peek(/-[\d.]/uy) !== undefined) return false;
    const sign = scanner.take(/[-+!](?![-+!])/uy);
    if (sign === undefined) return false;
    if (sign !== "+") this.#frame.negate();
    // Whatever follows is an operand, so that a second sign is text.
    if (scanner.isAtGroup) this.#open(this.#frame.scope);
    else this.#readClause();
    return true;
  }

  #dropOperator(operator: string): void {
    const message = `The operator "${operator}" has nothing to join or to negate; it was ignored.`;
    this.notes.fallBack("QUERY_OPERATOR_DROPPED", message, { value: operator });
  }

  #open(scope: Scope, group?: string): void {
    this.#scanner.at++;
    this.#frames.push(new Frame(scope, group));
  }

  #closeFrame(): void {
    const node = this.#closed(this.#frames.pop()!);
    this.#frame.add(node);
  }

  #closed(frame: Frame): QueryNode | undefined {
    if (frame.dangling !== undefined) this.#dropOperator(frame.dangling);
    return frame.close();
  }

  #add(node: QueryNode | undefined): void {
    this.leaves += node === undefined ? 0 : countLeaves(node);
    this.#frame.add(node);
  }

  #readClause(): void {
    const scanner = this.#scanner;
    const spot = this.#frame.scope;
    const { name, field } = spot;
    if (name === undefined && scanner.peek(BARE_RANGE) !== undefined) {
      this.notes.fallBack(
        "QUERY_RANGE_INVALID",
        'A range belongs to a field ("field:[a TO b]"); it was read as words.',
      );
    }
    if (scanner.next === '"') this.#readQuoted(name);
    else if (name !== undefined && field !== undefined && this.#readCompared({ name, field })) return;
    else if (name === undefined && this.#readMeant()) return;
    else if (scanner.take(/\*:\*(?=[\s)]|$)/uy) !== undefined) this.#add(EVERYTHING);
    else if (!this.#readField()) {
      const word = scanner.readWord();
      const isName = /[^:]:$/u.test(word.text);
      if (isName && scanner.next === "(") noteUnknownUse(word.text.slice(0, -1), '"( )"', this.fields, this.notes);
      if (isName && scanner.next === '"') this.#readQuoted(name, word.text);
      else this.#add(wordNode(word, spot, this.fields, this.notes));
    }
  }

  #readMeant(): boolean {
    const node = readMeant(this.#scanner, (name) => this.#find(name), this.fields.units, this.notes);
    if (node !== undefined) this.#add(node);
    return node !== undefined;
  }

  /** @param before a name that is no field, with its colon: then all of it is one phrase */
  #readQuoted(field: string | undefined, before = ""): void {
    if (before !== "") noteUnknownName(before.slice(0, -1), this.fields, this.notes);
    const { text, isClosed } = this.#scanner.readQuoted();
    if (!isClosed) this.#noteOpenQuote();
    this.#add(textNode(before + text, true, field));
    if (this.#scanner.take(/~\d*/uy) !== undefined) {
      const message = 'Proximity searches ("a b"~5) are not supported; the words were read as a phrase.';
      this.notes.fallBack("QUERY_FUZZY_IGNORED", message);
    }
    this.#readSuffix();
  }

  #noteOpenQuote(): void {
    this.notes.fallBack("QUERY_QUOTE_CLOSED", "A quotation mark was never closed; it was closed at the end.");
  }

  #readSuffix(): void {
    if (this.#scanner.take(/\^\d+(?:\.\d+)?(?=[\s()]|$)/uy) !== undefined) noteBoost(this.notes);
  }

  /** A known name, its colon, and what is said of it. False, and nothing read, where no known name stands here. */
  #readField(): boolean {
    const scanner = this.#scanner;
    const name = scanner.peek(NAME);
    if (name === undefined) return false;
    if (name === "_exists_") return this.#readExists();
    const base = this.fields.isTerms && /^within$/iu.test(name) ? "id" : WITHIN.exec(name)?.[1];
    const named = this.#find(name) ?? (base === undefined ? undefined : this.#find(base));
    if (named === undefined) {
      const words = unknownRange(scanner, name, this.#frame.scope.name, this.fields, this.notes);
      if (words !== undefined) this.#add(allNodes(words));
      return words !== undefined;
    }
    scanner.at += name.length + 1;
    this.#readValue(named, base !== undefined && this.#find(name) === undefined);
    return true;
  }

  #find(name: string): Named | undefined {
    const { name: around, outer } = this.#frame.scope;
    const names = around === undefined ? [name] : [`${around}.${name}`, name];
    for (const candidate of names) {
      const field = this.fields.find(candidate, outer);
      if (field !== undefined) return { name: candidate, field };
    }
    return undefined;
  }

  #readExists(): boolean {
    const scanner = this.#scanner;
    const name = /^[^\s()":]+/u.exec(scanner.text.slice(scanner.at + "_exists_:".length))?.[0]?.replaceAll("\\", "");
    const named = name === undefined ? undefined : this.#find(name);
    if (name === undefined || named === undefined) return false;
    scanner.take(/_exists_:[^\s()":]+/uy);
    this.#add({ kind: "exists", field: named.name });
    return true;
  }

  #readValue({ name, field }: Named, within: boolean): void {
    const scanner = this.#scanner;
    scanner.skipBlanks();
    if (scanner.isAtEnd || scanner.next === ")") {
      const message = `Nothing follows "${name}:"; it was read as plain text.`;
      this.notes.fallBack("QUERY_FIELD_EMPTY", message, { value: name });
      this.#add(textNode(name, false, this.#frame.scope.name));
    } else if (within) this.#readWithin({ name, field });
    else if (scanner.isAtGroup) {
      const isElement = field.meanings.some((meaning) => meaning.isElement);
      const { outer } = this.#frame.scope;
      if (isElement) this.#open({ outer: field }, name);
      else this.#open({ name, field, ...(outer === undefined ? {} : { outer }) });
    } else if (scanner.next === '"') this.#readQuoted(name);
    else if (!this.#readCompared({ name, field })) {
      this.#add(wordNode(scanner.readWord(), { name, field }, this.fields, this.notes));
    }
  }

  /** @returns was there a range, or a number with its unit? */
  #readCompared({ name, field }: Named): boolean {
    const span = readMeantSpan(this.#scanner, { name, field }, this.fields.units, this.notes);
    if (span !== undefined) {
      this.#add(span);
      return true;
    }
    const hasUnits = field.meanings.some(({ leaves }) => leaves.some(({ quantity }) => quantity !== undefined));
    if (this.#readRange(name, hasUnits ? this.fields.units : undefined)) return true;
    const amount = field.meanings.some(isQuantity) ? readAmount(this.#scanner, this.fields.units) : undefined;
    if (amount === undefined) return false;
    this.#add({ kind: "text", field: name, text: amount, quoted: false });
    return true;
  }

  #readWithin({ name, field }: Named): void {
    const scanner = this.#scanner;
    const { text } = scanner.next === '"' ? scanner.readQuoted() : scanner.readWord();
    if (citesIn({ name, field }, this.fields) && this.fields.findIds(text).length > 0) {
      this.#add({ kind: "cites", field: name, id: text, within: true });
    } else {
      const message = `"${name}.within:" requires a known id; "${text}" was read as text of ${name}.`;
      this.notes.fallBack("QUERY_ID_UNKNOWN", message, { value: text });
      this.#add(textNode(text, true, name));
    }
  }

  /** @returns was there a range, or a bracket in place of one? */
  #readRange(field: string, units?: Units): boolean {
    const scanner = this.#scanner;
    if (!/[<>≤≥[{]/u.test(scanner.next)) return false;
    const range = readComparison(scanner, units) ?? readBracketed(scanner);
    if (range === undefined) {
      scanner.at++;
      const text = scanner.take(/[^\s"()\]}]+/uy) ?? "";
      scanner.take(/[\]}]/uy);
      this.notes.fallBack(
        "QUERY_RANGE_INVALID",
        `The form of a range is "[a TO b]"; the bracket after "${field}:" was ignored.`,
      );
      this.#add(textNode(text, false, field));
    } else this.#addRange(field, range);
    return true;
  }

  #addRange(field: string, { bounds, isClosed, isWhole }: RangeText): void {
    if (!isClosed) this.notes.fallBack("QUERY_BRACKET_CLOSED", "A range was never closed; it ends with its last word.");
    if (!isWhole) {
      this.notes.fallBack("QUERY_RANGE_INVALID", `A range of "${field}" has only one end; the other was read as open.`);
    }
    this.#add(bounds.length === 0 ? { kind: "exists", field } : { kind: "range", field, bounds });
  }
}
