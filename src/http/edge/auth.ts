import type { FastifyInstance } from "fastify";
import { type Actor, ANONYMOUS } from "../../core/actor.js";
import type { BackgroundReporter } from "../../core/background.js";
import { fail } from "../../core/errors.js";
import type { Services } from "../../services/use-cases.js";
import type { Admit } from "./admission.js";
import "./request-context.js";

/**
 * Authenticates each request once, also on public endpoints: an invalid token is a 401 everywhere. The use of a token
 * is recorded once a day, and no request waits for it. Each request is counted as soon as its caller is authenticated,
 * also if it is refused.
 */
export function addAuthentication(
  app: FastifyInstance,
  services: Services,
  admit: Admit,
  background: BackgroundReporter,
): void {
  const noteUse = makeUseNote(services, background);
  app.decorateRequest("actor");
  app.addHook("onRequest", (request, reply, done) => {
    const go = (refusal?: Error): void => done(admit(request, reply) ?? refusal);
    request.actor = ANONYMOUS;
    const { needsToken, ignoresToken } = request.routeOptions.config;
    const header = request.headers.authorization;
    if (header === undefined || ignoresToken === true) {
      return go(needsToken === true ? fail("TOKEN_MISSING") : undefined);
    }
    // Node keeps the first of several; a proxy may have used another one.
    if (isRepeated(request.raw.rawHeaders)) return go(fail("HEADER_REPEATED", { header: "Authorization" }));
    const token = parseBearer(header);
    if (token === undefined) return go(fail("TOKEN_INVALID", { hint: explainScheme(header) }));
    services.authenticate(token).then((actor) => {
      request.actor = actor;
      noteUse(actor);
      go();
    }, go);
  });
}

/** Returns whether a request has more than one `Authorization`. @param rawHeaders names and values in turn, as sent */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (/^authorization$/i.test(rawHeaders[i]!)) count += 1;
  return count > 1;
}

/** Returns the token after `Bearer `, or undefined for any other header. */
export function parseBearer(header: string): string | undefined {
  return /^bearer +([A-Za-z0-9\-._~+/]{1,512}=*) *$/i.exec(header)?.[1];
}

/** Returns a hint for a header other than `Bearer <token>`. It never contains parts that may be secret. */
function explainScheme(header: string): string {
  const scheme = /^([A-Za-z]{1,20}) +\S/.exec(header)?.[1];
  const isOther = scheme !== undefined && scheme.toLowerCase() !== "bearer";
  const difference = isOther ? `, not "${scheme}"` : "";
  return `Send the token as "Authorization: Bearer <token>"${difference}.`;
}

/** Records the first use of a token on each day (UTC). */
function makeUseNote(services: Services, background: BackgroundReporter): (actor: Actor) => void {
  let day = "";
  let seen = new Set<string>();
  return (actor) => {
    if (actor.kind !== "user") return;
    const today = new Date().toISOString().slice(0, 10);
    if (today !== day) {
      day = today;
      seen = new Set();
    }
    if (seen.has(actor.token)) return;
    seen.add(actor.token);
    services.touchToken(actor.token, today).then(
      () => background.onBackgroundSuccess("token-use"),
      (error: unknown) => background.onBackgroundError("token-use", error),
    );
  };
}
