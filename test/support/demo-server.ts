import { type InProcessServer, startInProcess } from "./in-process-server.js";

/** How a browser asks for a page. */
export const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

/** The service in this process, with the example records. */
export function startDemo(publicUrl?: string): Promise<InProcessServer> {
  return startInProcess({}, publicUrl, {}, "demo");
}

/** The text that a page shows, without its markup. */
export function textOf(html: string): string {
  const body = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  return readEntities(
    body
      .replaceAll(/<sup>(.*?)<\/sup>/g, (_, power: string) => raised(power))
      .replaceAll(INLINE, "")
      .replaceAll(/<[^>]*>/g, " "),
  ).replaceAll(/\s+/g, " ");
}

/** Writes a power or a charge in superscript characters, as attributes have it. */
export const raised = (text: string): string =>
  text.replaceAll(/[−+\d]/g, (sign) => "⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹"["−+0123456789".indexOf(sign)]!);

/** Markup within words and numbers. */
const INLINE = /<wbr\/?>|<\/?(?:sup|sub|i)>|<span class="rest[^"]*">/g;

/** Addresses of all links of a page, as they stand there. */
export function linksOf(html: string): readonly string[] {
  return [...new Set([...html.matchAll(/ href="([^"]*)"/g)].map((match) => readEntities(match[1]!)))];
}

function readEntities(html: string): string {
  return html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => NAMED[name]!);
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
