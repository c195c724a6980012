import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { makeWebhookSecret, signatureHeaders, WEBHOOK_SECRET_BYTES } from "./webhook-signature.js";

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
