import { organismId } from "../../test/support/items.js";
import { wordOfRank } from "../../test/support/random.js";
import { citedOrganism, resultValue } from "./class-records.js";
import type { PlainQuery } from "./plain-sql.js";

/** A kind of query, in several variants. */
export interface RecordClass {
  readonly name: string;
  readonly variants: number;
  /** As users write it. */
  q(n: number): string;
  readonly sort?: "bestmatch";
  readonly facets?: readonly string[];
  /** The p99 to reach in milliseconds, at 200,000 records and at a million. */
  readonly reach: readonly [number, number];
  readonly planned?: string;
  /** What the plainest statement over the full-text tables asks for. */
  plain?(n: number): PlainQuery;
}

/** Many enough that the median says something, few enough that all are in memory. */
const VARIANTS = 12;
const QUICK = [3, 15] as const;
const PHRASE = [20, 50] as const;

const GENERAL = "metadata.general_parameters";
const COMPONENTS = `${GENERAL}.entities_of_interest.components`;
const STEPS = `${COMPONENTS}.modifications.chemical.protocol`;
/** Of 84 words in each record, 14 in each element. */
const TEXT = `${STEPS}.description`;
/** Of 12 words in each record, 2 in each element. */
const NAME = `${STEPS}.name`;
const PH = `${GENERAL}.chemical_environments.ph`;
const VALUE = `${GENERAL}.results.value`;
const KD = '"Constant of dissociation KD"';

/** Words by how many records hold them: in a third to a half, in one of a hundred, in a few. */
const common = (n: number): string => wordOfRank(8 + (n % 12));
const frequent = (n: number): string => wordOfRank(1 + (n % 6));
const mid = (n: number): string => wordOfRank(700 + n * 40);
const rare = (n: number): string => wordOfRank(18_000 + n * 13);

/** Upper ends of ranges that a share of all values lies in. */
const phBelow = (share: number): string => (4 + 6 * share).toFixed(3);
const valueBelow = (share: number): string => resultValue(share).toPrecision(4);

const quick = (name: string, q: RecordClass["q"], planned?: string, plain?: RecordClass["plain"]): RecordClass => ({
  name,
  variants: VARIANTS,
  q,
  reach: QUICK,
  ...(planned && { planned }),
  ...(plain && { plain }),
});

const inText = (n: number, word: (n: number) => string): { path: string; words: string[] } => ({
  path: TEXT,
  words: [word(n)],
});

const FIELDS: readonly RecordClass[] = [
  quick("everything, newest", () => ""),
  quick(
    "field word, rare",
    (n) => `title:${rare(n)}`,
    ".011",
    (n) => ({ path: `${GENERAL}.record_information.title`, words: [rare(n)] }),
  ),
  quick(
    "field word, mid",
    (n) => `${TEXT}:${mid(n)}`,
    ".13",
    (n) => inText(n, mid),
  ),
  quick(
    "field word, common",
    (n) => `${TEXT}:${common(n)}`,
    ".014/.07",
    (n) => inText(n, common),
  ),
  quick(
    "common AND common, two fields",
    (n) => `${TEXT}:${common(n)} AND ${NAME}:${frequent(n)}`,
    ".044/.10",
    (n) => ({ all: [inText(n, common), { path: NAME, words: [frequent(n)] }] }),
  ),
  quick(
    "mid AND mid",
    (n) => `${TEXT}:${mid(n)} AND ${TEXT}:${mid(n + 7)}`,
    ".12/.40",
    (n) => ({ all: [inText(n, mid), inText(n + 7, mid)] }),
  ),
  quick(
    "common AND NOT common",
    (n) => `${TEXT}:${common(n)} -${NAME}:${frequent(n)}`,
    ".03/.11",
    (n) => ({ all: [inText(n, common)], but: { path: NAME, words: [frequent(n)] } }),
  ),
  quick(
    "common OR common",
    (n) => `${TEXT}:${common(n)} OR ${NAME}:${frequent(n)}`,
    ".04/.11",
    (n) => ({ any: [inText(n, common), { path: NAME, words: [frequent(n)] }] }),
  ),
  {
    ...quick(
      "phrase of two commons",
      (n) => `${TEXT}:"${common(n)} ${common(n + 5)}"`,
      "10/16",
      (n) => ({ path: TEXT, words: [common(n), common(n + 5)] }),
    ),
    reach: PHRASE,
  },
  quick(
    "prefix of 3 letters",
    (n) => `${TEXT}:${common(n).slice(0, 3)}*`,
    ".013",
    (n) => ({
      path: TEXT,
      words: [common(n).slice(0, 3)],
      isPrefix: true,
    }),
  ),
  { ...quick("wildcard", (n) => `${TEXT}:${common(n).slice(0, 2)}?${common(n).slice(-1)}*`), reach: PHRASE },
  { ...quick("fuzzy word", (n) => `${TEXT}:${typo(common(n + 3))}~`), reach: PHRASE },
  { ...quick("fuzzy word in all text", (n) => `${typo(mid(n))}~2`), reach: PHRASE },
  quick(
    "exists",
    (n) => `_exists_:${n % 2 === 0 ? NAME : VALUE}`,
    ".013",
    (n) => ({ exists: n % 2 === 0 ? NAME : VALUE }),
  ),
];

