import { NO_UNIT, type UnitProduct } from "./unit-product.js";

/**
 * An expression over named quantities: `-R * temperature * ln(ka * 1 M)`. Plain data that can pass between threads.
 *
 *     sum     = product (("+" | "-") product)*
 *     product = factor (("*" | "/") factor)*
 *     factor  = "-" factor | number unit? | name | constant | function "(" sum ")" | "(" sum ")"
 *
 * `×` and `·` are read as `*`, and `−` as `-`. A unit is one word, directly after its number; the unit `kJ/mol` is
 * written as `1 kJ / 1 mol`.
 */
export interface Expression {
  readonly text: string;
  /** Names of the quantities in it, in their order. */
  readonly names: readonly string[];
  readonly root: ExpressionNode;
}

/** A node of the tree of an expression. */
export type ExpressionNode =
  | { readonly kind: "number"; readonly number: number; readonly unit: UnitProduct }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "+" | "-" | "*" | "/"; readonly left: ExpressionNode; readonly right: ExpressionNode }
  | { readonly kind: "function"; readonly name: FunctionName; readonly of: ExpressionNode };

const FUNCTION_NAMES = ["ln", "log10", "exp"] as const;
/** Name of a function in an expression. */
export type FunctionName = (typeof FUNCTION_NAMES)[number];

/** The result of `parseExpression`. */
export type ParsedExpression =
  | { readonly expression: Expression }
  /** A mistake, described for the author of the catalog. */
  | { readonly mistake: string };

/** Returns a number with a unit in base units, or undefined if the word is not a unit. */
type ReadAmount = (number: number, unit: string) => { number: number; unit: UnitProduct } | undefined;

/** The molar gas constant in J mol^-1 K^-1 (CODATA 2018). */
const GAS_CONSTANT = 8.31446261815324;

/** Constants by name. Their base units are those of the dimensions energy, amount and temperature in `units.yaml`. */
const CONSTANTS: ReadonlyMap<string, ExpressionNode> = new Map([
  [
    "R",
    {
      kind: "number",
      number: GAS_CONSTANT,
      unit: {
        factor: 1,
        powers: new Map([
          ["J", 1],
          ["mol", -1],
          ["K", -1],
        ]),
      },
    },
  ],
]);

const MINUS_ONE: ExpressionNode = { kind: "number", number: -1, unit: NO_UNIT };

/** Parses an expression. */
export function parseExpression(text: string, readAmount: ReadAmount): ParsedExpression {
  try {
    const parser = new Parser(text, readAmount);
    const root = parser.parse();
    return { expression: { text: text.trim(), names: [...parser.names], root } };
  } catch (error) {
    if (error instanceof SyntaxMistake) return { mistake: error.message };
    throw error;
  }
}

/** Ends the parsing of an expression that is not well-formed. */
class SyntaxMistake extends Error {}

const TOKEN = /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)|([\p{L}°][\p{L}\p{N}_°]*)|([-+*/()]))/uy;

interface Token {
  readonly kind: "number" | "word" | "sign" | "end";
  readonly text: string;
}

class Parser {
  readonly names = new Set<string>();
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(
    text: string,
    private readonly readAmount: ReadAmount,
  ) {
    this.#tokens = tokenize(text.replace(/[×·]/gu, "*").replaceAll("−", "-"));
  }

  parse(): ExpressionNode {
    const root = this.#sum();
    const { kind, text } = this.#peek();
    if (kind !== "end") throw new SyntaxMistake(`"${text}" is not expected after a complete expression`);
    return root;
  }

  #sum(): ExpressionNode {
    return this.#chain(["+", "-"], () => this.#chain(["*", "/"], () => this.#factor()));
  }

  /** Parses operands with operators between them, from left to right. */
  #chain(operators: readonly ("+" | "-" | "*" | "/")[], operand: () => ExpressionNode): ExpressionNode {
    let left = operand();
    for (;;) {
      const kind = operators.find((operator) => this.#take(operator));
      if (kind === undefined) return left;
      left = { kind, left, right: operand() };
    }
  }

  #factor(): ExpressionNode {
    if (this.#take("-")) return { kind: "*", left: MINUS_ONE, right: this.#factor() };
    if (this.#take("(")) return this.#closed(this.#sum());
    const { kind, text } = this.#peek();
    if (kind === "end") throw new SyntaxMistake("the expression ends where a number or a name is expected");
    if (kind === "sign") throw new SyntaxMistake(`"${text}" stands where a number or a name is expected`);
    this.#at++;
    return kind === "number" ? this.#number(Number(text)) : this.#word(text);
  }

  #number(number: number): ExpressionNode {
    const { kind, text } = this.#peek();
    if (kind !== "word") return { kind: "number", number, unit: NO_UNIT };
    this.#at++;
    const amount = this.readAmount(number, text);
    if (amount === undefined) throw new SyntaxMistake(`"${text}" is not a unit; factors have a "*" between them`);
    return { kind: "number", ...amount };
  }

  #word(word: string): ExpressionNode {
    if (this.#take("(")) {
      const name = FUNCTION_NAMES.find((each) => each === word);
      if (name === undefined) {
        throw new SyntaxMistake(`there is no function "${word}"; known are ${FUNCTION_NAMES.join(", ")}`);
      }
      return { kind: "function", name, of: this.#closed(this.#sum()) };
    }
    const constant = CONSTANTS.get(word);
    if (constant !== undefined) return constant;
    this.names.add(word);
    return { kind: "name", name: word };
  }

  #closed(node: ExpressionNode): ExpressionNode {
    if (!this.#take(")")) throw new SyntaxMistake('a ")" is missing');
    return node;
  }

  #take(sign: string): boolean {
    const { kind, text } = this.#peek();
    const isNext = kind === "sign" && text === sign;
    if (isNext) this.#at++;
    return isNext;
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: "end", text: "" };
  }
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const token = new RegExp(TOKEN);
  const end = text.trimEnd().length;
  while (token.lastIndex < end) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (match === null) throw new SyntaxMistake(`"${text.slice(at).trim()}" cannot be read`);
    const [, number, word, sign] = match;
    if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else tokens.push({ kind: "sign", text: sign! });
  }
  return tokens;
}
