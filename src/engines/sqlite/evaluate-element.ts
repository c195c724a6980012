import { ROWS_BETWEEN_CHECKS } from "./deadline.js";
import { ELEMENT_BITS, elementRow, liftElement, numberOf, recordOf, recordsOf, sortedRows } from "./element-sets.js";
import type { Evaluation } from "./evaluate-plan.js";
import { complementOf, type IdSet, intersect, NO_IDS, unite } from "./id-sets.js";
import { allOf, type Match, matchText, notOf, phrase } from "./match.js";
import type { ElementGroup, ElementPlan } from "./plan.js";
import { elementToken } from "./tokens.js";
import { findValues } from "./vals.js";

/** The visible records with an element that fulfils all that the group says, ascending. */
export function recordsWithElement(group: ElementGroup, evaluation: Evaluation): readonly number[] {
  return recordsOf(elementsOf(group, evaluation));
}

/** Rows of the elements themselves, ascending. Like all sets here: of visible records. */
function elementsOf(group: ElementGroup, evaluation: Evaluation): readonly number[] {
  const set = evaluate(group.of, group, evaluation);
  if (!set.complement) return set.ids;
  const there = matchRows(phrase([elementToken(group.path)]), undefined, evaluation);
  return intersect(set, { ids: there, complement: false }).ids;
}

/** The set of a plan among the elements of the group, whatever deeper elements its values stand in. */
function evaluate(plan: ElementPlan, group: ElementGroup, evaluation: Evaluation): IdSet {
  evaluation.deadline.check();
  switch (plan.kind) {
    case "match":
      return plan.matches.map((match) => matched(match, plan.models, group, evaluation)).reduce(unite, NO_IDS);
    case "scan":
      return scan(plan, group, evaluation);
    case "any":
      return plan.of.map((part) => evaluate(part, group, evaluation)).reduce(unite, NO_IDS);
    case "all":
      return evaluateAll(plan.of, group, evaluation);
    case "not":
      return complementOf(evaluate(plan.of, group, evaluation));
    case "element":
      return lifted(elementsOf(plan.group, evaluation), group, evaluation);
  }
}

function evaluateAll(parts: readonly ElementPlan[], group: ElementGroup, evaluation: Evaluation): IdSet {
  let result: IdSet = { ids: [], complement: true };
  for (const part of parts) {
    if (!result.complement && result.ids.length === 0) return NO_IDS;
    result = intersect(result, evaluate(part, group, evaluation));
  }
  return result;
}

/** Most values stand in the group's own elements; only for the others the shape of their record is looked at. */
function matched(match: Match, models: readonly string[] | undefined, group: ElementGroup, ev: Evaluation): IdSet {
  const own = phrase([elementToken(group.path)]);
  const others = notOf(own);
  const here = matchRows(allOf([match, own]), models, ev);
  const deeper = matchRows(others && allOf([match, others]), models, ev);
  return unite({ ids: here, complement: false }, lifted(deeper, group, ev));
}

/** @param match undefined would be one that is too deep for FTS5: alternatives of phrases never are */
function matchRows(match: Match | undefined, models: readonly string[] | undefined, evaluation: Evaluation): number[] {
  if (match === undefined || match.kind === "none") return [];
  const { db, scope, deadline } = evaluation;
  deadline.check();
  const ofModels = models === undefined ? "" : `AND rec.model IN (${models.map(() => "?").join(", ")})`;
  return db
    .sql<number>(
      `SELECT elem.rowid FROM elem CROSS JOIN rec INDEXED BY rec_seen ON rec.id = elem.rowid >> ${ELEMENT_BITS}
        WHERE elem MATCH ? AND ${scope.where} ${ofModels} ORDER BY elem.rowid`,
    )
    .pluck()
    .all(matchText(match), ...scope.params, ...(models ?? []));
}

/** The elements of the group that the rows lie in. */
function lifted(rows: readonly number[], group: ElementGroup, { db, deadline }: Evaluation): IdSet {
  const shapes = db.sql<Buffer>("SELECT shape FROM rec WHERE id = ?").pluck();
  const found: number[] = [];
  let record = 0;
  let shape: Buffer | undefined;
  for (const [i, row] of rows.entries()) {
    if (i % ROWS_BETWEEN_CHECKS === 0) deadline.check();
    if (shape === undefined || recordOf(row) !== record) {
      record = recordOf(row);
      shape = shapes.get(record)!;
    }
    const n = liftElement(shape, numberOf(row), group);
    if (n > 0) found.push(elementRow(record, n));
  }
  return { ids: sortedRows(found), complement: false };
}

/** The elements with a value that fulfils the test. */
function scan(
  { narrow, test }: Extract<ElementPlan, { kind: "scan" }>,
  group: ElementGroup,
  { db, scope, keys, deadline }: Evaluation,
): IdSet {
  if (narrow.kind === "none") return NO_IDS;
  const column = test.text === undefined ? "x''" : "rec.texts";
  const rows = db
    .sql<[number, Buffer, Buffer, Buffer]>(
      `SELECT rec.id, rec.shape, rec.vals, ${column} FROM leaf CROSS JOIN rec ON rec.id = leaf.rowid
        WHERE leaf MATCH ? AND ${scope.where} ORDER BY leaf.rowid`,
    )
    .raw()
    .iterate(matchText(narrow), ...scope.params);
  const found: number[] = [];
  let seen = 0;
  for (const [record, shape, vals, texts] of rows) {
    if (++seen % ROWS_BETWEEN_CHECKS === 0) deadline.check();
    findValues(vals, texts, test, keys.folded, (element) => {
      const n = liftElement(shape, element, group);
      if (n > 0) found.push(elementRow(record, n));
      return false;
    });
  }
  return { ids: sortedRows(found), complement: false };
}
