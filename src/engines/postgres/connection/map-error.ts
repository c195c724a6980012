import { DatabaseError } from "pg";
import { BinderyError, fail } from "../../../core/errors.js";
import type { RetryReason } from "../../../ports/engine.js";

/**
 * What the operator can mend or wait for, by the beginning of the SQLSTATE. Anything else is a fault of ours.
 * Without a cure it passes, or the log of the database has more of it.
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

/** What the network says where there is no database, or none any more. */
const NETWORK = /^(ECONN|EPIPE|ENOTFOUND|EAI_|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)/;

/** Translates what the driver throws: STORE_UNAVAILABLE for what passes or can be mended, else the error as it was. */
export function mapError(error: unknown): unknown {
  if (error instanceof BinderyError || !(error instanceof Error)) return error;
  const [reason, cure] = reasonOf(error);
  if (reason === undefined) return error;
  return fail("STORE_UNAVAILABLE", { reason, cure }, error);
}

function reasonOf(error: Error): readonly [reason?: string, cure?: string] {
  const code = codeOf(error);
  if (error instanceof DatabaseError) {
    const [, ...found] = REASONS.find(([begin]) => code.startsWith(begin)) ?? [undefined];
    return found;
  }
  if (NETWORK.test(code)) return ["the database does not answer"];
  // The driver says these without a code.
  const isLost = /^Connection terminated|^timeout (exceeded|expired)|Client has encountered/.test(error.message);
  return isLost ? ["the connection to the database was lost"] : [];
}

const codeOf = (error: unknown): string => String((error as { readonly code?: unknown }).code ?? "");

/** Deadlocks, and rows that another transaction wrote first: run again, the work sees what that one wrote. */
const CONFLICTS: Readonly<Record<string, RetryReason>> = {
  ...{ "40P01": "deadlock", "40001": "serialization", "23505": "conflict", "23503": "conflict" },
};

/** How a transaction met another one because of which it failed; undefined: it failed for another reason. */
export const conflictOf = (error: unknown): RetryReason | undefined =>
  error instanceof DatabaseError ? CONFLICTS[codeOf(error)] : undefined;

/** Data or an index that is damaged, a file that is missing, an error of the disk. */
const UNREADABLE = new Set(["XX001", "XX002", "58P01", "58030"]);

/** Could a part of the database not be read? */
export const isUnreadable = (error: unknown): error is Error =>
  error instanceof Error && [error, error.cause].some((each) => UNREADABLE.has(codeOf(each ?? {})));

/** Runs what reads or writes, and translates what it throws. */
export async function mapped<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw mapError(error);
  }
}
