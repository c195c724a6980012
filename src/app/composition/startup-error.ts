export { explainFileError } from "../../engines/files/explain-access.js";

/** Why a process cannot do its work, in a sentence for the operator. Printed without a stack trace. */
export class StartupError extends Error {
  override readonly name = "StartupError";
}
