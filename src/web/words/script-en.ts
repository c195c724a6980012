/** The words of what scripts add to pages. They are apart from all others, so that no script brings those along. */
export const SCRIPT_WORDS = {
  failed: (status: number, requestId: string) =>
    `This did not work (${status}${requestId === "" ? "" : `, request ${requestId}`}). The page stays as it was.`,
  offline: "The service cannot be reached. The page stays as it was.",
  tryAgain: "Try again",
  copy: "Copy",
  copyOf: (what: string) => `Copy ${what}`,
  copied: "Copied",
  notCopied: "Not copied: the browser does not allow it.",
  selectAll: "all on this page",
  query: {
    completions: "Completions",
    readAs: "Read as",
    operators: { AND: "and", OR: "or", NOT: "not", "+": "" },
    remove: (text: string) => `Take out ${text}`,
    count: (total: number) => ` ${total.toLocaleString("en")} `,
    oneOf: (label: string) => `one of ${label} has `,
    and: " and ",
    has: (label: string) => `has ${label}`,
    within: "within ",
  },
  range: { from: "from", to: "to", unit: "Unit", open: "open" },
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
