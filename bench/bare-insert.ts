import { join } from "node:path";
import { Sqlite } from "../src/engines/sqlite/connection/database.js";
import { type Figures, figuresOf } from "./measure.js";

/** Inserts texts in turn, each in a durable transaction of its own: the least that a deposit can cost on this disk. */
export function openBareInsert(folder: string, texts: readonly string[]): { measure(seconds: number): Figures } {
  const db = new Sqlite(join(folder, "bare-insert.sqlite"));
  db.pragma("page_size = 8192");
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec("CREATE TABLE IF NOT EXISTS doc(id INTEGER PRIMARY KEY, json TEXT NOT NULL)");
  const insert = db.prepare("INSERT INTO doc(json) VALUES(?)");
  let next = 0;
  return {
    measure(seconds) {
      const times: number[] = [];
      const end = performance.now() + seconds * 1000;
      for (let now = performance.now(); now < end; ) {
        insert.run(texts[next++ % texts.length]);
        const done = performance.now();
        times.push(done - now);
        now = done;
      }
      return figuresOf(times, seconds);
    },
  };
}
