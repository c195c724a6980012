/** Entry of the thread that watches the main thread of its process. */
import { workerData } from "node:worker_threads";
import { writeWithoutMain } from "../monitoring/log-output.js";
import { type WatchData, watchBeats } from "./watch-main.js";

watchBeats(workerData as WatchData, writeWithoutMain);
