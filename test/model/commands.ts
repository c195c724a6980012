/** Random actions as commands of fast-check, and what each does: send, compare, look around. */
import fc from "fast-check";
import { type Action, describeAction } from "../support/life/actions.js";
import { CALLERS, type Caller, type Content, USERS, type Version, type World } from "../support/life/world.js";
import { crash, crashDuring } from "./crash.js";
import type { Play } from "./play.js";

/** @typeParam Real what is asked: the service, or nothing but the model */
export type Command<Real = Play> = fc.AsyncCommand<World, Real>;

/** Asks it for an action. */
export type Perform<Real> = (real: Real, world: World, action: Action) => Promise<void>;

/** Writes of all kinds, most of them by people who may. */
export function writes<Real>(perform: Perform<Real>): fc.Arbitrary<Command<Real>> {
  return fc.oneof(
    { weight: 16, arbitrary: arbitraryAction.map((action) => command(describeAction(action), action, perform)) },
    { weight: 1, arbitrary: fc.tuple(fc.nat(20), fc.boolean()).map((made) => new Repeat(...made, perform)) },
  );
}

/** Ends of the server, between writes and in the middle of one. */
export function crashes(): fc.Arbitrary<Command> {
  const during = fc.tuple(arbitraryAction, fc.nat(20)).map(([action, millis]) => {
    const name = `crashDuring(${describeAction(action)} after ${millis} ms)`;
    return command<Play>(name, action, (play, world, act) => crashDuring(play, world, act, millis));
  });
  return fc.oneof({ weight: 4, arbitrary: during }, { weight: 1, arbitrary: fc.constant(new Crash()) });
}

/** Nothing, so many times for once that there is something. */
function seldom<T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
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
const key = seldom(6, fc.constantFrom("k1", "k2", "k3"));
const ifMatch = seldom(3, fc.constantFrom("right" as const, "right" as const, "bare" as const, "wrong" as const));
const about = { by, at: fc.nat(30) };
const user = fc.constantFrom(...USERS);
const permission = fc.constantFrom("read" as const, "write" as const);
const reason = seldom(1, fc.constantFrom("wrong buffer", "duplicate"));

const arbitraryAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: kind("create", { by, content, model: fc.constantFrom("mst", "mst", "bli"), key }) },
  { weight: 5, arbitrary: kind("replace", { ...about, content, ifMatch }) },
  { weight: 2, arbitrary: kind("deleteDraft", { ...about, ifMatch }) },
  { weight: 9, arbitrary: kind("publish", { ...about, ifMatch, key }) },
  { weight: 5, arbitrary: kind("edit", { ...about, ifMatch, key }) },
  { weight: 5, arbitrary: kind("newVersion", { ...about, ifMatch, key }) },
  { weight: 2, arbitrary: kind("retract", { ...about, ifMatch, reason }) },
  { weight: 4, arbitrary: kind("share", { ...about, user, permission, key }) },
  { weight: 2, arbitrary: kind("unshare", { ...about, user }) },
);

function kind(name: Action["kind"], parts: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Action> {
  return fc.record({ kind: fc.constant(name), ...parts }, PLAIN) as fc.Arbitrary<Action>;
}

function command<Real>(name: string, action: Action, perform: Perform<Real>): Command<Real> {
  return {
    check: ({ versions }) =>
      action.kind === "create" || (isAnywhere(action) ? versions.length > 0 : placesFor(action, versions).length > 0),
    run: (world, real) => perform(real, world, aimed(world, action)),
    toString: () => name,
  };
}

/** One third is asked of any version, the others of one where it can be done. */
const isAnywhere = ({ at }: { readonly at: number }): boolean => at % 3 === 0;

/** The action at a version that there is. Most are asked by the owner: what is refused changes nothing. */
function aimed({ versions }: World, action: Action): Action {
  if (action.kind === "create") return action;
  const among = isAnywhere(action) ? versions : placesFor(action, versions);
  const version = among[among.length - 1 - (action.at % among.length)]!;
  const guest = [...version.shares.keys()][0];
  const others = action.at % 4 === 1 ? (guest ?? action.by) : action.by;
  const by = action.by !== "anonymous" && action.at % 2 === 0 ? version.owner : others;
  const whom = action.kind === "unshare" && !isAnywhere(action) && guest !== undefined ? { user: guest } : {};
  return { ...action, ...whom, at: versions.indexOf(version), by };
}

function placesFor({ kind }: Action, versions: readonly Version[]): Version[] {
  const isOfRecord = kind === "edit" || kind === "newVersion" || kind === "retract";
  return versions.filter(({ draft, record, shares }) => {
    return isOfRecord ? record !== undefined : draft !== undefined && (kind !== "unshare" || shares.size > 0);
  });
}

/** The same request again, with the same Idempotency-Key; or another one with that key. */
class Repeat<Real> implements Command<Real> {
  constructor(
    private readonly n: number,
    private readonly isOther: boolean,
    private readonly perform: Perform<Real>,
  ) {}
  check({ sent }: Readonly<World>): boolean {
    return sent.length > 0;
  }
  async run(world: World, real: Real): Promise<void> {
    const first = world.sent[this.n % world.sent.length]!;
    const { by, key } = first as Extract<Action, { kind: "create" }>;
    await this.perform(real, world, this.isOther ? { ...OTHER, by, key } : first);
  }
  toString(): string {
    return this.isOther ? `another with the key of (${this.n})` : `repeat(${this.n})`;
  }
}

const OTHER = { kind: "create", model: "bli", content: { title: "delta", rights: "open", isValid: true } } as const;

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
