#!/usr/bin/env node
import { run } from "./cli/run.js";
import { loadConfig } from "./config/load.js";

process.exitCode = await run(process.argv.slice(2), () => loadConfig(process.env));
