/** Name of the one file (with `-wal` and `-shm` beside it) in the data folder. */
export const DATABASE_FILE = "bindery.sqlite";
