import { mutationsOf } from "../mutation.ts";

const folder = "tests/realtime/api";
const libraryTests = `${folder}/http_api_test.ts`;
const refusalTests = `${folder}/refusal_test.ts`;

/** The HTTP API, which apps' servers call. */
export const api = mutationsOf({
  "realtime/api/app_api.ts": [`${folder}/app_api_test.ts`, libraryTests],
  "realtime/api/authentication.ts": [
    `${folder}/authentication_changes_test.ts`,
    `${folder}/authentication_test.ts`,
    refusalTests,
  ],
  "realtime/api/body.ts": [`${folder}/body_test.ts`, `${folder}/authentication_test.ts`],
  "realtime/api/channel_info.ts": [libraryTests, refusalTests],
  "realtime/api/channels.ts": [libraryTests, refusalTests],
  "realtime/api/events.ts": [refusalTests, libraryTests],
  "realtime/api/http_api.ts": [`${folder}/app_api_test.ts`, refusalTests, libraryTests],
  "realtime/api/query.ts": [`${folder}/query_test.ts`, `${folder}/authentication_changes_test.ts`],
}, {
  "realtime/api/app_api.ts": [
    [
      'if (!enabled) return { reason: "app_refused", message: "The app is disabled" };',
      "",
      "an app that was switched off takes calls",
    ],
    [
      'this.#options.refusals.count("apiRequestsPerSecond");',
      "",
      "calls above the limit are not counted",
    ],
  ],
  "realtime/api/authentication.ts": [
    ["if (key !== app.key) return", "if (false) return", "another app's key is accepted"],
    ["if (difference <= maxClockDifference)", "if (true)", "a recorded call is valid for ever"],
    [
      "if (texts.some((text) => verifyRequest(app, signature, text)))",
      "if (true)",
      "every signature is accepted",
    ],
    ["if (call.query.length > maxQueryLength) {", "if (false) {", "a query has any length"],
    [
      "prefixLength > 0 ? [pathname.slice(prefixLength), pathname] : [pathname]",
      "[pathname]",
      "calls behind a proxy with a prefix are refused",
    ],
    [
      'if (/[/\\n]/.test(text)) throw new URIError("another path");',
      "",
      "a call is valid for another path than the signed one",
    ],
  ],
  "realtime/api/body.ts": [
    [
      "if (digest === undefined && bytes.length > 0) {",
      "if (false) {",
      "a body that was not signed is taken",
    ],
    ["!isSameText(digest, actual)", "false", "another body than the signed one is taken"],
    ["if (Number(announced) > maxBytes)", "if (false)", "an announced body of any size is read"],
    ["if (length > maxBytes)", "if (false)", "a body in chunks has any size"],
    ["{ fatal: true }", "{ fatal: false }", "a body that is no UTF-8 is changed without a word"],
    [".catch(throwEndedEarly)", "", "a caller that breaks off is an internal error"],
  ],
  "realtime/api/channel_info.ts": [
    [
      ".map((name) => name.trim())",
      "",
      "a list of attributes with spaces is refused",
    ],
    [".filter(Boolean)", "", "a list of attributes with a last comma is refused"],
    [
      "state.userCount ?? 0",
      "state.userCount",
      "an empty presence channel has no user_count",
    ],
    ['channelKind(channel) === "presence" ?', "true ?", "a public channel has a user_count"],
  ],
  "realtime/api/channels.ts": [
    ["name.startsWith(prefix) && ", "", "a list of channels heeds no prefix"],
    ["&& isChannelName(name)", "", "users' own channels are listed"],
    [
      "occupied: state !== undefined",
      "occupied: true",
      "an empty channel looks occupied",
    ],
  ],
  "realtime/api/events.ts": [
    [
      "(name) => !isServersOwnEvent(name)",
      "() => true",
      "servers forge the protocol's events",
    ],
    [".max(maxChannels)", "", "an event has any number of channels"],
    ["const maxBatch = 10;", "const maxBatch = 100;", "a batch has any number of events"],
    ["if (bytes <= maxEventBytes) return;", "return;", "events have no limit of size"],
    [
      "for (const event of events) checkEvent(app, event);",
      "",
      "a batch is sent in part",
    ],
    ["except: socket_id ?? undefined", "except: undefined", "who caused an event gets it back"],
    [
      "...new Set(channels ??",
      "...(channels ??",
      "a channel that is named twice gets an event twice",
    ],
    [
      "channels.length === 1 || !channels.some(isEncryptedChannel)",
      "true",
      "an encrypted event goes to channels that cannot decrypt it",
    ],
  ],
  "realtime/api/http_api.ts": [
    ["if (refusal) throw forbidden(refusal);", "", "an app's calls have no limit"],
    [
      "const query = authenticate(app.settings, signed, this.#now());",
      "const query = Object.fromEntries(new URLSearchParams(search));",
      "calls need no signature",
    ],
    [
      "if (userId.length > maxUserIdLength) {",
      "if (false) {",
      "a user id has any length",
    ],
    [
      'throw new ApiRefusal(405, "wrong_method"',
      'throw new ApiRefusal(404, "wrong_method"',
      "a call with the wrong method looks unknown",
    ],
  ],
  "realtime/api/query.ts": [
    [
      "return pairs.some(isAmbiguous) ? undefined : pairs;",
      "return pairs;",
      "a signed query is valid for other parameters",
    ],
    [".toLowerCase(), decode", ", decode", "parameters in capitals are unknown"],
    [
      "`${before},${value}`",
      "value",
      "of a repeated parameter only the last value counts",
    ],
    ['replace(/\\[\\d*\\]$/, "")', 'replace(/\\[\\]$/, "")', "lists as PHP sends them are unknown"],
  ],
});
