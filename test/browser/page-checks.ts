import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds fault with. Its script needs a page that may run it: a context with `bypassCSP`. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** By how many pixels a page is wider than its window. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>(
    "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)",
  );
}
