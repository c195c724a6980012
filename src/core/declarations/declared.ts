import { nearestNames } from "../nearest.js";
import type { Declaration, Place, Problems } from "./declaration.js";

/**
 * Object of a declaration that is read key by key. A key that is missing, of a wrong type or unknown is noted with its
 * line and read as absent, so one start reports all mistakes.
 */
export class DeclaredObject {
  private readonly entries: ReadonlyMap<string, unknown>;

  private constructor(
    private readonly declaration: Declaration,
    private readonly place: Place,
    value: object,
    private readonly problems: Problems,
  ) {
    this.entries = new Map(Object.entries(value));
  }

  /** Returns the object at a place, or undefined with a note if the value there is not an object. */
  static at(declaration: Declaration, place: Place, value: unknown, problems: Problems): DeclaredObject | undefined {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return new DeclaredObject(declaration, place, value, problems);
    }
    problems.add(declaration, place, `${quotedPlace(place)} must be a map of keys to values`);
    return undefined;
  }

  /** Notes every key that is not in the list. */
  allow(known: readonly string[]): void {
    for (const key of this.entries.keys()) {
      if (known.includes(key)) continue;
      const [near] = nearestNames(key, known, 1);
      const cure = near === undefined ? `known are ${known.join(", ")}` : `did you mean "${near}"?`;
      this.note(key, `unknown key "${key}"; ${cure}`);
    }
  }

  has(key: string): boolean {
    return this.entries.get(key) !== undefined && this.entries.get(key) !== null;
  }

  note(key: string | number, reason: string): void {
    this.problems.add(this.declaration, [...this.place, key], reason);
  }

  /** Reads a required text. */
  text(key: string): string {
    if (!this.has(key)) this.note(key, `${quotedPlace([...this.place, key])} is missing`);
    return this.optionalText(key) ?? "";
  }

  optionalText(key: string): string | undefined {
    return this.read(key, "text", (value) => typeof value === "string" && value.trim() !== "");
  }

  flag(key: string, byDefault: boolean): boolean {
    return this.read<boolean>(key, "true or false", (value) => typeof value === "boolean") ?? byDefault;
  }

  wholeNumber(key: string): number {
    if (!this.has(key)) this.note(key, `${quotedPlace([...this.place, key])} is missing`);
    return (
      this.read<number>(key, "a whole number above 0", (value) => Number.isInteger(value) && Number(value) > 0) ?? 1
    );
  }

  number(key: string): number | undefined {
    return this.read<number>(key, "a number", (value) => typeof value === "number" && Number.isFinite(value));
  }

  /** Reads a list of texts without repetitions. */
  texts(key: string): readonly string[] | undefined {
    const list = this.read<readonly string[]>(
      key,
      "a list of texts",
      (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
    );
    for (const repeated of list?.filter((item, i) => list.indexOf(item) !== i) ?? []) {
      this.note(key, `"${repeated}" is there twice`);
    }
    return list;
  }

  /** Reads a text, or a list of texts. */
  textOrTexts(key: string): readonly string[] | undefined {
    if (typeof this.entries.get(key) !== "string") return this.texts(key);
    const text = this.optionalText(key);
    return text === undefined ? undefined : [text];
  }

  /** Reads a map of names to texts. */
  textMap(key: string): ReadonlyMap<string, string> {
    const map = this.object(key);
    const pairs = [...(map?.entries.keys() ?? [])].map((name) => [name, map?.optionalText(name) ?? ""] as const);
    return new Map(pairs);
  }

  object(key: string): DeclaredObject | undefined {
    if (!this.has(key)) return undefined;
    return DeclaredObject.at(this.declaration, [...this.place, key], this.entries.get(key), this.problems);
  }

  /** Reads the objects of a map of names, each with its name. */
  objects(key: string): readonly { readonly name: string; readonly object: DeclaredObject }[] {
    return this.object(key)?.members() ?? [];
  }

  /** Returns the objects in this object, each with its name. */
  members(): readonly { readonly name: string; readonly object: DeclaredObject }[] {
    return [...this.entries].flatMap(([name, value]) => {
      const object = DeclaredObject.at(this.declaration, [...this.place, name], value, this.problems);
      return object === undefined ? [] : [{ name, object }];
    });
  }

  /** Returns the names of all keys, in their order in the file. */
  names(): readonly string[] {
    return [...this.entries.keys()];
  }

  /** Returns a value without checks. */
  raw(key: string): unknown {
    return this.entries.get(key);
  }

  private read<T = string>(key: string, kind: string, fits: (value: unknown) => boolean): T | undefined {
    if (!this.has(key)) return undefined;
    const value = this.entries.get(key);
    if (fits(value)) return value as T;
    this.note(key, `${quotedPlace([...this.place, key])} must be ${kind}`);
    return undefined;
  }
}

function quotedPlace(place: Place): string {
  return place.length === 0 ? "the file" : `"${place.join(".")}"`;
}
