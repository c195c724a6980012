import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Targets of 24 pixels at least are a rule that is off where nobody asks for it. */
const OPTIONS = JSON.stringify({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } });

/**
 * What axe finds fault with: its rules for WCAG 2.2 AA and good practice. The window is made as high as the page, for
 * a bar that stays in sight covers what is below it only until somebody scrolls.
 */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  await page.setViewportSize({ ...page.viewportSize()!, height });
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${OPTIONS})`);
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
