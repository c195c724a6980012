import { LIMITS } from "../../../core/limits.js";
import type { Finding, FindingPlace, OnProgress, Verification } from "../../../ports/store-admin.js";
import type { Db } from "../connection/database.js";
import { Sqlite } from "../connection/driver.js";
import { isUnreadable } from "../connection/map-error.js";
import { makeRepairPlan, type RepairPlan, type RepairUnit } from "./repair-plan.js";

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
  "items.text": "between",
  "items.keys": "between",
  "items.lineage": "between",
  "items.saved": "index",
};

/** Texts of findings are cut off: a body or a hash of a million items helps nobody. */
const TEXT_LENGTH_MAX = 200;

/** What is said of progress, at most so often. */
const PROGRESS_MS = 100;

/** Gathers what the checks of one verification find, and what would repair it. */
export class Report {
  readonly plan: RepairPlan = makeRepairPlan();
  readonly #findings: Finding[] = [];
  readonly #counts: Record<string, number> = {};
  readonly #notes = new Map<string, number>();
  readonly #onProgress: OnProgress;
  #saidAt = 0;

  constructor(onProgress: OnProgress) {
    this.#onProgress = onProgress;
  }

  /** @param unit what has to be made again; absent: it cannot be made again from what is stored */
  add({ check, where, expected, found }: Noted, unit?: RepairUnit): void {
    this.#counts[check] = (this.#counts[check] ?? 0) + 1;
    if (unit !== undefined) this.rebuild(unit);
    if (this.#findings.length >= LIMITS.findingsMax) return;
    const isMendable = unit !== undefined;
    const place = PLACES[check] ?? "store";
    this.#findings.push({ place, check, where, expected: shown(expected), found: shown(found), isMendable });
  }

  /** Compares, and adds what differs. */
  compare(noted: Noted, unit?: RepairUnit): void {
    if (noted.expected !== noted.found) this.add(noted, unit);
  }

  /** Plans to make something again. */
  rebuild([kind, name]: RepairUnit): void {
    (this.plan[kind] as Set<typeof name>).add(name);
  }

  /** What could not be compared; the same words again are counted. */
  note(text: string): void {
    this.#notes.set(text, (this.#notes.get(text) ?? 0) + 1);
  }

  progress(what: string, done: number, of = 0): void {
    const now = performance.now();
    if (now - this.#saidAt < PROGRESS_MS) return;
    this.#saidAt = now;
    this.#onProgress({ what, done, of });
  }

  /**
   * Runs one check. A part of the file that cannot be read ends it, and is a finding.
   * @returns whether it came to its end
   */
  check(name: string, run: () => void, unit?: RepairUnit): boolean {
    this.#saidAt = 0;
    this.progress(name, 0);
    try {
      run();
      return true;
    } catch (error) {
      if (!(error instanceof Sqlite.SqliteError || isUnreadable(error))) throw error;
      this.add({ check: name, where: "the file", expected: "to be readable", found: error.message }, unit);
      return false;
    }
  }

  /** The whole of it. @param db in the transaction that was verified */
  summary(db: Db, terms: number): Verification {
    const count = (table: string): number => {
      try {
        return db.raw.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
      } catch {
        return 0;
      }
    };
    const notes = [...this.#notes].map(([text, times]) => (times === 1 ? text : `${text} (${times} times)`));
    return {
      records: count("rec"),
      terms,
      changes: count("change"),
      lastChange: db.sql<number | null>("SELECT max(seq) FROM change").pluck().get() ?? 0,
      findings: this.#findings,
      counts: this.#counts,
      notes,
    };
  }
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : Buffer.isBuffer(value) ? `${value.length} bytes` : String(value);
  return text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text;
}
