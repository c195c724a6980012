/** The server ends without a warning, and starts again on what it left. */
import { setTimeout as sleep } from "node:timers/promises";
import type { RecordShape, SearchBody } from "../support/http-client.js";
import type { Action } from "../support/life/actions.js";
import { apply, type Fresh } from "../support/life/rules.js";
import { copyOf, USERS, type World } from "../support/life/world.js";
import { checkFeed } from "./compare.js";
import { observeAll } from "./observe.js";
import { clientOf, type Play, send } from "./play.js";
import { checkWrite, freshOf, nameOf, write } from "./write.js";

/** Nothing is lost and nothing is new after it. */
export async function crash(play: Play, world: World): Promise<void> {
  await play.kill();
  await play.bindery.restart();
  count(play, "crash");
  await checkFeed(play, []);
  await observeAll(play, world);
}

/**
 * Ends the server so many milliseconds after a write was sent. A write that was not answered happened whole or not at
 * all: the model takes over which. With an Idempotency-Key it is sent again then, and has happened once.
 */
export async function crashDuring(play: Play, world: World, action: Action, millis: number): Promise<void> {
  const what = `${nameOf(world, action)}, killed after ${millis} ms`;
  const answered = send(play, world, action).catch(() => undefined);
  await sleep(millis);
  await play.kill();
  const answer = await answered;
  await play.bindery.restart();
  if (answer !== undefined) {
    count(play, "crash after the answer");
    return checkWrite(play, world, action, { what, answer });
  }
  const fresh = await findUnknown(play, world);
  const after = copyOf(world);
  const { feed = [] } = apply(after, action, fresh);
  const hasHappened = await problemWith(play, after, feed);
  if (hasHappened === undefined) {
    apply(world, action, fresh);
    count(play, "crash after the write");
  } else {
    const hasNot = await problemWith(play, copyOf(world), []);
    if (hasNot !== undefined) throw new Error(`${what}: neither done nor not done.\n${hasHappened}\n${hasNot}`);
    count(play, "crash before the write");
  }
  await checkFeed(play, hasHappened === undefined ? feed : []);
  await observeAll(play, world);
  if ("key" in action && action.key !== undefined) await write(play, world, action);
}

/** Why the service does not look like this world; undefined where it does. */
async function problemWith(
  play: Play,
  world: World,
  feed: Parameters<typeof checkFeed>[1],
): Promise<string | undefined> {
  // What is learned while trying counts for nothing.
  const trial = { ...play };
  try {
    await checkFeed(trial, feed);
    await observeAll(trial, world);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Ids of what the service has and the model does not know. */
async function findUnknown(play: Play, { versions }: World): Promise<Fresh> {
  const known = new Set(versions.map(({ id }) => id));
  for (const user of USERS) {
    const { body } = await clientOf(play, user).get<SearchBody<RecordShape>>(
      "/api/user/search/?allversions=true&s=100",
    );
    const unknown = body.hits.hits.find(({ id }) => !known.has(id));
    if (unknown !== undefined) return freshOf(unknown);
  }
  return freshOf(undefined);
}

function count({ seen }: Play, name: string): void {
  seen.set(name, (seen.get(name) ?? 0) + 1);
}
