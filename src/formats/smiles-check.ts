/**
 * Checks that a text is a complete SMILES (OpenSMILES 1.0, http://opensmiles.org/opensmiles.html). The drawing library
 * guesses the meaning of a truncated text, and readers would take the guess for the compound.
 */

const ELEMENTS = new Set(
  (
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr " +
    "Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir " +
    "Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh " +
    "Fl Mc Lv Ts Og b c n o p s as se te *"
  ).split(" "),
);

/** Parts of an atom in brackets: isotope, symbol, chirality, hydrogens, charge, class. */
const CHIRALITY = /@@?|@(?:TH|AL)[12]|@SP[123]|@(?:TB|OH)\d{1,2}/.source;
const BRACKET = new RegExp(
  String.raw`^\[\d{0,3}([A-Z][a-z]?|[a-z]{1,2}|\*)(?:${CHIRALITY})?(?:H\d?)?(?:\+\+?|--?|[+-]\d{1,2})?(?::\d{1,4})?\]$`,
);

const TOKEN = /\[[^[\]]*\]|Br|Cl|[BCNOPSFI]|[bcnops]|\*|%\d\d|%\(\d{1,5}\)|\d|[().]|[-=#$:/\\]/y;

/** Maximum bonds of an atom without brackets. More mean a mistake. Elements with several valences are not checked. */
const VALENCES: Readonly<Record<string, number>> = { B: 3, C: 4, N: 5, O: 2, F: 1 };
const ORDERS: Readonly<Record<string, number>> = { "=": 2, "#": 3, $: 4 };

interface Atom {
  readonly symbol: string;
  readonly isBracket: boolean;
  readonly neighbours: Set<number>;
  /** Sum of the bond orders. */
  order: number;
}

/** An open branch, and the atom to continue from after it. */
interface Branch {
  readonly atom: number;
  readonly at: number;
}

interface RingBond {
  readonly atom: number;
  readonly bond: string;
}

/** Returns what is wrong with a SMILES, to follow the words "its SMILES"; undefined if it is complete and valid. */
export function smilesProblem(smiles: string): string | undefined {
  const reader = new SmilesReader();
  TOKEN.lastIndex = 0;
  for (let at = 0; at < smiles.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(smiles)?.[0];
    const problem = token === undefined ? "cannot be read" : reader.take(token, at);
    if (problem !== undefined) return `its SMILES ${problem} at character ${at + 1}`;
  }
  const problem = reader.end() ?? reader.atomProblem();
  return problem === undefined ? undefined : `its SMILES ${problem}`;
}

class SmilesReader {
  readonly #atoms: Atom[] = [];
  readonly #branches: Branch[] = [];
  readonly #rings = new Map<number, RingBond>();
  /** Index of the atom to which the next atom is bound. */
  #previous: number | undefined;
  /** Bond sign before the next atom, or "" if there is none. */
  #bond = "";
  /** Whether an atom must follow: at the beginning, after a dot and at the beginning of a branch. */
  #needsAtom = true;

  /** Reads one token. @returns what is wrong with it */
  take(token: string, at: number): string | undefined {
    if (token === "(") return this.#open(at);
    if (token === ")") return this.#close();
    if (token === ".") return this.#dot();
    if (/^[-=#$:/\\]$/.test(token)) {
      if (this.#bond !== "" || this.#previous === undefined) return "has a bond without an atom";
      this.#bond = token;
      return undefined;
    }
    return /^[%\d]/.test(token) ? this.#ringBond(Number(token.replace(/\D/g, ""))) : this.#atom(token);
  }

  end(): string | undefined {
    if (this.#branches.length > 0) return `is cut: the bracket at character ${this.#branches[0]!.at + 1} is not closed`;
    if (this.#rings.size > 0) return `is cut: the ring ${[...this.#rings.keys()][0]} is not closed`;
    return this.#bond !== "" || this.#needsAtom ? "is cut: its last character needs an atom after it" : undefined;
  }

  /** Returns what is wrong with an atom after the whole text was read, or undefined. */
  atomProblem(): string | undefined {
    const inRings = this.#ringAtoms();
    for (const [i, { symbol, isBracket, order }] of this.#atoms.entries()) {
      const isAromatic = /^[a-z]/.test(symbol);
      if (isAromatic && !inRings.has(i)) return `has an aromatic atom "${symbol}" that is in no ring`;
      const valence = isBracket ? undefined : VALENCES[symbol];
      if (valence !== undefined && order > valence) return `has an atom "${symbol}" with ${order} bonds`;
    }
    return undefined;
  }

  #atom(token: string): string | undefined {
    const isBracket = token.startsWith("[");
    const symbol = isBracket ? BRACKET.exec(token)?.[1] : token;
    if (symbol === undefined || !ELEMENTS.has(symbol)) return `has "${token.slice(0, 20)}", which is not an atom,`;
    const here = this.#atoms.push({ symbol, isBracket, neighbours: new Set(), order: 0 }) - 1;
    if (this.#previous !== undefined) this.#bind(this.#previous, here, this.#bond);
    this.#previous = here;
    this.#bond = "";
    this.#needsAtom = false;
    return undefined;
  }

  #open(at: number): string | undefined {
    if (this.#previous === undefined || this.#needsAtom || this.#bond !== "") return "has a branch without an atom";
    this.#branches.push({ atom: this.#previous, at });
    this.#needsAtom = true;
    return undefined;
  }

  #close(): string | undefined {
    const branch = this.#branches.pop();
    if (branch === undefined) return "closes a bracket that is not open";
    if (this.#needsAtom || this.#bond !== "") return "has an empty branch";
    this.#previous = branch.atom;
    return undefined;
  }

  #dot(): string | undefined {
    const isBranchStart = this.#needsAtom && this.#previous !== undefined;
    if (this.#bond !== "" || (this.#needsAtom && !isBranchStart)) return "has a dot without an atom";
    this.#previous = undefined;
    this.#needsAtom = true;
    return undefined;
  }

  #ringBond(label: number): string | undefined {
    const here = this.#previous;
    if (here === undefined || this.#needsAtom) return "has a ring without an atom";
    const bond = this.#bond;
    this.#bond = "";
    const opened = this.#rings.get(label);
    if (opened === undefined) {
      this.#rings.set(label, { atom: here, bond });
      return undefined;
    }
    this.#rings.delete(label);
    if (opened.atom === here) return `closes the ring ${label} at the atom where it begins`;
    if (this.#atoms[here]!.neighbours.has(opened.atom)) return "binds two atoms twice";
    const [first, second] = [opened.bond, bond].map((sign) => (/[/\\]/.test(sign) ? "" : sign));
    if (first !== "" && second !== "" && first !== second) return `closes the ring ${label} with another bond`;
    this.#bind(opened.atom, here, first || second || "");
    return undefined;
  }

  #bind(one: number, other: number, sign: string): void {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      this.#atoms[from]!.neighbours.add(to);
      this.#atoms[from]!.order += ORDERS[sign] ?? 1;
    }
  }

  /** Returns the atoms in rings and between rings: removes the ends of chains until none are left. */
  #ringAtoms(): ReadonlySet<number> {
    const degrees = this.#atoms.map(({ neighbours }) => neighbours.size);
    const left = new Set(degrees.keys());
    const ends = [...left].filter((i) => degrees[i]! < 2);
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
      if (!left.delete(end)) continue;
      for (const neighbour of this.#atoms[end]!.neighbours) {
        degrees[neighbour]! -= 1;
        if (degrees[neighbour]! < 2) ends.push(neighbour);
      }
    }
    return left;
  }
}
