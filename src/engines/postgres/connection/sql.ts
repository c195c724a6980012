/** What runs SQL: one connection, or a pool that takes any of its connections for each statement. */
export interface Sql {
  /** @param text from code, never from data: it is prepared once on each connection */
  rows<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
  /** The first row. */
  row<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<Row | undefined>;
  /** @returns how many rows were written */
  run(text: string, values?: readonly SqlValue[]): Promise<number>;
}

/** Arrays become arrays of PostgreSQL. */
export type SqlValue = string | number | boolean | null | Uint8Array | readonly (string | number | null)[];

/** One connection, which is somebody's until it is released. What is sent to it is run in the order in which it was. */
export interface Connection extends Sql {
  /** Several statements in one message: values stand in them as `literal` writes them. */
  script(text: string): Promise<void>;
  /** @param isBroken it is closed, and not used again */
  release(isBroken?: boolean): void;
}

/** Connections to one database. */
export interface Pool extends Sql {
  /**
   * Name under which `pg_stat_activity` lists the connections of this pool: host, process, and a random end. Absent: it
   * lists none.
   */
  readonly name?: string;
  connect(): Promise<Connection>;
  /** How many wait for a connection now. */
  waiting(): number;
  close(): Promise<void>;
}
