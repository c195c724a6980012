const countText = ({ count, isExact }: { readonly count: number; readonly isExact: boolean }): string =>
  `${isExact ? "" : "about "}${count.toLocaleString("en")} ${count === 1 ? "record" : "records"}`;

/** Words of elements that scripts add. They have their own file so that scripts do not contain the words of pages. */
export const SCRIPT_WORDS = {
  failed: (status: number, requestId: string) =>
    `This did not work (${status}${requestId === "" ? "" : `, request ${requestId}`}). The page stays as it was.`,
  offline: "The service cannot be reached. The page stays as it was.",
  tryAgain: "Try again",
  copy: "Copy",
  copyOf: (what: string) => `Copy ${what}`,
  copied: "Copied",
  notCopied: "Not copied: the browser does not allow it.",
  theme: {
    title: "Theme",
    themes: [
      ["", "automatic"],
      ["light", "light"],
      ["dark", "dark"],
    ],
  },
  selectAll: (count: number) => `Select all ${count}`,
  table: {
    copy: "Copy table",
    copied: (rows: number) => `Copied ${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"}`,
    origin: "derived from",
  },
  query: {
    completions: "Completions",
    readAs: "Searching for:",
    operators: { AND: "and", OR: "or", NOT: "not", "+": "" },
    remove: (text: string) => `Remove ${text}`,
    count: (total: number) => ` ${total.toLocaleString("en")} `,
    records: (count: number) => countText({ count, isExact: true }),
    terms: (count: number) => `${count.toLocaleString("en")} ${count === 1 ? "term" : "terms"}`,
    oneOf: (label: string) => `one of ${label} has `,
    and: " and ",
    has: (label: string) => `has ${label}`,
    within: "within ",
    unitNeeded: (field: string) => `Numbers of “${field}” have units:`,
  },
  range: { from: "from", to: "to", unit: "Unit", open: "open", count: countText },
  keys: {
    title: "Keys",
    list: [
      ["/", "search field"],
      ["j k", "next and previous record"],
      ["x", "select the record"],
      ["Enter", "open it"],
      ["n p", "next and previous difference of compared records"],
      ["f", "show or fold what is equal in them"],
      ["?", "this list"],
      ["Esc", "close"],
    ],
    single: "Use keys of one letter",
    close: "Close",
  },
} as const;
