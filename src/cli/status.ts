import type { Command } from "commander";
import { readVersion } from "../app/composition/package-root.js";
import { type FoundServer, findDataServer } from "../app/composition/store-files.js";
import { describeDataPlace, isShared, publicUrlOf } from "../config/derived.js";
import type { Config } from "../config/schema.js";
import { WARNED_TASKS } from "../core/background.js";
import type { IndexStatus, StoreStatus } from "../services/api/admin.js";
import { type CommandContext, withReader } from "./operator.js";
import { formatBytes, formatCount, formatNumber, formatTable, writeJson, writeOut } from "./output.js";

/** Content of the status report. */
interface Status {
  readonly config: Config;
  readonly store: StoreStatus;
  /** Names of models and vocabularies that the catalog lacks. */
  readonly unserved: { readonly models: ReadonlySet<string>; readonly vocabularies: ReadonlySet<string> };
  readonly indexes: readonly IndexStatus[];
  readonly staleTerms: number;
  readonly server: ServerStatus;
}

/** A service on the store, and its answer. `state` is absent for a database, because it has no list of services. */
interface ServerStatus {
  readonly state?: FoundServer["state"];
  readonly since?: string;
  readonly host?: string | undefined;
  readonly pid?: number;
  readonly url?: string | undefined;
  readonly answer?: ServiceAnswer;
}

/** Adds `bindery status [--json]`. */
export function addStatusCommand(program: Command, context: CommandContext): void {
  program
    .command("status")
    .description("show the content and size of the store, and the state of its service and search index")
    .option("--json", "print JSON", false)
    .action(async ({ json }: { json: boolean }) => {
      const config = context.config();
      const stored = await withReader(context, async (services) => {
        const { models, vocabularies } = await services.findUnserved();
        return {
          store: await services.readStatus(),
          unserved: { models: nameSet(models), vocabularies: nameSet(vocabularies) },
          indexes: await services.listIndexes(),
          staleTerms: await services.countStaleTerms(),
        };
      });
      const status: Status = { config, ...stored, server: await askServer(config) };
      if (json) return writeJson(jsonOf(status));
      writeOut(statusLines(status));
    });
}

const nameSet = (some: readonly { readonly name: string }[]): ReadonlySet<string> =>
  new Set(some.map(({ name }) => name));

/** Asks the server that has marked the data folder or, for a database, the server at the address of the settings. */
async function askServer(config: Config): Promise<ServerStatus> {
  if (isShared(config)) {
    if (config.port === 0) return {};
    const url = publicUrlOf({ ...config, publicUrl: "" }, config.port);
    return { url, answer: await askReady(url) };
  }
  const server = await findDataServer(config);
  if (server.state !== "runs" || server.url === undefined) return server;
  return { ...server, answer: await askReady(server.url) };
}

function jsonOf({ config, store, unserved, indexes, staleTerms, server }: Status): unknown {
  const { lastBackup: backup } = store;
  return {
    version: readVersion(),
    data: describeDataPlace(config),
    service: serviceOf(server),
    store: {
      schema: store.schema,
      analysis: store.analysis,
      bytes: store.bytes,
      log_bytes: store.logBytes,
      disk_free_bytes: store.diskFreeBytes,
    },
    last_change: store.lastChange,
    last_backup: backup && {
      time: backup.time,
      file: backup.file,
      bytes: backup.bytes,
      last_change: backup.lastChange,
    },
    models: store.models.map(({ name, published, olderVersions, drafts }) => ({
      name,
      published,
      older_versions: olderVersions,
      drafts,
      is_served: !unserved.models.has(name),
    })),
    vocabularies: store.vocabularies.map((each) => ({ ...each, is_served: !unserved.vocabularies.has(each.name) })),
    largest_users: store.largestUsers,
    indexes,
    stale_terms: staleTerms,
  };
}

function serviceOf({ answer, ...server }: ServerStatus): unknown {
  return answer === undefined ? server : { ...server, says: answer.says, ready: answer.ready };
}

function statusLines(status: Status): readonly string[] {
  const { config, store, unserved, indexes, staleTerms, server } = status;
  const label = (name: string, unservedNames: ReadonlySet<string>): string =>
    unservedNames.has(name) ? `${name} (not in the catalog)` : name;
  const models = store.models.map(({ name, published, olderVersions, drafts }) => [
    label(name, unserved.models),
    formatNumber(published),
    formatNumber(olderVersions),
    formatNumber(drafts),
  ]);
  const terms = store.vocabularies.map((each) => [label(each.name, unserved.vocabularies), formatNumber(each.terms)]);
  return [
    `Bindery ${readVersion()}, data: ${describeDataPlace(config)}`,
    ...describeServer(server),
    ...describeStore(store, isShared(config)),
    ...indexes.map(describeIndex),
    ...(staleTerms === 0 ? [] : [`${formatCount(staleTerms, "term")} changed; their records are not updated yet.`]),
    "",
    ...formatTable([["Model", "Published", "Older versions", "Drafts"], ...models]),
    "",
    ...formatTable([["Vocabulary", "Terms"], ...terms]),
    ...describeUsers(store.largestUsers),
  ];
}

