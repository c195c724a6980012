import type { Db } from "./database.js";
import { type Deadline, ROWS_BETWEEN_CHECKS } from "./deadline.js";
import { recordsWithElement } from "./evaluate-element.js";
import { complementOf, type IdSet, intersect, NO_IDS, unite } from "./id-sets.js";
import type { Keys } from "./keys.js";
import { allOf, type Match, matchText } from "./match.js";
import type { ElementGroup, Plan } from "./plan.js";
import type { ScopeSql } from "./scope.js";
import { someValue, type ValueTest } from "./vals.js";

export interface Evaluation {
  readonly db: Db;
  readonly scope: ScopeSql;
  readonly keys: Keys;
  readonly deadline: Deadline;
  /** Answers of groups: the steps of a ranking ask for some again and again. */
  readonly groups: Map<ElementGroup, readonly number[]>;
}

/** The visible rows that a plan finds, ascending. */
export function visibleRows(plan: Plan, evaluation: Evaluation): readonly number[] {
  const set = evaluate(plan, evaluation);
  return set.complement ? intersect(set, { ids: allVisible(evaluation), complement: false }).ids : set.ids;
}

/** The set of a plan. Every set that is not a complement holds visible rows only, so that none is looked at twice. */
function evaluate(plan: Plan, evaluation: Evaluation): IdSet {
  evaluation.deadline.check();
  switch (plan.kind) {
    case "match":
      return matched(plan.match, evaluation);
    case "alternatives":
      return plan.matches.map((match) => matched(match, evaluation)).reduce(unite, NO_IDS);
    case "scan":
      return scan(plan.narrow, [plan.test], evaluation);
    case "element":
      return { ids: groupRows(plan.group, evaluation), complement: false };
    case "rows":
      return { ids: plan.ids, complement: false };
    case "any":
      return plan.of.map((part) => evaluate(part, evaluation)).reduce(unite, NO_IDS);
    case "not":
      return complementOf(evaluate(plan.of, evaluation));
    case "all":
      return evaluateAll(plan.of, evaluation);
  }
}

function groupRows(group: ElementGroup, evaluation: Evaluation): readonly number[] {
  const ids = evaluation.groups.get(group) ?? recordsWithElement(group, evaluation);
  evaluation.groups.set(group, ids);
  return ids;
}

/** Scans come together and only of those rows that the text beside them finds. */
function evaluateAll(parts: readonly Plan[], evaluation: Evaluation): IdSet {
  const scans = parts.filter((part) => part.kind === "scan");
  const matches = parts.flatMap((part) => (part.kind === "match" ? [part.match] : []));
  const narrow = scans.length === 0 ? undefined : allOf([...matches, ...scans.map((part) => part.narrow)]);
  const sets: IdSet[] = [];
  let rest = parts;
  if (narrow !== undefined) {
    const tests = scans.map((part) => part.test);
    sets.push(scan(narrow, tests, evaluation));
    rest = parts.filter((part) => part.kind !== "scan" && part.kind !== "match");
  }
  let result: IdSet = { ids: [], complement: true };
  for (const set of sets) result = intersect(result, set);
  for (const part of rest) {
    if (!result.complement && result.ids.length === 0) return NO_IDS;
    result = intersect(result, evaluate(part, evaluation));
  }
  return result;
}

function matched(match: Match, { db, scope, deadline }: Evaluation): IdSet {
  if (match.kind === "none") return NO_IDS;
  if (match.kind === "every") return { ids: [], complement: true };
  deadline.check();
  const ids = db
    .sql<number>(
      `SELECT leaf.rowid FROM leaf CROSS JOIN rec INDEXED BY rec_seen ON rec.id = leaf.rowid
        WHERE leaf MATCH ? AND ${scope.where} ORDER BY leaf.rowid`,
    )
    .pluck()
    .all(match.text, ...scope.params);
  return { ids, complement: false };
}

function allVisible({ db, scope, deadline }: Evaluation): number[] {
  deadline.check();
  return db
    .sql<number>(`SELECT rec.id FROM rec INDEXED BY ${scope.inOrder} WHERE ${scope.where} ORDER BY rec.id`)
    .pluck()
    .all(...scope.params);
}

/** The visible rows that `narrow` finds and that have, for each test, a value that fulfils it. */
function scan(narrow: Match, tests: readonly ValueTest[], { db, scope, keys, deadline }: Evaluation): IdSet {
  if (narrow.kind === "none") return NO_IDS;
  const column = tests.some((test) => test.text !== undefined) ? "rec.texts" : "x''";
  const rows = db
    .sql<[number, Buffer, Buffer]>(
      `SELECT rec.id, rec.vals, ${column} FROM leaf CROSS JOIN rec ON rec.id = leaf.rowid
        WHERE leaf MATCH ? AND ${scope.where} ORDER BY leaf.rowid`,
    )
    .raw()
    .iterate(matchText(narrow), ...scope.params);
  const ids: number[] = [];
  let seen = 0;
  for (const [id, vals, texts] of rows) {
    if (++seen % ROWS_BETWEEN_CHECKS === 0) deadline.check();
    if (tests.every((test) => someValue(vals, texts, test, keys.folded))) ids.push(id);
  }
  return { ids, complement: false };
}
