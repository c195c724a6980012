export { explainFileError } from "../../engines/files/explain-access.js";

/** Error that keeps a process from working, with a message for the operator. Printed without a stack trace. */
export class StartupError extends Error {
  override readonly name = "StartupError";
}
