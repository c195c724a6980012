import { type Citable, citedUrl, ownDoi, type Site } from "../../core/citable/citable.js";
import { oneLine, type RecordFormat } from "./record-format.js";

/** A reference of type DATA in the RIS format of reference managers. */
export const ris: RecordFormat = {
  name: "ris",
  title: "RIS",
  mediaType: "application/x-research-info-systems",
  extension: "ris",
  join: { open: "", between: "", close: "" },
  write: reference,
};

function reference(record: Citable, site: Site): string {
  const lines: readonly (readonly [tag: string, text: string | undefined])[] = [
    ["TY", "DATA"],
    ["ID", record.id],
    ...record.people.map(({ name }) => ["AU", name] as const),
    ["TI", record.title],
    ["PY", String(record.year)],
    ["DA", record.issued.slice(0, 10).replaceAll("-", "/")],
    ["PB", record.publisher],
    ["ET", String(record.version)],
    ["DO", ownDoi(record)?.value],
    ["UR", citedUrl(site, record)],
    ["AB", record.summary],
    ...record.subjects.map(({ label }) => ["KW", label] as const),
  ];
  const written = lines.flatMap(([tag, text]) => {
    const line = oneLine(text ?? "").trim();
    return line === "" ? [] : [`${tag}  - ${line}\r\n`];
  });
  return `${written.join("")}ER  - \r\n`;
}