function describeServer({ state, since, host, pid, url, answer }: ServerStatus): readonly string[] {
  const began = since === undefined || since === "" ? "" : ` since ${since}`;
  if (state === "none") return ["Service: none runs on this data folder."];
  if (state === "ended early") {
    return ["Service: none runs, and the last one did not shut down cleanly; the next start checks the database."];
  }
  if (state === "unknown") {
    const where = host === undefined ? "" : `; it was started on ${host}`;
    return [`Service: one may run${began}, which cannot be seen from here${where}.`];
  }
  if (url === undefined) return [state === "runs" ? `Service: one is starting${began}, process ${pid}.` : NO_ADDRESS];
  const process = pid === undefined ? "" : `, process ${pid}${began}`;
  return [`Service: ${url}${process}: ${answer?.says ?? "not asked"}`, ...(answer?.problems ?? [])];
}

const NO_ADDRESS = "Service: not asked, because BINDERY_PORT is 0.";

function describeStore(store: StoreStatus, isDatabase: boolean): readonly string[] {
  const { bytes, logBytes, diskFreeBytes, schema, analysis, lastChange, lastBackup } = store;
  const log = logBytes === undefined ? "" : `, its log ${formatBytes(logBytes)}`;
  const free = diskFreeBytes === undefined ? "" : `; ${formatBytes(diskFreeBytes)} are free on the disk`;
  const texts = analysis === undefined ? "" : `, analysis of texts version ${analysis}`;
  const backup =
    lastBackup === undefined
      ? "none is known"
      : `${lastBackup.time}, up to change ${lastBackup.lastChange}: ${lastBackup.file}`;
  return [
    `Size: the database ${formatBytes(bytes)}${log}${free}`,
    `Tables: version ${schema}${texts}`,
    `Last change: ${lastChange === undefined ? "there was none" : `${lastChange.seq}, ${lastChange.time}`}`,
    ...describeFuture(lastChange),
    ...(isDatabase ? [] : [`Last backup: ${backup}`]),
  ];
}

/** Tolerance for the difference between the clocks of two machines, in milliseconds. */
const FUTURE_MS = 60_000;

function describeFuture(lastChange: StoreStatus["lastChange"]): readonly string[] {
  const ahead = lastChange === undefined ? 0 : Date.parse(lastChange.time) - Date.now();
  if (ahead <= FUTURE_MS) return [];
  const hours = (ahead / 3_600_000).toFixed(1);
  return [`Warning: the last change is dated ${hours} h ahead of the clock; see docs/operating.md, "A wrong clock".`];
}

/** Formats the users with the largest drafts, who reach BINDERY_DRAFT_MB_PER_USER and BINDERY_DRAFTS_PER_USER first. */
function describeUsers(users: StoreStatus["largestUsers"]): readonly string[] {
  if (users.length === 0) return [];
  const rows = users.map(({ user, drafts, bytes }) => [user, formatNumber(drafts), formatBytes(bytes)]);
  return ["", ...formatTable([["Largest users", "Drafts", "Size of drafts"], ...rows])];
}

function describeIndex(index: IndexStatus): string {
  const { name, isCurrent, isFilling, behindChanges, behindSeconds, refused, fedFrom } = index;
  const use = isCurrent ? "used by searches" : isFilling ? "being built" : "not used";
  const behind =
    behindChanges === 0 ? "level" : `behind by ${formatCount(behindChanges, "change")}, ${behindSeconds.toFixed(1)} s`;
  const refusals = refused === 0 ? "" : `; refuses ${formatCount(refused, "document")}, see index_failure`;
  const fed = fedFrom === null ? "fed by no service" : `fed from ${fedFrom}`;
  return `Index: ${name}: ${use}, ${behind}, ${fed}${refusals}`;
}

/** Limit for the answer of a service. */
const ANSWER_MS = 3_000;

/** The answer of a service about its state. */
interface ServiceAnswer {
  /** One line: `ready`, or the reason why the service is not ready. */
  readonly says: string;
  /** Problems for the operator, one line each. */
  readonly problems: readonly string[];
  /** Body of `/readyz`; absent if there was no answer. */
  readonly ready?: unknown;
}

/** Members of the body of `/readyz`, or of an error, that are used here. */
interface ReadyBody {
  readonly status?: unknown;
  readonly message?: string;
  readonly warning?: string;
  readonly index?: { readonly warning?: string };
  readonly integrity_check?: { readonly state: string };
  readonly background_errors?: readonly { readonly task: string; readonly message: string; readonly times: number }[];
}

/** Asks a service for its state. @param url URL of its root, without a final slash */
async function askReady(url: string): Promise<ServiceAnswer> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const ready = (await response.json()) as ReadyBody;
    return {
      says: response.ok ? "ready" : `not ready: ${ready.message ?? response.status}`,
      ...listProblems(ready),
      ready,
    };
  } catch {
    return { says: `does not answer at ${url}/readyz`, problems: [] };
  }
}

function listProblems({ warning, index, integrity_check: check, background_errors: errors = [] }: ReadyBody) {
  // The warning already contains the errors of these tasks.
  const otherErrors = errors.filter(
    ({ task }) => warning === undefined || (task !== "writes" && !WARNED_TASKS.has(task)),
  );
  const failures = otherErrors.map(
    ({ task, message, times }) => `Background work fails: ${task} (${times}): ${message}`,
  );
  const warnings = [warning, index?.warning].filter((each) => each !== undefined);
  const checkLines = check?.state === "running" ? ["The database is being checked."] : [];
  return { problems: [...warnings, ...checkLines, ...failures] };
}
