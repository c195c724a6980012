import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { isPrivateAddress, makeWebhookSecret, signatureHeaders, WEBHOOK_SECRET_BYTES } from "./webhook-delivery.js";

describe("isPrivateAddress", () => {
  it.each([
    "127.0.0.1",
    "127.255.0.9",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.127.255.255",
    "192.0.0.8",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fd00::1",
    "fc00::1",
    "ff02::1",
    "fec0::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:10.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001:0:1::",
    "2001:db8::1",
    // Transition, documentation, benchmarks, relays and identifiers (IANA's registries of special-purpose addresses).
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.1",
    "192.175.48.1",
    "203.0.113.1",
    "240.0.0.1",
    "239.1.1.1",
    "2001:2::1",
    "2001:3::1",
    "2001:10::1",
    "2001:20::1",
    "2001:30::1",
    "2620:4f:8000::1",
    "3fff::1",
    "5f00::1",
    "100::1",
    "100:0:0:1::1",
    "::ffff:0:7f00:1",
    "2002:808:808::",
    "64:ff9b:1::808:808",
    "64:ff9b::c0a8:101",
    // Of IPv6 what nobody has been given yet.
    "4000::1",
    "8000::1",
    "1::1",
    "fbff::1",
    "localhost",
    "",
    "1.2.3",
    "127.1",
    "0x7f000001",
    "example.org",
  ])("takes %s for private", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "100.63.0.1",
    "100.128.0.1",
    "192.169.0.1",
    "223.255.255.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "64:ff9b::808:808",
  ])("takes %s for public", (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});

it("signs a message as the example of the standard has it", () => {
  const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
  expect(signatureHeaders("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", message)).toEqual({
    "webhook-id": message.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

it("makes secrets that other implementations read, whatever their bytes", () => {
  for (const byte of [0, 0x3e, 0xfb, 0xff]) {
    const secret = makeWebhookSecret(new Uint8Array(WEBHOOK_SECRET_BYTES).fill(byte));
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const timestamp = Math.floor(Date.now() / 1_000);
    const body = '{"title":"µ – €"}';
    const headers = signatureHeaders(secret, { id: "17", timestamp, body });
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  }
});
