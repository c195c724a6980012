import type { Browser } from "playwright-core";
import { inject } from "vitest";
import { connectChromium } from "../support/chromium.js";

/** The browser and the service that all files of the project share. */
export interface Stage {
  readonly browser: Browser;
  /** The address of a page; `:record`, `:other` and `:gone`, which was retracted, stand for ids of records. */
  at(template: string): string;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const url = inject("serviceUrl");
  const firstId = async (query: string): Promise<string> => {
    const answer = await fetch(`${url}/api/search?${query}`);
    return ((await answer.json()) as { hits: { hits: { id: string }[] } }).hits.hits[0]!.id;
  };
  const ids: Readonly<Record<string, string>> = {
    ":record": await firstId("q=HyHEL-10"),
    ":other": await firstId("q=calmodulin"),
    ":gone": inject("goneRecord"),
  };
  // A search for other words has a second; the first one after a start also reads what it needs.
  await fetch(`${url}/api/search?q=lysozymme`);
  const browser = await connectChromium(inject("browserEndpoint"));
  return {
    browser,
    at: (template) => url + template.replaceAll(/:(record|other|gone)\b/g, (name) => ids[name]!),
    close: () => browser.close(),
  };
}
