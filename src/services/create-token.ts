import { OPERATOR, SCOPES } from "../core/actor.js";
import { formatInstant } from "../core/time.js";
import { digestOf, makeToken, TOKEN_BYTES } from "../core/token.js";
import type { Deps } from "./deps.js";
import { badParameter } from "./issues.js";
import type { OperatorServices } from "./services.js";

/** Makes a token of a user's. What it returns is the only time that the token itself is seen. */
export function makeCreateToken({ runWrite, clock, random }: Deps): OperatorServices["createToken"] {
  return async ({ user: userName, name, scopes, expires }) => {
    if (scopes.length === 0) throw badParameter("scope", `A token needs a scope: ${SCOPES.join(", ")}.`, [], SCOPES);
    const unknown = scopes.find((scope) => !SCOPES.includes(scope));
    if (unknown !== undefined) {
      throw badParameter("scope", `A scope is one of ${SCOPES.join(", ")}.`, unknown, SCOPES);
    }
    const end = expires === undefined ? undefined : readExpiry(expires, clock.nowMicros());
    const token = makeToken(random.bytes(TOKEN_BYTES));
    const row = await runWrite({ actor: OPERATOR }, async (tx, note) => {
      const user = await tx.users.findUser(userName);
      if (user === undefined) throw badParameter("user", `There is no user ${userName}; add one first.`, userName);
      const made = await tx.users.addToken({
        user: user.id,
        name: name ?? userName,
        scopes: SCOPES.filter((scope) => scopes.includes(scope)),
        digest: digestOf(token),
        ...(end === undefined ? {} : { expires: formatInstant(end) }),
      });
      await note({ action: "token.create", kind: "token", id: made.id });
      return made;
    });
    return { token, row };
  };
}

const HOUR_MICROS = 3_600_000_000;
const UNITS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24, y: 365 * 24 };
const YEAR_MAX = 9999;

/** `90d`, `12h`, an ISO date (to the end of that day, UTC) or an ISO instant, as microseconds since 1970 UTC. */
function readExpiry(text: string, now: number): number {
  const span = /^(\d{1,6})([hdwy])$/.exec(text);
  const end = span === null ? endOf(text) : now + Number(span[1]) * UNITS[span[2]!]! * HOUR_MICROS;
  if (Number.isNaN(end) || end > Date.UTC(YEAR_MAX, 11, 31) * 1000) {
    throw badParameter("expires", "expires is a span like 90d or 12h, or a date like 2027-01-31.", text);
  }
  if (end <= now) throw badParameter("expires", "expires lies in the past.", text);
  return end;
}

function endOf(text: string): number {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) return Number.NaN;
  const isDay = !text.includes("T");
  const at = Date.parse(text);
  // Date.parse takes 31 February for 3 March.
  if (isDay && !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) !== text) return Number.NaN;
  return at * 1000 + (isDay ? 24 * HOUR_MICROS : 0);
}
