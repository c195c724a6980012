import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { multiSearch } from "./multi-search.js";
import { openSearchClient } from "./search-client.js";

it("waits for an OpenSearch that hangs little longer than a search may take", async () => {
  const hanging = createServer(() => undefined);
  await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
  const client = openSearchClient({ urls: [`http://127.0.0.1:${(hanging.address() as AddressInfo).port}`] });
  const began = performance.now();
  await expect(multiSearch(client, { index: "i" }, [{}], 100)).rejects.toMatchObject({ code: "SEARCH_UNAVAILABLE" });
  expect(performance.now() - began).toBeLessThan(30_000);
  await client.close();
  hanging.closeAllConnections();
  await new Promise((resolve) => hanging.close(resolve));
});
