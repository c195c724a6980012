import { LIMITS } from "../../core/limits.js";
import type { FieldLookup } from "../fields/field-meanings.js";
import { isNumeric } from "../fields/field-type.js";
import { analyse } from "../text/analyse.js";
import { Scanner } from "../text/scan.js";
import { findNamed, findWithin, type Named } from "./find-named.js";
import { Frame, type ParserEnd, type Scope } from "./frame.js";
import { citesIn, knownId, quotedNode, readSpacedNumber, textNode } from "./leaf-nodes.js";
import { plainSigns } from "./look-alikes.js";
import { readBound } from "./meant-values.js";
import { Notes } from "./notes.js";
import { readOperator } from "./operators.js";
import type { Part, Span } from "./parts.js";
import { readCompared } from "./range-node.js";
import { noteMeant, readMeant } from "./read-meant.js";
import { allNodes, countLeaves, EVERYTHING, type QueryNode } from "./tree.js";
import { noteBoost, noteUnknownName, noteUnknownUse, unknownRange, wordNode } from "./word-node.js";

/** A name before a colon. */
const NAME = /[^\s()":\\*?^~[\]{}<>=]+(?=:)/uy;

/** A range without a field. */
const BARE_RANGE = /[[{][^\s\]}]+\s+TO\s[^\]}]+[\]}]/uy;
const PROXIMITY_MESSAGE = 'Proximity searches ("a b"~5) are not supported; the words were read as a phrase.';
const BARE_RANGE_MESSAGE = 'A range belongs to a field ("field:[a TO b]"); it was read as words.';

/** Reads one text, once. No text is refused; `parse.ts` keeps the limits. */
export class Parser {
  readonly notes = new Notes();
  readonly #scanner: Scanner;
  /** The innermost open bracket is the last: no recursion, so no depth is too deep. */
  readonly #frames: Frame[] = [new Frame({})];
  /** Where the clause that is being read begins. */
  #from = 0;
  /** Field of the previous clause, if that is a comparison in the same bracket. */
  #compared: string | undefined;
  /** Parts of the whole text. */
  parts: readonly Part[] = [];
  /** What was open when the text ended. */
  end: ParserEnd = { scope: {}, parts: [], groups: [] };
  /** Number of leaves of the tree. */
  leaves = 0;

  constructor(
    text: string,
    readonly fields: FieldLookup,
  ) {
    this.#scanner = new Scanner(plainSigns(text));
  }

  parse(): QueryNode {
    const scanner = this.#scanner;
    for (scanner.skipBlanks(); !scanner.isAtEnd && this.leaves <= LIMITS.queryLeavesMax; scanner.skipBlanks()) {
      this.#readNext();
    }
    const { scope, parts, opening } = this.#frame;
    this.end = { scope, parts: [...parts], groups: this.#frames.flatMap(({ group }) => group ?? []) };
    if (opening !== undefined) {
      this.notes.fallBack("QUERY_BRACKET_CLOSED", "A bracket was never closed; it was closed at the end.");
      this.notes.place({ from: opening.bracket, to: opening.bracket + 1 });
    }
    while (this.#frames.length > 1) this.#closeFrame();
    const [whole] = this.#frames;
    this.#dropDangling(whole!);
    this.parts = whole!.parts;
    return whole!.close() ?? this.#readNothing();
  }

  /** Where nothing is left, operators are words after all: `AND AND`. */
  #readNothing(): QueryNode {
    const { text } = this.#scanner;
    if (text.trim() === "") return EVERYTHING;
    const words = allNodes([...new Set(analyse(text))].map((word) => ({ kind: "text", text: word, quoted: false })));
    const read =
      words === undefined ? "There is no word in the query, so it finds everything." : "It was read as words.";
    this.notes.fallBack("QUERY_EMPTY", words === undefined ? read : `The query consists only of operators. ${read}`);
    const whole = { from: text.search(/\S/u), to: text.trimEnd().length };
    this.notes.place(whole);
    if (words === undefined) return EVERYTHING;
    this.parts = [{ kind: "clause", node: words, ...whole }];
    return words;
  }

  get #frame(): Frame {
    return this.#frames.at(-1)!;
  }

