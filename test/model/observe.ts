/** Everything that can be seen of the world, as requests that each hold one answer against the model. */
import type { RecordShape, SearchBody } from "../support/http-client.js";
import {
  countsOf,
  hitsOf,
  readDraft,
  readLatest,
  readParent,
  readRecord,
  readVersions,
  type Scope,
} from "../support/life/views.js";
import { CALLERS, type Caller, type Shown, USERS, type Version, type World } from "../support/life/world.js";
import { seeded } from "../support/random.js";
import { checkAnswer, expectSame, learnTimes, shownBy } from "./compare.js";
import { clientOf, type Play } from "./play.js";

type Look = (play: Play, world: World) => Promise<void>;

/** How many looks beside those at what was just changed. */
const LOOKS_PER_STEP = 6;
const LOOKS_AT_END = 40;

/** Looks at what an action was about, and here and there at the rest. */
export async function observe(play: Play, world: World, about: Version | undefined): Promise<void> {
  play.steps += 1;
  const looks = [...everyScope(world), ...world.versions.flatMap(everyRead)];
  const chosen = sample(looks, LOOKS_PER_STEP, play.steps);
  const close = about === undefined ? [] : everyRead(about);
  await Promise.all([...close, ...mainScopes(play.steps % 2 === 0), ...chosen].map((look) => look(play, world)));
}

/** Looks nearly everywhere, and at the links of all bodies. */
export async function observeAll(play: Play, world: World): Promise<void> {
  const looks = [...everyScope(world), ...world.versions.flatMap(everyRead)];
  const links = world.versions.map((version) => followLinks(version));
  const chosen = sample(looks, LOOKS_AT_END, play.steps);
  const main = [...mainScopes(true), ...mainScopes(false)];
  await Promise.all([...main, ...chosen, ...links].map((look) => look(play, world)));
}

function sample(looks: readonly Look[], count: number, seed: number): Look[] {
  const random = seeded(seed);
  return Array.from({ length: Math.min(count, looks.length) }, () => random.pick(looks));
}

/** The scopes that nearly every write changes, half of them at a time. */
function mainScopes(withOlder: boolean): Look[] {
  const ofOthers = withOlder ? { allVersions: true } : { shared: true };
  return [search(withOlder ? { allVersions: true } : {}), ...USERS.map((user) => search({ user, ...ofOthers }))];
}

function everyScope(world: World): Look[] {
  const narrowed: Scope[] = [
    {},
    { model: "mst" },
    { model: "bli" },
    { rights: "open" },
    ...world.versions.slice(-3).flatMap(({ draft, record }) => {
      const title = (draft ?? record)?.content.title;
      return title === undefined ? [] : [{ word: title }];
    }),
  ];
  const states: Scope[] = [
    { state: "draft" },
    { state: "published" },
    { isDraft: true },
    { isDraft: false },
    { isPublished: true },
    { isPublished: false },
    { isPublished: true, isDraft: true },
  ];
  const kinds: Scope[] = [{}, { allVersions: true }, { shared: true }];
  const shown = narrowed.flatMap((narrow) => [narrow, { ...narrow, allVersions: true }]);
  const own = USERS.flatMap((user) =>
    kinds.flatMap((kind) => [...narrowed, ...states].map((narrow) => ({ ...narrow, ...kind, user }))),
  );
  const readers = shown.flatMap((scope) => CALLERS.map((caller) => search(scope, caller)));
  return [...readers, ...own.map((scope) => search(scope))];
}

/** One search. @param caller who asks for what is public */
function search(scope: Scope, caller: Caller = scope.user ?? "anonymous"): Look {
  return async (play, world) => {
    const path = pathOf(play, scope);
    const what = `${caller}: GET ${path}`;
    const { status, body, text } = await clientOf(play, caller).get<SearchBody<RecordShape>>(path);
    expectSame(`${what}: ${text.slice(0, 300)}`, status, 200);
    const { hits, total } = body.hits;
    const expected = hitsOf(world, scope);
    expectSame(what, sorted(hits.map((hit) => shownBy(play, hit))), sorted(expected));
    expectSame(`${what}: total`, total, expected.length);
    const keys = hits.map(({ created, id }) => `${created} ${id}`);
    expectSame(`${what}: order`, keys, keys.toSorted().reverse());
    for (const hit of hits) learnTimes(play, world, what, hit);
    expectSame(`${what}: facet`, bucketsOf(body, "access_rights", scope.rights), countsOf(world, scope, "rights"));
    if (scope.user !== undefined) {
      expectSame(`${what}: facet`, bucketsOf(body, "state", scope.state), countsOf(world, scope, "state"));
    }
  };
}

