import { LIMITS } from "../../core/limits.js";
import type { FieldLookup } from "../fields/field-lookup.js";
import { isNumericField } from "../fields/field-meanings.js";
import { analyse } from "../text/analyse.js";
import type { Span } from "../text/positions.js";
import { plainSigns, Scanner } from "../text/scan.js";
import { readBound } from "./comparison-values.js";
import {
  BracketFrame,
  type BracketScope,
  findField,
  findFieldWithin,
  type NamedField,
  type ParserEnd,
  readOperator,
} from "./frame.js";
import { citesIn, findKnownId, quotedNode, readSpacedNumber, textNode } from "./leaf-nodes.js";
import { Notes, noteBoost, noteReading, noteUnknownName, noteUnknownUse } from "./notes.js";
import { AND_WORD, OR_WORD, readProseComparison } from "./prose-comparisons.js";
import { readFieldComparison } from "./range-node.js";
import { allNodes, countLeaves, EVERYTHING_NODE, type Part, type QueryNode } from "./tree.js";
import { readUnknownRange, wordNode } from "./word-node.js";

/** A name before a colon. */
const NAME = /[^\s()":\\*?^~[\]{}<>=]+(?=:)/uy;

/** A range without a field. */
const BARE_RANGE = /[[{][^\s\]}]+\s+TO\s[^\]}]+[\]}]/uy;
const PROXIMITY_MESSAGE = 'Proximity searches ("a b"~5) are not supported; the words were read as a phrase.';
const BARE_RANGE_MESSAGE = 'A range belongs to a field ("field:[a TO b]"); it was read as words.';

/** Returns whether a comparison is a name and a value with a blank between, whose words may be those of a title. */
const isSpacedValue = (node: QueryNode): boolean => node.kind === "any" && node.of[1]?.kind === "all";

/** Parses one text, once. It refuses no text; `parse.ts` checks the limits. */
export class Parser {
  readonly notes = new Notes();
  readonly #scanner: Scanner;
  /** Whether the text may have a comparison in prose. Every such comparison contains `=`, a number or `now`. */
  readonly #mayCompare: boolean;
  /** Open brackets, the innermost last. There is no recursion, so any depth is possible. */
  readonly #frames: BracketFrame[] = [new BracketFrame({})];
  /** Start of the current clause. */
  #from = 0;
  /** Field of the previous clause, if it is a comparison in the same bracket. */
  #comparedField: string | undefined;
  /** Whether the previous clause is a comparison in prose. */
  #isAfterProse = false;
  /** Parts of the whole text. */
  parts: readonly Part[] = [];
  /** State of the innermost open bracket at the end of the text. */
  end: ParserEnd = { scope: {}, parts: [], groups: [] };
  /** Number of leaves of the tree. */
  leaves = 0;

  constructor(
    text: string,
    readonly fields: FieldLookup,
  ) {
    this.#scanner = new Scanner(plainSigns(text));
    this.#mayCompare = /[\p{N}=]|now/iu.test(this.#scanner.text);
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

  /** Reads a text without operands. Its operators become words: `AND AND`. */
  #readNothing(): QueryNode {
    const { text } = this.#scanner;
    if (text.trim() === "") return EVERYTHING_NODE;
    const words = allNodes([...new Set(analyse(text))].map((word) => ({ kind: "text", text: word, quoted: false })));
    const message =
      words === undefined
        ? "There is no word in the query, so it finds everything."
        : "The query consists only of operators. It was read as words.";
    this.notes.fallBack("QUERY_EMPTY", message);
    const whole = { from: text.search(/\S/u), to: text.trimEnd().length };
    this.notes.place(whole);
    if (words === undefined) return EVERYTHING_NODE;
    this.parts = [{ kind: "clause", node: words, ...whole }];
    return words;
  }

