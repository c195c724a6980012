/** Holds what the service answers against what the model expects. */
import { isDeepStrictEqual } from "node:util";
import type { Answer, Problem, RecordShape } from "../support/http-client.js";
import { at } from "../support/http-client.js";
import type { Expected, FeedEntry, Shown, Tombstone, UserName, World } from "../support/life/world.js";
import { USERS } from "../support/life/world.js";
import { MISSING_FIELD } from "../support/small-record.js";
import { type Play, readChanges } from "./play.js";

/** @throws Error that shows both */
export function expectSame(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  const show = (value: unknown): string => JSON.stringify(value, undefined, 1) ?? "undefined";
  throw new Error(`${what}\n--- answered:\n${show(actual)}\n--- by the model:\n${show(expected)}`);
}

/** What a single resource, or a write of one, answers. */
export function checkAnswer(play: Play, world: World, what: string, answer: Answer<unknown>, expected: Expected): void {
  const problem = answer.body as Problem | undefined;
  const code = answer.status >= 400 ? problem?.code : undefined;
  const said = answer.status >= 400 ? ` ${problem?.message}` : "";
  expectSame(`${what}${said}`, { status: answer.status, code }, { status: expected.status, code: expected.code });
  const { shown, tombstone, target, grant, isRepeat } = expected;
  if (shown !== undefined) {
    const body = answer.body as RecordShape;
    expectSame(what, { etag: answer.headers.etag, ...shownBy(play, body) }, { etag: `"${shown.revision}"`, ...shown });
    if (!isRepeat) learnTimes(play, world, what, body);
    if (answer.status === 201) expectPath(what, answer.headers.location, draftPath(shown));
  }
  if (tombstone !== undefined) checkTombstone(play, what, answer.body, tombstone);
  if (target !== undefined) {
    const version = world.versions.find(({ id }) => id === target)!;
    expectPath(what, answer.headers.location, `/api/records/${version.model}/${target}`);
  }
  if (grant !== undefined) expectSame(what, at(answer.body, "permission"), grant.permission);
}

const draftPath = ({ model, id }: Shown): string => `/api/records/${model}/${id}/draft`;

function expectPath(what: string, url: string | undefined, path: string): void {
  expectSame(`${what}: Location`, url && new URL(url).pathname, path);
}

/** The parts of a body that the model foretells. */
export function shownBy(play: Play, body: RecordShape): Shown {
  const title = String(at(body, `${INFORMATION}.title`));
  const errors = body.errors?.map(({ field }) => field) ?? [];
  return {
    id: body.id,
    parent: body.parent.id,
    model: body.model,
    owner: nameOf(play, body.parent.owner.user),
    state: body.state as Shown["state"],
    isDraft: body.is_draft,
    isPublished: body.is_published,
    index: body.versions.index as number,
    revision: body.revision_id,
    isLatest: body.versions.is_latest as boolean,
    isLatestDraft: body.versions.is_latest_draft as boolean,
    content: {
      title: title.startsWith(`${play.word} `) ? title.slice(play.word.length + 1) : title,
      rights: at(body, `${INFORMATION}.access_rights`) as Shown["content"]["rights"],
      isValid: errors.length === 0 || (isDeepStrictEqual(errors, [MISSING_FIELD]) ? false : (errors.join() as never)),
    },
  };
}

const INFORMATION = "metadata.general_parameters.record_information";

function nameOf({ people }: Play, user: string): UserName {
  return USERS.find((name) => people[name].id === user) ?? (`user ${user}` as UserName);
}

/** Times are not foretold: they are learned once, and stay. A new `created` is greater than all before it. */
export function learnTimes(play: Play, world: World, what: string, { id, state, created, updated }: RecordShape): void {
  const version = world.versions.find((each) => each.id === id);
  const row = state === "draft" ? version?.draft : version?.record;
  if (row === undefined) throw new Error(`${what}: the model has no ${state} row of ${id}.`);
  if (row.created === undefined) {
    if (created <= play.lastCreated) throw new Error(`${what}: created ${created}, after one of ${play.lastCreated}`);
    play.lastCreated = created;
    row.created = created;
  }
  row.updated ??= updated;
  expectSame(`${what}: times`, { created, updated }, { created: row.created, updated: row.updated });
  if (updated < created) throw new Error(`${what}: updated ${updated}, before created ${created}`);
}

function checkTombstone(play: Play, what: string, body: unknown, expected: Tombstone): void {
  const left = at(body, "tombstone") as Record<string, unknown> | undefined;
  const { title, publisher, removal_reason: reason, removed_by: by, created } = left ?? {};
  expectSame(
    `${what}: tombstone`,
    { title, publisher, reason, by, created: expected.created === undefined ? undefined : created },
    {
      title: `${play.word} ${expected.title}`,
      publisher: "MBDB",
      reason: expected.reason,
      by: expected.by && play.people[expected.by].name,
      created: expected.created,
    },
  );
}

/** Reads what the change feed has since the last time; it must be what the model says, in any order. */
export async function checkFeed(play: Play, expected: readonly FeedEntry[]): Promise<void> {
  const { changes, next } = await readChanges(play.bindery.client, play.cursor);
  const entries = changes.map(({ id, action, revision_id }) => ({ id, action, revision: revision_id }));
  expectSame("the change feed", sorted(entries), sorted(expected));
  play.cursor = String(next);
}

function sorted(entries: readonly { readonly id: string; readonly action: string; readonly revision: number }[]) {
  return entries.map(({ id, action, revision }) => `${id} ${action} ${revision}`).sort();
}
