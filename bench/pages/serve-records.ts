import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Bindery, startBindery } from "../../test/support/bindery.js";
import { buildRecords } from "../classes/build-records.js";
import { LOG_FILE, SERVICE } from "../load.js";

/** Does something with a service over the records of the classes of queries, which it only reads. */
export async function serveRecords<T>(
  size: number,
  place: string,
  work: (bindery: Bindery, folder: string) => Promise<T>,
): Promise<T> {
  const { folder } = await buildRecords(size, place, (text) => void process.stderr.write(`${text}\n`));
  const bindery = await startBindery({ ...SERVICE, data: folder });
  try {
    return await work(bindery, folder);
  } catch (error) {
    process.stderr.write(bindery.output());
    throw error;
  } finally {
    await bindery.end("SIGTERM");
    await bindery.dispose();
    rmSync(join(folder, LOG_FILE), { force: true });
  }
}

/** Processor time of all threads of a service since its start, in seconds. */
export async function processorSeconds({ client }: Bindery): Promise<number> {
  const { text } = await client.get("/metrics");
  const seconds = /^process_cpu_seconds_total (\S+)/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error("The metrics of the service do not tell its processor time.");
  return Number(seconds);
}
