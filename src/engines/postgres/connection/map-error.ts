import { DatabaseError } from "pg";
import { BinderyError, fail } from "../../../core/errors.js";
import type { RetryReason } from "../../../ports/engine.js";

/**
 * Errors that the operator can mend or wait for, by the beginning of the SQLSTATE. Any other error is a fault of
 * Bindery. Those without a cure pass, or are explained by the log of the database.
 */
const REASONS: readonly (readonly [code: string, reason: string, cure?: string])[] = [
  ["53100", "the disk of the database is full", "Free room on the disk of PostgreSQL."],
  ["53", "the database has no resources left"],
  ["08", "the connection to the database was lost"],
  ["57P", "the database is shutting down or starting"],
  [
    "25006",
    "the database is read-only",
    "Name the server that takes writes in BINDERY_DATABASE_URL (see pg_is_in_recovery, default_transaction_read_only).",
  ],
  ["25P03", "the database ended a transaction that waited too long"],
  ["55P03", "another process is writing"],
  ["57014", "the database took too long"],
  ["58", "the disk of the database has errors", "See the logs of PostgreSQL and of its system for errors of the disk."],
  ["28", "the database refused the user", "See user and password in BINDERY_DATABASE_URL, and pg_hba.conf."],
  ["3D000", "the database does not exist", "Create it, or correct its name in BINDERY_DATABASE_URL."],
];

/** Codes of the network if the database is not reachable. */
const NETWORK = /^(ECONN|EPIPE|ENOTFOUND|EAI_|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)/;

/**
 * Translates an error of the driver: STORE_UNAVAILABLE for errors that pass or can be mended, otherwise the error
 * unchanged.
 */
export function mapError(error: unknown): unknown {
  if (error instanceof BinderyError || !(error instanceof Error)) return error;
  const [reason, cure] = findReason(error);
  if (reason === undefined) return error;
  return fail("STORE_UNAVAILABLE", { reason, cure }, error);
}

function findReason(error: Error): readonly [reason?: string, cure?: string] {
  const code = errorCode(error);
  if (error instanceof DatabaseError) {
    const [, ...reasonAndCure] = REASONS.find(([begin]) => code.startsWith(begin)) ?? [undefined];
    return reasonAndCure;
  }
  if (NETWORK.test(code)) return ["the database does not answer"];
  // The driver reports these without a code.
  const isLost = /^Connection terminated|^timeout (exceeded|expired)|Client has encountered/.test(error.message);
  return isLost ? ["the connection to the database was lost"] : [];
}

const errorCode = (error: unknown): string => String((error as { readonly code?: unknown }).code ?? "");

/** Deadlocks, and rows that another transaction wrote first. Run again, the work sees the other transaction. */
const CONFLICTS: Readonly<Record<string, RetryReason>> = {
  "40P01": "deadlock",
  "40001": "serialization",
  "23505": "conflict",
  "23503": "conflict",
};

/** Returns how a transaction conflicted with another one; undefined if it failed for another reason. */
export const conflictOf = (error: unknown): RetryReason | undefined =>
  error instanceof DatabaseError ? CONFLICTS[errorCode(error)] : undefined;

/** Codes for damaged data or indexes, missing files, and disk errors. */
const UNREADABLE = new Set(["XX001", "XX002", "58P01", "58030"]);

/** Returns whether a part of the database could not be read. */
export const isUnreadable = (error: unknown): error is Error =>
  error instanceof Error && [error, error.cause].some((candidate) => UNREADABLE.has(errorCode(candidate ?? {})));

/** Runs database work and translates its errors. */
export async function withMappedErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw mapError(error);
  }
}
