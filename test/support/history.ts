/**
 * Checks what several clients did to one record at once. Its revisions say in which order the writes took effect; that
 * order must agree with the clock, and each answer must be true of a moment between its request and itself.
 */

interface Timed {
  /** When the request was sent and when its answer was there, on one clock. */
  readonly from: number;
  readonly to: number;
}

/** An acknowledged write, and the row that it answered with. */
export interface Write extends Timed, Row {
  readonly kind: "replace" | "publish" | "edit";
  /** The revision that its If-Match named. */
  readonly named?: number | undefined;
}

/** An acknowledged write to another version that raised the revision of this record, too: by one, who knows when. */
export interface Turn extends Timed {
  readonly kind: "turn";
}

/** An answer that changed nothing. */
export interface Read extends Timed {
  readonly kind: "read";
  /** What was looked at; `own` is what a search of the owner shows. */
  readonly view: "draft" | "record" | "search" | "own";
  /** Absent: it was not there. */
  readonly row?: Row | undefined;
}

/** A write that was refused because If-Match named another revision than the draft's. */
export interface Refusal extends Timed {
  readonly kind: "refusal";
  readonly named: number;
}

export interface Row {
  readonly revision: number;
  readonly title: string;
}

export type Happening = Write | Turn | Read | Refusal;

interface State {
  readonly draft?: Row | undefined;
  readonly record?: Row | undefined;
}

/** A write in its place: what is there after it. */
interface Step extends Timed {
  readonly state: State;
}

/** All that cannot have been, in words; empty: the history is one of a record that only one client uses at a time. */
export function problemsOf(start: Row, history: readonly Happening[]): string[] {
  const problems: string[] = [];
  const steps = replay(start, history, problems);
  if (problems.length > 0) return problems;
  checkClock(steps, problems);
  checkAnswers(steps, history, problems);
  return problems;
}

/** The states in the order of the revisions; what is missing between them are turns. */
function replay(start: Row, history: readonly Happening[], problems: string[]): Step[] {
  const writes = history.filter((each): each is Write => !["turn", "read", "refusal"].includes(each.kind));
  const turns = history.filter(({ kind }) => kind === "turn");
  const byRevision = new Map<number, Write>();
  for (const write of writes) {
    if (byRevision.has(write.revision)) problems.push(`two writes were acknowledged as revision ${write.revision}`);
    byRevision.set(write.revision, write);
  }
  const last = start.revision + writes.length + turns.length;
  const earliestTurn = Math.min(...turns.map(({ from }) => from));
  const steps: Step[] = [{ from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY, state: { draft: start } }];
  for (let revision = start.revision + 1; revision <= last; revision++) {
    const { state } = steps.at(-1)!;
    const write = byRevision.get(revision);
    if (write === undefined) {
      const raised = (row: Row | undefined): Row | undefined => row && { ...row, revision };
      const turned = { draft: raised(state.draft), record: raised(state.record) };
      steps.push({ from: earliestTurn, to: Number.POSITIVE_INFINITY, state: turned });
    } else {
      steps.push({ from: write.from, to: write.to, state: stateAfter(state, write, problems) });
    }
    byRevision.delete(revision);
  }
  for (const revision of byRevision.keys()) {
    problems.push(`revision ${revision} was acknowledged, but only ${last - start.revision} writes were`);
  }
  return steps;
}

function stateAfter({ draft, record }: State, write: Write, problems: string[]): State {
  const { kind, revision, title, named } = write;
  const what = `the ${kind} that was acknowledged as revision ${revision}`;
  if (named !== undefined && named !== draft?.revision) {
    problems.push(`${what} named revision ${named}, but the draft had ${draft?.revision ?? "ended"}`);
  }
  if (kind === "edit") {
    if (draft !== undefined || record === undefined) problems.push(`${what} opened a draft where none could be opened`);
    else if (record.title !== title) problems.push(`${what} copied "${title}" instead of "${record.title}"`);
    return { draft: { revision, title }, record };
  }
  if (draft === undefined) problems.push(`${what} changed a draft that was not there`);
  if (kind === "replace") return { draft: { revision, title }, record };
  if (draft !== undefined && draft.title !== title) {
    problems.push(`${what} published "${title}" instead of "${draft.title}": a write was lost`);
  }
  return { record: { revision, title } };
}

function checkClock(steps: readonly Step[], problems: string[]): void {
  let latestStart = Number.NEGATIVE_INFINITY;
  for (const [place, { from, to }] of steps.entries()) {
    if (to < latestStart) problems.push(`write ${place} was answered before an earlier one was asked for`);
    latestStart = Math.max(latestStart, from);
  }
}

/** Each read and refusal gets the earliest state that explains it, no earlier than what others saw before it. */
function checkAnswers(steps: readonly Step[], history: readonly Happening[], problems: string[]): void {
  const seen: { readonly to: number; readonly place: number }[] = [];
  const answers = history.filter((each): each is Read | Refusal => each.kind === "read" || each.kind === "refusal");
  for (const answer of answers.toSorted((a, b) => a.from - b.from)) {
    const before = steps.findLastIndex(({ to }) => to < answer.from);
    const first = Math.max(before, ...seen.filter(({ to }) => to < answer.from).map(({ place }) => place));
    const last = steps.findLastIndex(({ from }) => from < answer.to);
    const place = steps.findIndex(({ state }, i) => i >= first && i <= last && explains(state, answer));
    if (place === -1) {
      const possible = steps.slice(first, last + 1).map(({ state }) => describeState(state));
      problems.push(`${describeAnswer(answer)}, when there was ${[...new Set(possible)].join(" or ")}`);
    } else seen.push({ to: answer.to, place });
  }
}

function explains({ draft, record }: State, answer: Read | Refusal): boolean {
  if (answer.kind === "refusal") return draft !== undefined && draft.revision !== answer.named;
  const { view, row } = answer;
  const shown = view === "own" ? (draft ?? record) : view === "draft" ? draft : record;
  return shown?.revision === row?.revision && shown?.title === row?.title;
}

const describeRow = (row: Row | undefined): string => (row === undefined ? "none" : `${row.revision} "${row.title}"`);

const describeState = ({ draft, record }: State): string =>
  `draft ${describeRow(draft)} and record ${describeRow(record)}`;

function describeAnswer(answer: Read | Refusal): string {
  const when = `${answer.from.toFixed(1)} to ${answer.to.toFixed(1)} ms`;
  if (answer.kind === "refusal") return `If-Match ${answer.named} was refused (${when})`;
  return `${answer.view} was ${describeRow(answer.row)} (${when})`;
}
