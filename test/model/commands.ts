/** Random actions as commands of fast-check, and what each does: send, compare, look around. */
import fc from "fast-check";
import { type Action, describeAction } from "../support/life/actions.js";
import { CALLERS, type Caller, type Content, USERS, type World } from "../support/life/world.js";
import { BUILT } from "./built.js";
import { crash, crashDuring } from "./crash.js";
import type { Play } from "./play.js";
import { write } from "./write.js";

export type Command = fc.AsyncCommand<World, Play>;

/** Writes of all kinds, most of them by people who may. */
export function writes(): fc.Arbitrary<Command> {
  return fc.oneof(
    { weight: 16, arbitrary: arbitraryAction.map((action) => command(describeAction(action), action, write)) },
    { weight: 1, arbitrary: fc.nat(20).map((n) => new Repeat(n)) },
  );
}

/** Ends of the server, between writes and in the middle of one. */
export function crashes(): fc.Arbitrary<Command> {
  const during = fc.tuple(arbitraryAction, fc.nat(25)).map(([action, millis]) => {
    const name = `crashDuring(${describeAction(action)} after ${millis} ms)`;
    return command(name, action, (play, world, act) => crashDuring(play, world, act, millis));
  });
  return fc.oneof({ weight: 3, arbitrary: during }, { weight: 1, arbitrary: fc.constant(new Crash()) });
}

/** Objects like those of JSON.parse: others are equal to none of them. */
const PLAIN = { noNullPrototype: true } as const;

const content: fc.Arbitrary<Content> = fc.record(
  {
    title: fc.constantFrom("alpha", "beta", "gamma"),
    rights: fc.constantFrom("open", "embargoed", "restricted"),
    isValid: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  },
  PLAIN,
);
const by: fc.Arbitrary<Caller> = fc.oneof(
  { weight: 14, arbitrary: fc.constantFrom(...USERS) },
  { weight: 1, arbitrary: fc.constantFrom(...CALLERS) },
);
const key = fc.option(fc.constantFrom("k1", "k2", "k3", "k4"), { nil: undefined, freq: 5 });
const ifMatch = fc.option(fc.constantFrom("right" as const, "bare" as const, "wrong" as const), { nil: undefined });
const about = { by, at: fc.nat(30) };
const user = fc.constantFrom(...USERS);
const permission = fc.constantFrom("read" as const, "write" as const);
const reason = fc.option(fc.constantFrom("wrong buffer", "duplicate"), { nil: undefined });

const arbitraryAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: kind("create", { by, content, model: fc.constantFrom("mst", "mst", "bli"), key }) },
  { weight: 5, arbitrary: kind("replace", { ...about, content, ifMatch }) },
  { weight: 2, arbitrary: kind("deleteDraft", { ...about, ifMatch }) },
  { weight: 7, arbitrary: kind("publish", { ...about, ifMatch, key }) },
  { weight: BUILT.has("life") ? 5 : 0, arbitrary: kind("edit", { ...about, key }) },
  { weight: BUILT.has("life") ? 5 : 0, arbitrary: kind("newVersion", { ...about, key }) },
  { weight: BUILT.has("life") ? 2 : 0, arbitrary: kind("retract", { ...about, ifMatch, reason }) },
  { weight: BUILT.has("shares") ? 3 : 0, arbitrary: kind("share", { ...about, user, permission, key }) },
  { weight: BUILT.has("shares") ? 1 : 0, arbitrary: kind("unshare", { ...about, user }) },
);

function kind(name: Action["kind"], parts: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Action> {
  return fc.record({ kind: fc.constant(name), ...parts }, PLAIN) as fc.Arbitrary<Action>;
}

type Perform = (play: Play, world: World, action: Action) => Promise<void>;

function command(name: string, action: Action, perform: Perform): Command {
  return {
    check: ({ versions }) => action.kind === "create" || versions.length > 0,
    run: (world, play) => perform(play, world, aimed(world, action)),
    toString: () => name,
  };
}

/** The action at a version that there is. The newest ones are chosen as often as the older ones together. */
function aimed({ versions }: World, action: Action): Action {
  if (action.kind === "create") return action;
  const fromEnd = action.at % 2 === 0 ? (action.at / 2) % Math.min(2, versions.length) : action.at % versions.length;
  return { ...action, at: versions.length - 1 - fromEnd };
}

/** The same request again, with the same Idempotency-Key. */
class Repeat implements Command {
  constructor(private readonly n: number) {}
  check({ sent }: Readonly<World>): boolean {
    return sent.length > 0;
  }
  async run(world: World, play: Play): Promise<void> {
    await write(play, world, world.sent[this.n % world.sent.length]!);
  }
  toString(): string {
    return `repeat(${this.n})`;
  }
}

class Crash implements Command {
  check(): boolean {
    return true;
  }
  run(world: World, play: Play): Promise<void> {
    return crash(play, world);
  }
  toString(): string {
    return "crash()";
  }
}
