import { mutationsOf } from "../mutation.ts";

const folder = "tests/realtime/commands";

/** What clients may send, and what follows. */
export const commands = mutationsOf({
  "realtime/commands/client_events.ts": `${folder}/client_events_test.ts`,
  "realtime/commands/handle_message.ts": `${folder}/handle_message_test.ts`,
  "realtime/commands/member.ts": [`${folder}/subscribe_test.ts`, `${folder}/sign_in_test.ts`],
  "realtime/commands/report_page.ts": `${folder}/report_page_test.ts`,
  "realtime/channels/reported_pages.ts": `${folder}/report_page_test.ts`,
  "realtime/commands/sign_in.ts": [
    `${folder}/sign_in_test.ts`,
    "tests/realtime/users/watchlists_test.ts",
  ],
  "realtime/commands/subscribe.ts": [
    `${folder}/subscribe_test.ts`,
    "tests/realtime/limits_test.ts",
  ],
  "realtime/commands/context.ts": [`${folder}/subscribe_test.ts`, "tests/realtime/limits_test.ts"],
  "realtime/users/watchlists.ts": "tests/realtime/users/watchlists_test.ts",
}, {
  "realtime/commands/report_page.ts": [
    [
      "connection.subscriptions.get(channel)?.userId !== undefined",
      "connection.subscriptions.has(channel)",
      "an observer's page is not refused",
    ],
  ],
  "realtime/channels/reported_pages.ts": [
    [
      "if (connection.subscriptions.get(channel) !== subscription) return;",
      "",
      "a page comes back that a tab left",
    ],
    [
      "} else this.#waiting.set(connection, { channel, page, subscription });",
      "}",
      "the last page of a second is lost",
    ],
    ["this.#recent.add(connection);", "", "a page changes more than once a second"],
  ],
  "realtime/commands/client_events.ts": [
    [
      "if (!clientEvents) return refuse(",
      "if (false) return refuse(",
      "client events are relayed for apps that switched them off",
    ],
    ["|| !subscription) {", ") {", "a client sends events to channels that it is not in"],
    [
      "if (fault !== undefined) return refuse(context, fault);",
      "",
      "client events are relayed in public channels",
    ],
    ["if (sizeOf(data) > maxEventBytes) {", "if (false) {", "client events have no limit of size"],
    [
      "return refuse(context, message, errorCodes.clientEventRate);",
      "",
      "client events have no limit of rate",
    ],
    [
      "message, errorCodes.clientEventRate)",
      "message)",
      "a client does not learn that it sends too fast",
    ],
    [
      "clientEvent(channel, event, data, userId), socketId",
      "clientEvent(channel, event, data), socketId",
      "a client event does not say who sent it",
    ],
    [
      'app.emit({ name: "client_event", channel, event, data, socketId, userId });',
      "",
      "apps' servers get no webhook of client events",
      ["tests/realtime/events/server_events_test.ts"],
    ],
  ],
  "realtime/commands/handle_message.ts": [
    [
      "if (!connection.messages.allows(now, maxMessagesPerSecond)) {",
      "if (false) {",
      "messages have no limit of rate",
      ["tests/realtime/limits_test.ts"],
    ],
    [
      'if (typeof data !== "string") return refuse(context, "Binary frames are not supported");',
      'if (typeof data !== "string") return;',
      "a binary frame gets no answer",
    ],
    ["if (byteLength(data) > maxFrameBytes) {", "if (false) {", "frames have no limit of size"],
    ['["pusher:pong", () => {}],', "", "a client's pong is answered with an error"],
    ["connection.send(pong)", "{}", "a client's ping gets no answer, so that it connects again"],
    [
      "const now = connection.lastFrameAt = clock.now();",
      "const now = clock.now();",
      "active users are shown as inactive",
      ["tests/realtime/channels/members_test.ts", "tests/realtime/commands/handle_message_test.ts"],
    ],
    ["  refuse(context, `Unknown event ${event}`);", "", "an unknown event gets no answer"],
  ],
  "realtime/commands/member.ts": [
    ["byteLength(text) <= presenceMaxInfoBytes", "true", "user_info has no limit of size"],
    [
      "JSON.stringify(info ?? {})",
      "JSON.stringify(info)",
      "a member without user_info breaks the member list",
    ],
  ],
  "realtime/commands/sign_in.ts": [
    [
      "if (!verified.ok) return reject(context, verified);",
      "",
      "a client signs in as any user",
    ],
    [
      "&& connection.user.id !== user.value.id) {",
      "&& false) {",
      "a connection signs in as a second user",
    ],
    ["  if (connection.user) return;\n", "", "signing in twice counts the user twice"],
    [
      "app.settings.watchlist ? user.value.watchlist : []",
      "user.value.watchlist",
      "watchlists work for apps that switched them off",
    ],
    ["isTooLong ? [] : [...watched]", "[...watched]", "a watchlist has no limit of length"],
    [
      "data.id === id ? userData : JSON.stringify({ ...data, id })",
      "userData",
      "pusher-js does not sign in users whose id is a number",
    ],
  ],
  "realtime/commands/subscribe.ts": [
    [
      "if (connection.subscriptions.has(channel)) {",
      "if (false) {",
      "a connection is twice in a channel",
    ],
    ["if (exceedsLimit(context, channel)) return;", "", "subscriptions have no limit"],
    [
      "if (fault) return rejectSubscription(context, channel, fault);",
      "",
      "private channels are open to all",
    ],
    ["if (exceedsBudget(context, channel)) return;", "", "a client joins and leaves without end", [
      "tests/attacks/toggled_subscriptions_test.ts",
    ]],
    [
      'if (kind !== "public") app.authorized(connection);',
      "app.authorized(connection);",
      "a stranger's socket stays open by a public channel",
      ["tests/realtime/admission_test.ts"],
    ],
    [
      "isOwn = user !== undefined && channel === serverToUserChannel(user.id)",
      "isOwn = user !== undefined",
      "users read other users' events",
      ["tests/realtime/commands/sign_in_test.ts"],
    ],
    [
      "const signer = signerFor(app.settings, channel);",
      "const signer = app.settings;",
      "an app's own server signs for the channels of Rollcall's pages",
      ["tests/realtime/reserved_channels_test.ts"],
    ],
    [
      "if (!isReserved(app.settings, channel)) return result;",
      "return undefined;",
      "a wrong signature opens a private channel",
    ],
    [
      "Math.max(leastRejoinCost, 2 * presence.toldOfChanges)",
      "1",
      "one address makes a large channel send all the time",
      ["tests/attacks/toggled_subscriptions_test.ts"],
    ],
    [
      "|| !isCounted) return false;",
      ") return false;",
      "users behind a proxy that hides addresses are refused",
      ["tests/attacks/toggled_subscriptions_test.ts"],
    ],
    ["return user ?? ", "return ", "a signed-in user needs channel_data", [
      "tests/realtime/commands/sign_in_test.ts",
    ]],
    [
      'if (channelKind(channel) === "presence") connection.hasLeftPresence = true;',
      "",
      "who joins and leaves again and again is not limited",
      ["tests/attacks/toggled_subscriptions_test.ts"],
    ],
    [
      "connection.subscriptions.size >= max",
      "connection.subscriptions.size > max",
      "a connection has one channel more than the limit",
    ],
  ],
  "realtime/commands/context.ts": [
    ["if (limit) refusals.count(limit, connection);", "", "refused subscriptions are not counted"],
    [
      "subscriptionError(channel, data)",
      "",
      "a page does not learn that its subscription was refused",
    ],
    [
      '{ type: "AuthError", error, status: 401 }',
      '{ type: "AuthError", error, status: 403 }',
      "a page says that its user was signed out",
    ],
  ],
});
