import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startBindery } from "../support/bindery.js";
import { HAS_CHROMIUM, serveChromium } from "../support/chromium.js";
import { makeContent } from "./content.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the service, without a slash at the end. */
    readonly serviceUrl: string;
    /** Id of a record that was retracted. */
    readonly goneRecord: string;
    /** Where a client of the browser connects. */
    readonly browserEndpoint: string;
  }
}

/** Vitest's global setup of the project: one service with the example records and one browser, for all of its files. */
export default async function startBoth(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!HAS_CHROMIUM) return undefined;
  const data = mkdtempSync(join(tmpdir(), "bindery-browser-"));
  project.provide("goneRecord", await makeContent(data));
  const service = await startBindery({ data });
  const browser = await serveChromium();
  project.provide("serviceUrl", service.url);
  project.provide("browserEndpoint", browser.wsEndpoint());
  return async () => {
    await browser.close();
    await service.dispose();
    rmSync(data, { recursive: true, force: true });
  };
}
