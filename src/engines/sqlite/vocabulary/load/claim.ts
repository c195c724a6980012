import type { Vocabulary } from "../../../../core/catalog/types.js";
import { fail } from "../../../../core/errors.js";
import type { Db } from "../../connection/database.js";
import { mapError } from "../../connection/map-error.js";
import { PROCESS_NAME } from "../../connection/process-name.js";
import type { Writer } from "../../connection/write-connection.js";
import type { TextBuilder } from "../store/build-texts.js";
import { addGeneration, heartbeatTime, isAbandoned } from "../store/make-generation.js";
import { type BulkLoader, openBulkLoader } from "./bulk-loader.js";
import { dropGenerations } from "./drop-generations.js";

/** Ends the name of an owner who only makes a generation again. */
const REMAKE = " remake";

/** How often a load shows that it lives while it reads. */
const LIFE_SIGN_MS = 3_000;

interface ClaimOptions {
  readonly isStopped: () => boolean;
  readonly isRemake: boolean;
  readonly builder?: TextBuilder | undefined;
}

/**
 * Holds the vocabulary's place for a generation that is being built. What is left of it in the end, or of an earlier
 * load that died, is removed.
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
  const other = db
    .sql<{ g: number; owner: string; touched: number }>(
      "SELECT g, owner, touched FROM generation WHERE vocabulary = ? AND state = 'building'",
    )
    .get(vocabulary.name);
  if (other !== undefined) {
    // A load goes before what is only made again, and contains it.
    const givesWay = other.owner.endsWith(REMAKE) && !isRemake;
    if (!givesWay && !isAbandoned(other.owner, other.touched)) {
      throw fail("STORE_UNAVAILABLE", { reason: `another import into ${vocabulary.name} is running` });
    }
    db.sql("UPDATE generation SET state = 'dropping' WHERE g = ?").run(other.g);
  }
  return addGeneration(db, vocabulary, "building", PROCESS_NAME + (isRemake ? REMAKE : ""));
}

/** Takes the place from all loads of this process, which notice it with their next step. In the open transaction. */
export function giveUpClaims(db: Db): void {
  db.sql("UPDATE generation SET state = 'dropping' WHERE state = 'building' AND owner IN (?, ?)").run(
    ...[PROCESS_NAME, PROCESS_NAME + REMAKE],
  );
}

/** What is not mended now (no disk) is mended by the next load or start. */
async function release({ background }: Writer, loader: BulkLoader, g: number): Promise<void> {
  try {
    if (loader.db.raw.inTransaction) loader.db.raw.exec("ROLLBACK");
    await loader.steps(() => {
      loader.db.sql("UPDATE generation SET state = 'dropping' WHERE g = ? AND state = 'building'").run(g);
      return "done";
    });
    await dropGenerations(loader);
  } catch (error) {
    // The load itself succeeded or said why it did not.
    background.onBackgroundError("vocabulary-maintenance", mapError(error));
  }
}

/** What a load calls while it reads. */
export function heartbeats(loader: BulkLoader, g: number): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < LIFE_SIGN_MS) return;
    last = performance.now();
    await loader.steps(() => {
      heartbeat(loader.db, g);
      return "done";
    });
  };
}

/** In the open transaction. @throws BinderyError STORE_UNAVAILABLE when the claim was lost */
export function heartbeat(db: Db, g: number): void {
  const { changes } = db
    .sql("UPDATE generation SET touched = ? WHERE g = ? AND state = 'building'")
    .run(heartbeatTime(), g);
  if (changes === 0)
    throw fail("STORE_UNAVAILABLE", { reason: "another process took over, because this import seemed dead" });
}