const sameElement = (
  name: string,
  inside: (n: number) => string,
  planned: string,
  plain?: RecordClass["plain"],
): RecordClass => quick(`P:(${name})`, (n) => `${STEPS}:(${inside(n)})`, planned, plain);

const GROUPS: readonly RecordClass[] = [
  sameElement("rare AND common", (n) => `description:${rare(n)} AND name:${frequent(n)}`, ".023/.07"),
  sameElement(
    "mid AND common",
    (n) => `description:${mid(n)} AND name:${frequent(n)}`,
    ".53/1.2",
    (n) => ({
      element: true,
      all: [inText(n, mid), { path: NAME, words: [frequent(n)] }],
    }),
  ),
  sameElement(
    "common AND common",
    (n) => `description:${frequent(n)} AND description:${frequent(n + 3)}`,
    ".29/.57",
    (n) => ({ element: true, all: [inText(n, frequent), inText(n + 3, frequent)] }),
  ),
  sameElement(
    "common AND common AND NOT common",
    (n) => `description:${frequent(n)} AND description:${frequent(n + 3)} AND NOT name:${frequent(n + 1)}`,
    ".72/1.5",
    (n) => ({
      element: true,
      all: [inText(n, frequent), inText(n + 3, frequent)],
      but: { path: NAME, words: [frequent(n + 1)] },
    }),
  ),
  sameElement("NOT common", (n) => `NOT description:${common(n)}`, "1.5/2.0"),
  quick(
    "P:(value of 1 % AND type)",
    (n) => `results:(value:<${valueBelow(0.016 + n / 10_000)} AND type:${KD})`,
    ".14/.50",
  ),
  quick(
    "P:(value of 30 % AND type)",
    (n) => `results:(value:<${valueBelow(0.45 + n / 1_000)} AND type:${KD})`,
    ".57/.68",
  ),
  quick(
    "P:(a AND Q:(b AND c)), commons",
    (n) => `${COMPONENTS}:(variant:WT AND ${STEPS}:(description:${frequent(n)} AND description:${frequent(n + 3)}))`,
    ".67/.97",
  ),
  quick(
    "P:(a AND Q:(mid AND NOT common))",
    (n) => `${COMPONENTS}:(variant:WT AND ${STEPS}:(description:${mid(n)} AND NOT name:${frequent(n)}))`,
    ".24/1.2",
  ),
  quick("P:(leaf of a deeper array AND a)", (n) => `${COMPONENTS}:(${TEXT}:${mid(n)} AND variant:WT)`, ".20/.33"),
];

const VALUES: readonly RecordClass[] = [
  quick("range of 0.1 %, one value each", (n) => `${PH}:[${5 + n / 100} TO ${5.005 + n / 100}]`, ".014"),
  quick("range of 10 %, one value each", (n) => `${PH}:<${phBelow(0.1 + n / 1_000)}`, ".08"),
  quick("range of 50 %, one value each", (n) => `${PH}:<${phBelow(0.5 + n / 1_000)}`, ".34"),
  quick("range of 0.1 %, two values each", (n) => `${VALUE}:<${valueBelow(0.0005 + n / 100_000)}`, ".023"),
  quick("range of 10 %, two values each", (n) => `${VALUE}:<${valueBelow(0.05 + n / 1_000)}`, ".61"),
  quick("range of 50 %, two values each", (n) => `${VALUE}:<${valueBelow(0.3 + n / 1_000)}`, "2.6"),
  quick("range of 10 % AND mid", (n) => `${PH}:<${phBelow(0.1 + n / 1_000)} AND ${TEXT}:${mid(n)}`, ".13"),
  quick("range of 50 % AND common", (n) => `${PH}:<${phBelow(0.5 + n / 1_000)} AND ${TEXT}:${common(n)}`, ".36"),
  quick("quantity below a bound", (n) => `kd:<${1 + n} nM`),
  quick("quantity in a range", (n) => `kd:[${1 + n} nM TO ${1 + n} uM]`),
];

const OTHERS: readonly RecordClass[] = [
  quick("cited term", (n) => `organism:${citedOrganism(n * 9)}`),
  quick("term or below (within)", (n) => `organism.within:${organismId(5 + n)}`),
  {
    ...quick("four facets over most records", (n) => `${TEXT}:${frequent(n)}`, "4.2/5.7"),
    facets: ["instrument", "organism", "result_type", "grant"],
    reach: [6, 30],
  },
  { ...quick("best match, rare word", rare), sort: "bestmatch" },
  { ...quick("best match, common word", common), sort: "bestmatch" },
  {
    ...quick("best match, phrase of two commons", (n) => `"${common(n)} ${common(n + 5)}"`),
    sort: "bestmatch",
    reach: PHRASE,
  },
];

export const RECORD_CLASSES: readonly RecordClass[] = [...FIELDS, ...GROUPS, ...VALUES, ...OTHERS];

/** Two neighbouring letters change places. */
function typo(word: string): string {
  const at = Math.floor(word.length / 2);
  return `${word.slice(0, at - 1)}${word[at]}${word[at - 1]}${word.slice(at + 1)}`;
}
