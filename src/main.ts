#!/usr/bin/env node
import { endWithReader } from "./cli/output.js";
import { run } from "./cli/run.js";
import { loadConfig } from "./config/settings.js";

endWithReader();
process.exitCode = await run(process.argv.slice(2), () => loadConfig(process.env));