  /** From here to where the scanner is, without blanks at the end. */
  #spanFrom(from: number): Span {
    const { text } = this.#scanner;
    // A backslash that ends the text escapes nothing.
    let to = Math.min(this.#scanner.at, text.length);
    while (to > from && /\s/u.test(text[to - 1]!)) to--;
    return { from, to };
  }

  #readNext(): void {
    const scanner = this.#scanner;
    const start = scanner.at;
    this.#from = start;
    if (scanner.next === ")") this.#readClosing();
    else if (!this.#readOperator()) this.#readOperand();
    this.notes.place(this.#spanFrom(start));
  }

  #readOperand(): void {
    this.#from = this.#scanner.at;
    if (this.#scanner.isAtGroup) this.#open(this.#frame.scope);
    else this.#readClause();
  }

  #readClosing(): void {
    const scanner = this.#scanner;
    scanner.at++;
    if (this.#frames.length === 1) {
      this.notes.fallBack("QUERY_BRACKET_DROPPED", 'A ")" has no "(" before it; it was ignored.');
      this.#frame.drop(this.#spanFrom(this.#from));
    } else {
      this.#closeFrame();
      this.#readSuffix();
    }
  }

  /** @returns was there an operator, or a sign that looks like one and says nothing? */
  #readOperator(): boolean {
    const isInNumbers = this.#frame.scope.field?.meanings.some(isNumeric) === true;
    const found = readOperator(this.#scanner, isInNumbers);
    if (found === undefined) return false;
    const isStray = this.#frame.takeOperator(found.operator, this.#spanFrom(this.#from)) === "stray";
    if (isStray) this.#noteDropped(found.written);
    // Whatever follows is an operand, so that a second sign is text.
    if (found.isSign) this.#readOperand();
    return true;
  }

