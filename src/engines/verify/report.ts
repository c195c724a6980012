import { LIMITS } from "../../core/limits.js";
import type { Finding, FindingPlace, OnProgress, Verification } from "../../ports/store-admin.js";
import type { RepairPlan, RepairUnit } from "./repair-plan.js";

/** A disagreement as a check notes it. */
export interface Noted {
  readonly check: string;
  readonly where: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** Checks of more than what is stored. */
const PLACES: Readonly<Record<string, FindingPlace>> = {
  "index.text": "between",
  "index.rows": "between",
  "index.values": "between",
  "index.strays": "between",
  "index.words": "index",
  "index.available": "index",
  "index.records": "between",
  "index.terms": "between",
  "items.text": "between",
  "items.keys": "between",
  "items.lineage": "between",
  "items.saved": "index",
};

/** Texts of findings are cut off: a body or a hash of a million items helps nobody. */
const TEXT_LENGTH_MAX = 200;

/** What is said of progress, at most so often. */
const PROGRESS_MS = 100;

/** What was looked at, counted. */
export type Counted = Pick<Verification, "records" | "terms" | "changes" | "lastChange">;

/**
 * Gathers what the checks of one verification find, and what would repair it.
 * @typeParam Units what the engine can make again
 */
export class Report<Units = object> {
  readonly plan: RepairPlan<Units>;
  readonly #findings: Finding[] = [];
  readonly #counts: Record<string, number> = {};
  readonly #leftOut: string[] = [];
  readonly #notes = new Map<string, number>();
  readonly #onProgress: OnProgress;
  #saidAt = 0;

  /** @param plan empty */
  constructor(plan: RepairPlan<Units>, onProgress: OnProgress) {
    this.plan = plan;
    this.#onProgress = onProgress;
  }

  /** @param unit what has to be made again; absent: it cannot be made again from what is stored */
  add({ check, where, expected, found }: Noted, unit?: RepairUnit<Units>): void {
    this.#counts[check] = (this.#counts[check] ?? 0) + 1;
    if (unit !== undefined) this.rebuild(unit);
    if (this.#findings.length >= LIMITS.findingsMax) return;
    const isMendable = unit !== undefined;
    const place = PLACES[check] ?? "store";
    this.#findings.push({ place, check, where, expected: shown(expected), found: shown(found), isMendable });
  }

  /** Compares, and adds what differs. */
  compare(noted: Noted, unit?: RepairUnit<Units>): void {
    if (noted.expected !== noted.found) this.add(noted, unit);
  }

  /** Plans to make something again. */
  rebuild<Kind extends keyof Units>([kind, name]: readonly [kind: Kind, name: Units[Kind]]): void {
    this.plan[kind].add(name);
  }

  /** Notes a vocabulary that is indexed for another declaration or analysis than that of now. */
  leaveOut(vocabulary: string): void {
    this.#leftOut.push(vocabulary);
  }

  /** Notes something else that is not compared; the same words again are counted. */
  note(text: string): void {
    this.#notes.set(text, (this.#notes.get(text) ?? 0) + 1);
  }

  /** One of the checks begins. */
  begin(check: string): void {
    this.#saidAt = 0;
    this.progress(check, 0);
  }

  progress(what: string, done: number, of = 0): void {
    const now = performance.now();
    if (now - this.#saidAt < PROGRESS_MS) return;
    this.#saidAt = now;
    this.#onProgress({ what, done, of });
  }

  /** The whole of it. */
  summary(counted: Counted): Verification {
    const notes = [...this.#notes].map(([text, times]) => (times === 1 ? text : `${text} (${times} times)`));
    return { ...counted, findings: this.#findings, counts: this.#counts, leftOut: this.#leftOut, notes };
  }
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : Buffer.isBuffer(value) ? `${value.length} bytes` : String(value);
  return text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text;
}
