import { mutationsOf } from "../mutation.ts";

const folder = "tests/check";
const verdicts = `${folder}/verdicts_test.ts`;

/** The check of the public address. */
export const check = mutationsOf({
  "check/printable.ts": `${folder}/printable_test.ts`,
  "check/self_request.ts": `${folder}/self_request_test.ts`,
  "check/target.ts": `${folder}/target_test.ts`,
  "check/steps/client_address.ts": verdicts,
  "check/steps/clock.ts": verdicts,
  "check/steps/installation.ts": verdicts,
  "check/steps/tls.ts": verdicts,
}, {
  "check/steps/installation.ts": [
    [
      "alone.size === 0",
      "alone.size < processes",
      "a server that counts by itself beside others is not found",
    ],
    ["processes === 1", "true", "several servers that each count their own users are not found"],
  ],
  "check/printable.ts": [
    ["[\\p{C}\\s]+", "\\s+", "another server changes the operator's terminal"],
    ["plain.length > maxLength", "false", "another server fills the terminal"],
    ["${url.origin}${url.pathname}", "${url.href}", "a secret of an address is printed"],
  ],
  "check/self_request.ts": [
    [
      '&& isSameText(signature, sign(secret, "check request", nonce))',
      "",
      "strangers learn what the server receives",
    ],
    [
      'if (!isSameText(signature, sign(secret, "check answer", token, received))) return null;',
      "",
      "another server passes for this one",
    ],
  ],
  "check/target.ts": [
    [
      'usesExternalServer(pusher) ? hostedAddress(config, "http") : appUrl',
      "appUrl",
      "the check calls the HTTP API of this server though another one is set",
    ],
    [
      'address.pathname.replace(/\\/$/, "") + pathname',
      "pathname",
      "the check asks outside of an app with a path",
    ],
    ['port === undefined ? "" : `:${port}`', '""', "the check asks another port"],
  ],
  "check/steps/client_address.ts": [
    [
      "isPeerTrusted && withoutPort(first)",
      "withoutPort(first)",
      "a proxy that is not trusted passes",
    ],
    ['(pages.protocol === "http:" || hasTls)', "true", "a proxy that hides all clients passes"],
    [
      '.replace(/^::ffff:(?=[\\d.]+$)/, "")',
      "",
      "a connection without a proxy looks like one with",
    ],
  ],
  "check/steps/clock.ts": [
    [
      "Math.abs(seconds) > maxDifferenceSeconds",
      "seconds > maxDifferenceSeconds",
      "a slow clock passes",
    ],
    ["if (isOff(headerSeconds)) {", "if (false) {", "a proxy's wrong clock passes"],
  ],
  "check/steps/tls.ts": [
    ["if (validTo < now) {", "if (false) {", "an expired certificate passes"],
    ["if (!isForHost) {", "if (false) {", "another host's certificate passes"],
    [
      "if (distrust !== null) return distrustVerdict(distrust);",
      "",
      "a certificate that no one trusts passes",
    ],
    ["days < renewalDays", "days < 1", "a certificate that is not renewed is not mentioned"],
  ],
});