  #noteDropped(value: string): void {
    const message = `The operator "${value}" has nothing to join or to negate; it was ignored.`;
    this.notes.fallBack("QUERY_OPERATOR_DROPPED", message, { value });
  }

  /** @param field the name before the bracket */
  #open(scope: Scope, field?: string, group?: string): void {
    this.#compared = undefined;
    const opening = { from: this.#from, bracket: this.#scanner.at++, ...(field === undefined ? {} : { field }) };
    this.#frames.push(new Frame(scope, opening, group));
  }

  #closeFrame(): void {
    this.#compared = undefined;
    const frame = this.#frames.pop()!;
    this.#dropDangling(frame);
    this.#frame.addGroup(frame, this.#spanFrom(frame.opening!.from).to);
  }

  #dropDangling(frame: Frame): void {
    const dropped = frame.dropDangling();
    if (dropped === undefined) return;
    this.#noteDropped(dropped.operator);
    this.notes.place(dropped.span);
  }

  #add(node: QueryNode | undefined): void {
    this.leaves += node === undefined ? 0 : countLeaves(node);
    this.#compared = node?.kind === "range" ? node.field : undefined;
    this.#frame.add(node, this.#spanFrom(this.#from));
  }

  #readClause(): void {
    const scanner = this.#scanner;
    const { scope: spot } = this.#frame;
    const { name, field } = spot;
    const compared = this.#compared;
    if (name === undefined && scanner.peek(BARE_RANGE) !== undefined) {
      this.notes.fallBack("QUERY_RANGE_INVALID", BARE_RANGE_MESSAGE);
    }
    if (scanner.next === '"') this.#readQuoted(name);
    else if (name !== undefined && field !== undefined && this.#readCompared({ name, field }, true)) return;
    else if (name === undefined && compared !== undefined && this.#readBareBound(compared)) return;
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
    const node =
      readMeant(this.#scanner, (name) => this.#find(name), this.fields.units, this.notes) ??
      readSpacedNumber(this.#scanner, this.fields);
    if (node !== undefined) this.#add(node);
    return node !== undefined;
  }

  /** @param before a name that is no field, with its colon: then all of it is one phrase */
  #readQuoted(field: string | undefined, before = ""): void {
    if (before !== "") noteUnknownName(before.slice(0, -1), this.fields, this.notes);
    const { text, isClosed } = this.#scanner.readQuoted();
    if (!isClosed) this.notes.fallBack("QUERY_QUOTE_CLOSED", "A quotation mark was closed at the end of the query.");
    this.#add(quotedNode(before + text, (field === undefined ? undefined : this.#find(field)) ?? {}, this.fields));
    const end = this.#scanner.at;
    if (this.#scanner.take(/~\d*/uy) !== undefined) {
      this.#frame.drop(this.#spanFrom(end));
      this.notes.fallBack("QUERY_FUZZY_IGNORED", PROXIMITY_MESSAGE);
    }
    this.#readSuffix();
  }

  #readSuffix(): void {
    const start = this.#scanner.at;
    if (this.#scanner.take(/\^\d+(?:\.\d+)?(?=[\s()]|$)/uy) === undefined) return;
    this.notes.place(this.#spanFrom(this.#from));
    this.#frame.drop(this.#spanFrom(start));
    noteBoost(this.notes);
    this.notes.place(this.#spanFrom(start));
  }

  /** A known name, its colon, and what is said of it. False, and nothing read, where no known name stands here. */
  #readField(): boolean {
    const scanner = this.#scanner;
    const name = scanner.peek(NAME);
    if (name === undefined) return false;
    if (name === "_exists_") return this.#readExists();
    const named = findWithin(name, this.#frame.scope, this.fields);
    if (named === undefined) {
      const words = unknownRange(scanner, name, this.#frame.scope.name, this.fields, this.notes);
      if (words !== undefined) this.#add(allNodes(words));
      return words !== undefined;
    }
    scanner.at += name.length + 1;
    this.#readValue(named, named.within);
    return true;
  }

  #find(name: string): Named | undefined {
    return findNamed(name, this.#frame.scope, this.fields);
  }

  #readExists(): boolean {
    const scanner = this.#scanner;
    const written = scanner.peek(/_exists_:[^\s()":]+/uy);
    const named = this.#find((written ?? "").slice("_exists_:".length).replaceAll("\\", ""));
    if (written === undefined || named === undefined) return false;
    scanner.at += written.length;
    this.#add({ kind: "exists", field: named.name });
    return true;
  }

  #readValue({ name, field }: Named, within: boolean): void {
    const scanner = this.#scanner;
    scanner.skipBlanks();
    if (scanner.isAtEnd || scanner.next === ")") {
      this.notes.fallBack("QUERY_FIELD_EMPTY", `Nothing follows "${name}:"; it was read as text.`, { value: name });
      this.#add(textNode(name, false, this.#frame.scope.name));
    } else if (within) this.#readWithin({ name, field });
    else if (scanner.isAtGroup) {
      const isElement = field.meanings.some((meaning) => meaning.isElement);
      const { outer } = this.#frame.scope;
      if (isElement) this.#open({ outer: field }, name, name);
      else this.#open({ name, field, ...(outer === undefined ? {} : { outer }) }, name);
    } else if (scanner.next === '"') this.#readQuoted(name);
    else if (!this.#readCompared({ name, field }, false)) {
      this.#add(wordNode(scanner.readWord(), { name, field }, this.fields, this.notes));
    }
  }

  #readCompared(named: Named, isInBracket: boolean): boolean {
    const clause = readCompared(this.#scanner, named, isInBracket, this.fields, this.notes);
    if (clause !== undefined) this.#add(clause.node);
    return clause !== undefined;
  }

  /** Reads a comparison without a name, such as `>1 µM` in `kd:<1 nM OR >1 µM`. It applies to the previous field. */
  #readBareBound(field: string): boolean {
    const scanner = this.#scanner;
    const start = scanner.at;
    const bound = readBound(scanner, this.#find(field)!.field, this.fields.units);
    if (bound === undefined) return false;
    const node = { kind: "range", field, bounds: [bound] } as const;
    noteMeant(scanner.text.slice(start, scanner.at), node, this.notes);
    this.#add(node);
    return true;
  }

  #readWithin({ name, field }: Named): void {
    const scanner = this.#scanner;
    const { text } = scanner.next === '"' ? scanner.readQuoted() : scanner.readWord();
    const id = knownId(text, this.fields);
    if (citesIn({ name, field }, this.fields) && id !== undefined) {
      this.#add({ kind: "cites", field: name, id, within: true });
    } else {
      const message = `"${name}.within:" requires a known id; "${text}" was read as text of ${name}.`;
      this.notes.fallBack("QUERY_ID_UNKNOWN", message, { value: text });
      this.#add(textNode(text, true, name));
    }
  }
}
