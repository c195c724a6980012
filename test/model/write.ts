import type { Answer, RecordShape } from "../support/http-client.js";
import { type Action, askedOf, describeAction } from "../support/life/actions.js";
import { apply, type Fresh } from "../support/life/rules.js";
import type { Expected, Version, World } from "../support/life/world.js";
import { checkAnswer, checkFeed } from "./compare.js";
import { observe } from "./observe.js";
import { type Play, send } from "./play.js";

/** Does a write in the model only. */
export async function rehearse({ seen }: Pick<Play, "seen">, world: World, action: Action): Promise<void> {
  const id = String(world.versions.length);
  note(seen, action, apply(world, action, { id, parent: `parent of ${id}` }));
}

/** Sends a write, holds the answer against the model, then looks around. */
export async function write(play: Play, world: World, action: Action): Promise<void> {
  const what = nameOf(world, action);
  await checkWrite(play, world, action, { what, answer: await send(play, world, action) });
}

/** Holds the answer to a write against the model, whose world is as it was before it; then looks around. */
export async function checkWrite(
  play: Play,
  world: World,
  action: Action,
  { what, answer }: { readonly what: string; readonly answer: Answer<RecordShape> },
): Promise<void> {
  const expected = apply(world, action, freshOf(answer.body));
  note(play.seen, action, expected);
  checkAnswer(play, world, what, answer, expected);
  await checkFeed(play, expected.feed ?? []);
  await observe(play, world, aboutOf(world, action, expected));
}

/** The request, as a failure shows it. */
export function nameOf(world: World, action: Action): string {
  const { method, path } = askedOf(world, action);
  return `${action.by}: ${method} ${path} for ${describeAction(action)}`;
}

/** Ids of what a write may have made; the model takes them where it says that something was made. */
export function freshOf(body: RecordShape | undefined): Fresh {
  return { id: body?.id ?? "none", parent: body?.parent?.id ?? "none" };
}

function aboutOf({ versions }: World, action: Action, { shown }: Expected): Version | undefined {
  if (action.kind !== "create" && action.kind !== "newVersion") return versions[action.at];
  return versions.find(({ id }) => id === shown?.id);
}

function note(seen: Play["seen"], { kind }: Action, { status, isRepeat }: Expected): void {
  const name = isRepeat ? "repeat" : `${kind} ${status}`;
  seen.set(name, (seen.get(name) ?? 0) + 1);
}
