/** Entry of a process that attacks a service, from an address of its own, until it gets the message to end. */
import { Agent } from "node:http";
import { withDeadline } from "../test/faults/service-watch.js";
import { makeClient } from "../test/support/http-client.js";
import { type AttackOrder, CONNECTIONS, requestsOf } from "./attack-requests.js";

const ADDRESS = "127.0.0.3";
/** A request without an answer for so long hangs. */
const HANG_MS = 20_000;

async function attack({ url, name, target }: AttackOrder, isOver: () => boolean): Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true, localAddress: ADDRESS, maxSockets: 64 });
  const client = makeClient(() => url, agent);
  const request = requestsOf(name);
  const statuses: Record<string, number> = {};
  let n = 0;
  const send = async (): Promise<void> => {
    while (!isOver()) {
      const { method, path, text, isSigned, headers } = request(target, n++);
      const options = {
        ...(text === undefined ? {} : { text }),
        ...(headers === undefined ? {} : { headers }),
        ...(isSigned ? { token: target.token } : {}),
      };
      const status = await withDeadline(client.send(method, path, options), HANG_MS).then(
        (answer) => String(answer.status),
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  agent.destroy();
  return statuses;
}

process.once("message", async (order: AttackOrder) => {
  let isOver = false;
  process.once("message", () => {
    isOver = true;
  });
  process.send?.(await attack(order, () => isOver));
});
