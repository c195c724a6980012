/**
 * Makes the records of the demo set that are not written by hand: one for each pair of substances and technique of
 * demo/pairs.yaml. The same in every run; a record depends on its pair and on the tables that it uses, not on others.
 */
import { bliParameters } from "./demo/bli.mjs";
import { pairs } from "./demo/data.mjs";
import { generalParameters, settingOf } from "./demo/general.mjs";
import { itcParameters } from "./demo/itc.mjs";
import { mstParameters } from "./demo/mst.mjs";
import { makeRandom } from "./demo/random.mjs";
import { sprParameters } from "./demo/spr.mjs";

const METHODS = { bli: bliParameters, itc: itcParameters, mst: mstParameters, spr: sprParameters };

/** Texts of files by their paths below the root: a record in each line. */
export function makeDemoRecords() {
  const rows = [...pairs.affinities, ...pairs.amounts];
  const files = Object.keys(METHODS).flatMap((technique) => {
    const own = rows.filter(({ by }) => by.includes(technique));
    const revised = own.filter((pair) => pair.revised !== undefined);
    const newer = revised.map((pair) => makeRecord({ ...pair, kd: pair.revised, expected: pair.kd }, technique, ".v2"));
    return [
      [`demo/generated/${technique}.jsonl`, own.map((pair) => makeRecord(pair, technique))],
      ...(newer.length > 0 ? [[`demo/versions/${technique}.jsonl`, newer]] : []),
    ];
  });
  return Object.fromEntries(
    files.map(([path, records]) => [path, records.map((record) => `${JSON.stringify(record)}\n`).join("")]),
  );
}

/** @param suffix of the identifier, of a newer version: all else is as it was but for what the affinity tells */
function makeRecord(pair, technique, suffix = "") {
  const setting = settingOf(pair, technique, makeRandom(`${technique} ${pair.of.join(" ")}`));
  const general = generalParameters(setting);
  general.record_information.external_identifier += suffix;
  return { metadata: { general_parameters: general, method_specific_parameters: METHODS[technique](setting) } };
}
