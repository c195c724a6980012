import { BinderyError } from "./error.js";

/**
 * Reads the text of an answer in pieces, as they arrive. If the caller stops reading, the request ends.
 *
 * @throws BinderyError if it breaks off (the service ends answers that are read too slowly); or the signal's reason
 */
export async function* readText(response: Response, signal?: AbortSignal): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const piece = (await reader?.read())?.value;
      if (piece === undefined) return;
      yield decoder.decode(piece, { stream: true });
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const message = `The answer of ${response.url} broke off: ${error instanceof Error ? error.message : error}.`;
    throw new BinderyError({ status: 0, code: "UNREACHABLE", message }, { cause: error });
  } finally {
    // It may be broken already, or at its end.
    await reader?.cancel().catch(() => undefined);
  }
}

/** Reads the values of JSON lines. */
export async function* readLines<Value>(
  response: Response,
  signal?: AbortSignal,
): AsyncGenerator<Value, void, undefined> {
  let begun = "";
  for await (const text of readText(response, signal)) {
    const lines = (begun + text).split("\n");
    begun = lines.pop()!;
    for (const line of lines) if (line !== "") yield JSON.parse(line) as Value;
  }
  if (begun !== "") yield JSON.parse(begun) as Value;
}
