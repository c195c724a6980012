/** What is remembered of dumps of authorities that were loaded. */

export interface LoadedDump {
  readonly vocabulary: string;
  readonly authority: string;
  /** As the dump or who loaded it names it. */
  readonly release?: string;
  /** Name of the file or folder, without where it lay. */
  readonly file: string;
  /** Of the file, in hex; of a folder of the lines `<SHA-256>  <name>` of its files, in the order of their names. */
  readonly sha256: string;
  readonly bytes: number;
  /** When the load ended: ISO 8601 UTC. */
  readonly loaded: string;
}

export interface DumpReader {
  /** The last one of each authority in each vocabulary, by vocabulary and authority. */
  list(): Promise<readonly LoadedDump[]>;
}

export interface DumpKeeper extends DumpReader {
  /** In the place of the one before. */
  keep(dump: LoadedDump): Promise<void>;
}
