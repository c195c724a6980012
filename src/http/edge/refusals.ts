import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Actor, ANONYMOUS } from "../../core/actor.js";
import type { AuditEntry, RefusedRequest } from "../../core/audit-entry.js";
import type { BackgroundReporter } from "../../core/background.js";
import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { BinderyError, ErrorCode } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { printableLine } from "../../core/printing/safe-text.js";
import type { Services } from "../../services/use-cases.js";
import "./request-context.js";
import { parseRecordId } from "../../core/record.js";

const WRITE_INTERVAL_MS = 1_000;

/** Statuses about access or a conflict; errors in the form of a request are not refusals. */
const STATUSES: ReadonlySet<number> = new Set([401, 403, 409, 412, 429]);

/** Errors for missing resources, which may belong to another user. */
const CODES: ReadonlySet<ErrorCode> = new Set(["DRAFT_NOT_FOUND", "RECORD_NOT_FOUND", "TOKEN_NOT_FOUND"]);

/**
 * Records refused requests in the audit log: the user, the route and the id in the path. They are collected in memory,
 * equal ones as one, and written once a second; no request waits for it. When the server closes, the rest is written
 * before it ends.
 */
export function addRefusals(
  app: FastifyInstance,
  services: Pick<Services, "noteRefusals">,
  catalog: Catalog,
  background: BackgroundReporter,
): void {
  const refusalCounts = makeRefusalCounts();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  const write = (): void => {
    timer = undefined;
    const refusals = refusalCounts.take();
    if (refusals.length === 0) return;
    const pendingWrite = services.noteRefusals(refusals).then(
      () => background.onBackgroundSuccess("audit-log"),
      (error: unknown) => {
        background.onBackgroundError("audit-log", error);
        app.log.warn({ refusals }, "These refused requests could not be written to the audit log.");
      },
    );
    writing = Promise.all([writing, pendingWrite]).then(() => undefined);
  };

  app.addHook("onResponse", (request, _reply, done) => {
    const { failure } = request;
    if (failure !== undefined && isRefusal(failure)) {
      refusalCounts.add(makeRefusal(catalog, request, failure));
      timer ??= setTimeout(write, WRITE_INTERVAL_MS).unref();
    }
    done();
  });
  app.addHook("onClose", async () => {
    clearTimeout(timer);
    write();
    await writing;
  });
}

function isRefusal({ status, code }: BinderyError): boolean {
  return STATUSES.has(status) || CODES.has(code);
}

interface PathParameters {
  readonly id?: string;
  readonly vocabulary?: string;
  readonly model?: string;
}

/** Form of ids other than those of records and terms. */
const OTHER_ID = /^[0-9A-Za-z-]{1,64}$/;

/** Returns the id in a path; undefined for other texts, which may be a token or a forged log line. */
function idIn(catalog: Catalog, { id = "", vocabulary, model }: PathParameters = {}): string | undefined {
  if (vocabulary === undefined) {
    return parseRecordId(id) ?? (model === undefined && OTHER_ID.test(id) ? id : undefined);
  }
  const declared = catalog.vocabularies.get(vocabulary);
  const isId = declared !== undefined && id.length <= LIMITS.termIdLengthMax && hasIdForm(declared, id);
  return isId && printableLine(id) === id ? id : undefined;
}

function makeRefusal(catalog: Catalog, request: FastifyRequest, { code, params }: BinderyError): RefusedRequest {
  const { method, routeOptions, actor = ANONYMOUS } = request;
  const id = idIn(catalog, request.params as PathParameters | undefined);
  const entry: AuditEntry = {
    action: "request",
    kind: "path",
    place: `${method} ${routeOptions.url ?? "*"}`,
    id,
    refused: code,
  };
  // The actor whose token is no longer valid.
  return { actor: (params.actor as Actor | undefined) ?? actor, entry };
}

/** Refusals since the last write, each with its number; above a limit only the number of each code. */
function makeRefusalCounts(): { add(refusal: RefusedRequest): void; take(): readonly RefusedRequest[] } {
  let entries = new Map<string, { readonly refusal: RefusedRequest; times: number }>();
  const count = (name: string, refusal: RefusedRequest): boolean => {
    const entry = entries.get(name);
    if (entry !== undefined) entry.times += 1;
    else if (entries.size < LIMITS.refusalsPerSecondMax || refusal.entry.place === REST) {
      entries.set(name, { refusal, times: 1 });
    } else return false;
    return true;
  };
  return {
    add(refusal) {
      const { actor, entry } = refusal;
      const caller = actor.kind === "user" ? actor.token : actor.kind;
      if (count([caller, entry.refused, entry.place, entry.id ?? ""].join("\n"), refusal)) return;
      const { refused } = entry;
      const rest: AuditEntry = { action: "request", kind: "path", place: REST, ...(refused && { refused }) };
      count(`${REST} ${refused}`, { actor: ANONYMOUS, entry: rest });
    },
    take() {
      const refusals = [...entries.values()].map(({ refusal: { actor, entry }, times }) => ({
        actor,
        entry: times === 1 ? entry : { ...entry, times },
      }));
      entries = new Map();
      return refusals;
    },
  };
}

/** Placeholder for any method and route. */
const REST = "*";