function pathOf({ word }: Play, scope: Scope): string {
  const { model, user, allVersions, shared, rights, state, isDraft, isPublished } = scope;
  const place = model === undefined ? "search/" : `records/${model}/`;
  const words = [...(user === undefined ? [word] : []), ...(scope.word === undefined ? [] : [`title:${scope.word}`])];
  const parameters = {
    ...(words.length === 0 ? {} : { q: words.join(" "), sort: "newest" }),
    ...(allVersions ? { allversions: "true" } : {}),
    ...(shared ? { shared: "true" } : {}),
    ...(rights === undefined ? {} : { access_rights: rights }),
    ...(state === undefined ? {} : { state }),
    ...(isDraft === undefined ? {} : { is_draft: String(isDraft) }),
    ...(isPublished === undefined ? {} : { is_published: String(isPublished) }),
    s: "100",
  };
  return `/api/${user === undefined ? "" : "user/"}${place}?${new URLSearchParams(parameters)}`;
}

/** What a facet counts; a key that filters is listed with 0 too. */
function bucketsOf(
  body: SearchBody<RecordShape>,
  facet: string,
  selected: string | undefined,
): Readonly<Record<string, number>> {
  const buckets = body.aggregations?.[facet]?.buckets ?? [];
  const counted = buckets.filter(({ key, doc_count }) => doc_count > 0 || key !== selected);
  return Object.fromEntries(counted.map(({ key, doc_count }) => [key, doc_count]));
}

const sorted = (all: readonly Shown[]): Shown[] => {
  const keyOf = ({ id, state }: Shown): string => `${id} ${state}`;
  return all.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
};

/** All reads of one id, by everybody. */
function everyRead(version: Version): Look[] {
  const { id, parent, model } = version;
  const draft = `/api/records/${model}/${id}/draft`;
  const drafts = CALLERS.map((caller) => read(caller, draft, () => readDraft(version, caller)));
  const others = [
    read("bob", `/api/records/${model}/${id}`, () => readRecord(version)),
    read("anonymous", `/api/records/${id}`, () => readRecord(version)),
    read("anonymous", `/api/records/${model}/${parent}`, (world) => readParent(world, parent)),
    read("anonymous", `/api/records/${model}/${id}/versions/latest`, (world) => readLatest(world, version)),
    listVersions(version),
    read("alice", `/api/records/${model === "mst" ? "bli" : "mst"}/${id}/draft`, () => NO_DRAFT),
  ];
  return [...drafts, ...others];
}

const NO_DRAFT = { status: 404, code: "DRAFT_NOT_FOUND" } as const;

function read(caller: Caller, path: string, expect: (world: World) => ReturnType<typeof readRecord>): Look {
  return async (play, world) => {
    const client = clientOf(play, caller);
    const expected = expect(world);
    checkAnswer(play, world, `${caller}: GET ${path}`, await client.get(path), expected);
    if (expected.shown === undefined || play.steps % 3 > 0) return;
    const headers = { "if-none-match": `"${expected.shown.revision}"` };
    const again = await client.get(path, { headers });
    expectSame(`${caller}: GET ${path} with its ETag`, again.status, 304);
  };
}

function listVersions(version: Version): Look {
  return async (play, world) => {
    const path = `/api/records/${version.model}/${version.id}/versions`;
    const answer = await play.bindery.client.get<SearchBody<RecordShape>>(path);
    const { hits: expected, ...refusal } = readVersions(world, version);
    checkAnswer(play, world, `GET ${path}`, answer, refusal);
    if (expected === undefined) return;
    const { hits, total } = answer.body.hits;
    const shown = hits.map((hit) => shownBy(play, hit));
    expectSame(`GET ${path}`, { total, hits: shown }, { total: expected.length, hits: expected });
  };
}

/** All links of the bodies of an id lead somewhere, for those who see the body. */
function followLinks({ id, model, owner, draft, record }: Version): Look {
  return async (play) => {
    const bodies: [Caller, string][] = [
      ...(draft ? [[owner, `/api/records/${model}/${id}/draft`] as [Caller, string]] : []),
      ...(record ? [["anonymous", `/api/records/${model}/${id}`] as [Caller, string]] : []),
    ];
    for (const [caller, path] of bodies) {
      const { body } = await clientOf(play, caller).get<RecordShape>(path);
      for (const [name, url] of Object.entries(body.links)) {
        // What is published by a POST has no GET.
        if (name === "publish") continue;
        const { pathname, search: query } = new URL(url!);
        const { status } = await clientOf(play, caller).get(pathname + query);
        if (status >= 400) throw new Error(`${caller}: GET ${path} has the link ${name}, which answers ${status}`);
      }
    }
  };
}
