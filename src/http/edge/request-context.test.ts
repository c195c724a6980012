import { expect, it } from "vitest";
import { isLoopback, networkOf } from "./request-context.js";

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:0002::", "2001:db8:1:2::/64"],
  ["2001:db8::9", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["fe80::2", "fe80:0:0:0::/64"],
])("%s is of %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it("knows the machine's own addresses", () => {
  expect(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"].every(isLoopback)).toBe(true);
  expect(["10.0.0.1", "::2", "2001:db8::1", "1270.0.0.1"].some(isLoopback)).toBe(false);
});
