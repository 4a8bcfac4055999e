import { mutationsOf } from "../mutation.ts";

const commands = "tests/realtime/commands";
const folder = "tests/realtime/protocol";
const signatures = `${folder}/signature_test.ts`;

/** Names, frames and signatures, as clients and apps' servers know them. */
export const protocol = mutationsOf({
  "realtime/app_config.ts": "tests/realtime/reserved_channels_test.ts",
  "realtime/protocol/channel_names.ts": `${folder}/channel_names_test.ts`,
  "realtime/protocol/signature.ts": signatures,
  "realtime/protocol/constant_time.ts": `${folder}/constant_time_test.ts`,
  "realtime/protocol/incoming.ts": `${folder}/incoming_test.ts`,
  "realtime/protocol/outgoing.ts": [
    `${commands}/client_events_test.ts`,
    `${commands}/subscribe_test.ts`,
    `${commands}/sign_in_test.ts`,
    "tests/realtime/channels/channel_test.ts",
    "tests/realtime/users/watchlists_test.ts",
  ],
  "realtime/protocol/close_codes.ts": "tests/realtime/protocol/close_codes_test.ts",
  "realtime/protocol/frame.ts": `${commands}/handle_message_test.ts`,
  "realtime/protocol/client_versions.ts": "tests/realtime/protocol/client_versions_test.ts",
}, {
  "realtime/app_config.ts": [
    [
      "channel.startsWith(reserved.prefix)",
      "false",
      "an app's server signs for the channels of Rollcall's own pages",
    ],
    [
      "reserved && isReserved(app, channel) ?",
      "reserved ?",
      "an app's own private channels are refused",
    ],
  ],
  "realtime/protocol/channel_names.ts": [
    ["{1,164}$/", "{1,200}$/", "channel names longer than Pusher's are accepted"],
    ["/^[A-Za-z0-9_", "/^[A-Za-z0-9_ ", "channel names with spaces are accepted"],
    [
      'if (name.startsWith("presence-")) return "presence";',
      "",
      "a presence channel is open to all",
    ],
    [
      'return name.startsWith("private-") ? "private" : "public";',
      'return "public";',
      "a private channel is open to all",
    ],
    ['&& !name.startsWith("#")', "", "a user's own channel counts as one that is open to all"],
    [
      'name.startsWith("private-encrypted-")',
      "false",
      "client events are relayed in encrypted channels",
    ],
    [
      "(private-encrypted-|private-|presence-)?cache-",
      "(private-|presence-)?cache-",
      "encrypted cache channels keep nothing",
    ],
    ["&& idLength <= maxUserIdLength", "", "a user's channel has an id of any length"],
  ],
  "realtime/protocol/signature.ts": [
    ["if (key !== app.key) {", "if (false) {", "a signature with another app's key is accepted"],
    [
      "if (!isSameText(signature, digest(app, text))) {",
      "if (false) {",
      "every signature is accepted",
    ],
    [
      "channelData === undefined ? text : `${text}:${channelData}`",
      "text",
      "a client may change the user that its signature is for",
    ],
    [
      "const text = `${socketId}:${channel}`;",
      "const text = `${channel}`;",
      "a signature is valid for other connections",
    ],
    [
      "${method.toUpperCase()}\\n${path}\\n${parameters}",
      "${path}\\n${parameters}",
      "a signed GET is valid as a POST",
    ],
    [
      "text.length > 500 ? `${text.slice(0, 500)}…` : text",
      "text",
      "an error repeats text of any length",
    ],
  ],
  "realtime/protocol/constant_time.ts": [
    [
      "if (given.length !== expected.length) return false;\n",
      "",
      "what follows a signature is ignored",
    ],
    ["difference |=", "difference =", "the last digit of a signature alone is checked"],
  ],
  "realtime/protocol/incoming.ts": [
    [
      "event: z.string().min(1).max(200)",
      "event: z.string()",
      "event names of any length are accepted",
    ],
    ["z.int().transform(String)", "z.int()", 'users 10 and "10" are two'],
    ["auth: z.string().nullish()", "auth: z.string()", "a public channel needs a signature"],
    [
      "channel_data: z.string().nullish()",
      "channel_data: z.string()",
      "a private channel needs channel_data",
    ],
    ["if (nestsDeeperThan(text, 32))", "if (false)", "JSON nested without end is parsed"],
    [
      "if (code === codes.backslash) index++;\n      else if",
      "if",
      "an escaped quote ends a string",
    ],
    [
      "else if (code === codes.quote) inString = true;\n    else",
      "else",
      "brackets in a text count as nesting",
    ],
    [
      'const where = path.length > 0 ? ` at ${path.join(".")}` : "";',
      'const where = "";',
      "an error does not name the field",
    ],
    [
      "watchlist: z.array(userId).nullish()",
      "watchlist: z.array(userId)",
      "a sign-in without watchlist is refused",
    ],
    [
      "(name) => isChannelName(name) || isUserChannelName(name)",
      "(name) => isChannelName(name)",
      "a user cannot subscribe to its own channel",
    ],
  ],
  "realtime/protocol/outgoing.ts": [
    ["filter(([, ids]) => ids.length > 0)", "filter(() => true)", "a watchlist event names no one"],
    ["data, user_id: userId })", "data })", "a client event does not say who sent it"],
    [
      "code: number | null = null",
      "code: number | null = 4000",
      "an error that closes nothing has the code of a close",
    ],
    ["{ user_data: userData }", "{ userData }", "pusher-js does not recognize that it signed in"],
    ["{ subscription_count: count }", "{ count }", "pages do not get the subscription count", [
      "tests/realtime/channels/subscription_counts_test.ts",
      "tests/realtime/channels/hub_test.ts",
    ]],
    ['"user_info":${info}}', '"user_info":{}}', "a new member has no user_info"],
  ],
  "realtime/protocol/frame.ts": [
    [
      "beyondAscii.test(text) ? encoder.encode(text).length : text.length",
      "text.length",
      "limits count characters instead of bytes",
    ],
  ],
  "realtime/protocol/close_codes.ts": [
    ["overCapacity: 4100", "overCapacity: 4004", "clients stop for good when the server is full"],
    ["reconnect: 4200", "reconnect: 4000", "clients do not come back after a restart"],
  ],
});
