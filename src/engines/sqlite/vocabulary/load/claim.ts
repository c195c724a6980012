import type { Vocabulary } from "../../../../core/catalog/types.js";
import { fail } from "../../../../core/errors.js";
import type { Db } from "../../connection/database.js";
import { mapError } from "../../connection/map-error.js";
import { PROCESS_NAME } from "../../connection/process-name.js";
import type { Writer } from "../../connection/write-connection.js";
import type { TextBuilder } from "../store/build-texts.js";
import { addGeneration, heartbeatTime, isAbandoned } from "../store/generation.js";
import { type BulkLoader, openBulkLoader } from "./bulk-loader.js";
import { dropGenerations } from "./drop-generations.js";

/** Suffix of the owner of a generation that only remakes an existing one. */
const REMAKE = " remake";

/** Interval at which a load updates its sign of life while it reads. */
const LIFE_SIGN_MS = 3_000;

interface ClaimOptions {
  readonly isStopped: () => boolean;
  readonly isRemake: boolean;
  readonly builder?: TextBuilder | undefined;
}

/**
 * Claims the vocabulary for a generation that is being built. Removes what is left of it at the end, or of an earlier
 * load that was killed.
 */
export async function withClaim<T>(
  writer: Writer,
  vocabulary: Vocabulary,
  { isStopped, isRemake, builder }: ClaimOptions,
  work: (loader: BulkLoader, g: number) => Promise<T>,
): Promise<T> {
  const loader = openBulkLoader(writer, isStopped, builder);
  try {
    let g = 0;
    await loader.steps(() => {
      g = claim(loader.db, vocabulary, isRemake);
      return "done";
    });
    try {
      return await work(loader, g);
    } finally {
      await release(writer, loader, g);
    }
  } finally {
    loader.close();
  }
}

function claim(db: Db, vocabulary: Vocabulary, isRemake: boolean): number {
  const rival = db
    .sql<{ g: number; owner: string; touched: number }>(
      "SELECT g, owner, touched FROM generation WHERE vocabulary = ? AND state = 'building'",
    )
    .get(vocabulary.name);
  if (rival !== undefined) {
    // A load takes precedence over a remake, which it includes.
    const isPreempted = rival.owner.endsWith(REMAKE) && !isRemake;
    if (!isPreempted && !isAbandoned(rival.owner, rival.touched)) {
      throw fail("STORE_UNAVAILABLE", { reason: `another import into ${vocabulary.name} is running` });
    }
    db.sql("UPDATE generation SET state = 'dropping' WHERE g = ?").run(rival.g);
  }
  return addGeneration(db, vocabulary, "building", PROCESS_NAME + (isRemake ? REMAKE : ""));
}

/**
 * Takes the claim from all loads of this process, which notice it with their next step. Runs in the open transaction.
 */
export function giveUpClaims(db: Db): void {
  const drop = "UPDATE generation SET state = 'dropping' WHERE state = 'building' AND owner IN (?, ?)";
  db.sql(drop).run(PROCESS_NAME, PROCESS_NAME + REMAKE);
}

/** Releases the claim. If this fails (no disk), the next load or start cleans up. */
async function release({ background }: Writer, loader: BulkLoader, g: number): Promise<void> {
  try {
    if (loader.db.raw.inTransaction) loader.db.raw.exec("ROLLBACK");
    await loader.steps(() => {
      loader.db.sql("UPDATE generation SET state = 'dropping' WHERE g = ? AND state = 'building'").run(g);
      return "done";
    });
    await dropGenerations(loader);
  } catch (error) {
    // The load itself succeeded or reported why it failed.
    background.onBackgroundError("vocabulary-maintenance", mapError(error));
  }
}

/** Returns a function that a load calls while it reads, to update its sign of life. */
export function heartbeats(loader: BulkLoader, g: number): () => Promise<void> {
  let lastBeat = performance.now();
  return async () => {
    if (performance.now() - lastBeat < LIFE_SIGN_MS) return;
    lastBeat = performance.now();
    await loader.steps(() => {
      heartbeat(loader.db, g);
      return "done";
    });
  };
}

/** Updates the sign of life in the open transaction. @throws BinderyError STORE_UNAVAILABLE if the claim was lost */
export function heartbeat(db: Db, g: number): void {
  const { changes } = db
    .sql("UPDATE generation SET touched = ? WHERE g = ? AND state = 'building'")
    .run(heartbeatTime(), g);
  if (changes === 0)
    throw fail("STORE_UNAVAILABLE", { reason: "another process took over, because this import seemed dead" });
}