  get #frame(): BracketFrame {
    return this.#frames.at(-1)!;
  }

  /** Returns the span up to the scanner, without blanks at the end. */
  #spanFrom(from: number): Span {
    const { text } = this.#scanner;
    // The scanner may be beyond the end, after a backslash that escapes nothing.
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

  /** Reads an operator, or a sign that looks like one. Returns false if there is none. */
  #readOperator(): boolean {
    if (this.#readOr()) return true;
    // `-50 kJ/mol < dh`
    if (this.#scanner.peek(/-[\d.]/uy) !== undefined && this.#isComparisonAhead(false)) return false;
    const isInNumbers = this.#frame.scope.field?.meanings.some(isNumericField) === true;
    const token = readOperator(this.#scanner, isInNumbers);
    if (token === undefined) return false;
    const isAdded = this.#frame.addOperator(token.operator, this.#spanFrom(this.#from));
    if (!isAdded) this.#noteDropped(token.written);
    // An operand must follow, so a second sign is text.
    if (token.isSign) this.#readOperand();
    return true;
  }

  /** Reads `or` before a comparison in prose as an operator. Before other text it is a word. */
  #readOr(): boolean {
    const scanner = this.#scanner;
    if (scanner.take(OR_WORD) === undefined) return false;
    if (this.#isComparisonAhead(this.#isAfterProse)) {
      this.#frame.addOperator("OR", this.#spanFrom(this.#from));
      return true;
    }
    scanner.at = this.#from;
    return false;
  }

  /** Reads `and` or `with` before a comparison in prose, where it is no word of a text. */
  #readAnd(): void {
    const { at } = this.#scanner;
    const isJoined = this.#scanner.take(AND_WORD) !== undefined && this.#isComparisonAhead(this.#isAfterProse);
    if (!isJoined) this.#scanner.at = at;
  }

  /** Returns whether a comparison in prose follows. @param mayBeWords whether it may be a name and a value: `pH 7` */
  #isComparisonAhead(mayBeWords: boolean): boolean {
    if (!this.#mayCompare || this.#frame.scope.name !== undefined) return false;
    const { at } = this.#scanner;
    const { units } = this.fields;
    const comparedField = this.#comparedField === undefined ? undefined : this.#find(this.#comparedField);
    const isBound = comparedField !== undefined && readBound(this.#scanner, comparedField.field, units) !== undefined;
    const node = isBound
      ? undefined
      : readProseComparison(this.#scanner, (name) => this.#find(name), units, new Notes());
    this.#scanner.at = at;
    return isBound || (node !== undefined && (mayBeWords || !isSpacedValue(node)));
  }

  #noteDropped(value: string): void {
    const message = `The operator "${value}" has nothing to join or to negate; it was ignored.`;
    this.notes.fallBack("QUERY_OPERATOR_DROPPED", message, { value });
  }

  /** Opens a bracket. @param field name before the bracket */
  #open(scope: BracketScope, field?: string, group?: string): void {
    this.#comparedField = undefined;
    const opening = { from: this.#from, bracket: this.#scanner.at++, field };
    this.#frames.push(new BracketFrame(scope, opening, group));
  }

  #closeFrame(): void {
    this.#comparedField = undefined;
    const frame = this.#frames.pop()!;
    this.#dropDangling(frame);
    this.#frame.addGroup(frame, this.#spanFrom(frame.opening!.from).to);
  }

  #dropDangling(frame: BracketFrame): void {
    const dropped = frame.dropDangling();
    if (dropped === undefined) return;
    this.#noteDropped(dropped.operator);
    this.notes.place(dropped.span);
  }

  #add(node: QueryNode | undefined): void {
    this.leaves += node === undefined ? 0 : countLeaves(node);
    this.#comparedField = node?.kind === "range" ? node.field : undefined;
    this.#isAfterProse = false;
    this.#frame.add(node, this.#spanFrom(this.#from));
  }

  #readClause(): void {
    const scanner = this.#scanner;
    const { scope } = this.#frame;
    const { name, field } = scope;
    const comparedField = this.#comparedField;
    if (name === undefined && scanner.peek(BARE_RANGE) !== undefined) {
      this.notes.fallBack("QUERY_RANGE_INVALID", BARE_RANGE_MESSAGE);
    }
    if (scanner.next === '"') this.#readQuoted(name);
    else if (name !== undefined && field !== undefined && this.#readComparison({ name, field }, true)) return;
    else if (name === undefined && comparedField !== undefined && this.#readBareBound(comparedField)) return;
    else if (name === undefined && this.#readProse()) return;
    else if (scanner.take(/\*:\*(?=[\s)]|$)/uy) !== undefined) this.#add(EVERYTHING_NODE);
    else if (!this.#readField()) {
      const word = scanner.readWord();
      const isName = /[^:]:$/u.test(word.text);
      if (isName && scanner.next === "(") noteUnknownUse(word.text.slice(0, -1), '"( )"', this.fields, this.notes);
      if (isName && scanner.next === '"') this.#readQuoted(name, word.text);
      else this.#add(wordNode(word, scope, this.fields, this.notes));
    }
  }

  #readProse(): boolean {
    if (!this.#mayCompare) return false;
    this.#readAnd();
    const node =
      readProseComparison(this.#scanner, (name) => this.#find(name), this.fields.units, this.notes) ??
      readSpacedNumber(this.#scanner, this.fields);
    if (node === undefined) return false;
    this.#add(node);
    this.#isAfterProse = true;
    return true;
  }

  /** Reads a text in quotes. @param prefix unknown name with its colon, which becomes a part of the phrase */
  #readQuoted(field: string | undefined, prefix = ""): void {
    if (prefix !== "") noteUnknownName(prefix.slice(0, -1), this.fields, this.notes);
    const { text, isClosed } = this.#scanner.readQuoted();
    if (!isClosed) this.notes.fallBack("QUERY_QUOTE_CLOSED", "A quotation mark was closed at the end of the query.");
    this.#add(quotedNode(prefix + text, (field === undefined ? undefined : this.#find(field)) ?? {}, this.fields));
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

  /** Reads a known name, its colon and its value. If there is no known name, returns false and reads nothing. */
  #readField(): boolean {
    const scanner = this.#scanner;
    const name = scanner.peek(NAME);
    if (name === undefined) return false;
    if (name === "_exists_") return this.#readExists();
    const named = findFieldWithin(name, this.#frame.scope, this.fields);
    if (named === undefined) {
      const words = readUnknownRange(scanner, name, this.#frame.scope.name, this.fields, this.notes);
      if (words !== undefined) this.#add(allNodes(words));
      return words !== undefined;
    }
    scanner.at += name.length + 1;
    this.#readValue(named, named.within);
    return true;
  }

  #find(name: string): NamedField | undefined {
    return findField(name, this.#frame.scope, this.fields);
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

  #readValue({ name, field }: NamedField, within: boolean): void {
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
      else this.#open({ name, field, outer }, name);
    } else if (scanner.next === '"') this.#readQuoted(name);
    else if (!this.#readComparison({ name, field }, false)) {
      this.#add(wordNode(scanner.readWord(), { name, field }, this.fields, this.notes));
    }
  }

  #readComparison(named: NamedField, isInBracket: boolean): boolean {
    const clause = readFieldComparison(this.#scanner, named, isInBracket, this.fields, this.notes);
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
    noteReading(scanner.text.slice(start, scanner.at), node, this.notes);
    this.#add(node);
    return true;
  }

  #readWithin({ name, field }: NamedField): void {
    const scanner = this.#scanner;
    const { text } = scanner.next === '"' ? scanner.readQuoted() : scanner.readWord();
    const id = findKnownId(text, this.fields);
    if (citesIn({ name, field }, this.fields) && id !== undefined) {
      this.#add({ kind: "cites", field: name, id, within: true });
    } else {
      const message = `"${name}.within:" requires a known id; "${text}" was read as text of ${name}.`;
      this.notes.fallBack("QUERY_ID_UNKNOWN", message, { value: text });
      this.#add(textNode(text, true, name));
    }
  }
}
