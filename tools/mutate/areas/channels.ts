import { mutationsOf } from "../mutation.ts";

const folder = "tests/realtime/channels";
const hubTests = [`${folder}/hub_test.ts`, `${folder}/hub_with_local_broker_test.ts`];
const cacheTest = "tests/realtime/brokers/event_cache_test.ts";
const model = "tests/realtime/brokers/local_broker_test.ts";
const quietTests = [`${folder}/quiet_members_test.ts`];
const loudTests = ["tests/realtime/limits_test.ts"];

/** Who is in a channel, what its subscribers receive, and how long it is kept. */
export const channels = mutationsOf({
  "realtime/channels/channel.ts": [...hubTests, model],
  "realtime/channels/presence_channel.ts": [...hubTests, model],
  "realtime/channels/loud_audience.ts": quietTests,
  "realtime/channels/quiet_audience.ts": quietTests,
  "realtime/channels/loud_users.ts": [...hubTests, ...loudTests],
  "realtime/channels/presence_tracker.ts": `${folder}/presence_tracker_test.ts`,
  "realtime/channels/quiet_channels.ts": "tests/realtime/commands/quiet_flag_test.ts",
  "realtime/channels/member_counts.ts": quietTests,
  "realtime/channels/paced_counts.ts": `${folder}/subscription_counts_test.ts`,
  "realtime/channels/hub.ts": [...hubTests, cacheTest, model],
  "realtime/channels/channel_quota.ts": hubTests,
  "realtime/brokers/event_cache.ts": [...hubTests, cacheTest],
  "realtime/channels/subscription_counts.ts": `${folder}/subscription_counts_test.ts`,
  "realtime/brokers/local_broker.ts": "tests/realtime/brokers/local_broker_test.ts",
}, {
  "realtime/channels/channel.ts": [
    [
      "this.send(frame, { except });",
      "this.send(frame);",
      "the sender of an event gets it back",
    ],
  ],
  "realtime/channels/presence_channel.ts": [
    [
      "if (this.members.has(userId)) return true;",
      "",
      "a member's second tab is refused when the channel is full",
    ],
    [
      "this.quiet.size === 0 && this.waiting === 0 &&\n      this.tracker.size === 0",
      "this.quiet.size === 0 && this.waiting === 0",
      "a channel is closed while a user is in its leave grace",
    ],
    [
      "this.quiet.size + this.waiting - this.#observers.size",
      "this.quiet.size - this.#observers.size",
      "connections that wait for their member are not counted",
    ],
    [
      "this.subscribers.size + this.quiet.size + this.waiting",
      "this.subscribers.size + this.waiting",
      "connections of quiet members are not counted",
      quietTests,
    ],
    [
      "    yield* this.quiet;\n",
      "",
      "the pages of quiet members are missing among those that admins see",
      quietTests,
    ],
    [
      "index < 0 ? undefined : this.#waiting.splice(index, 1)[0]",
      "this.#waiting[index]",
      "a subscriber who left while waiting is subscribed later",
    ],
    [
      "if (isMeant && this.#mayEnter(part)) {",
      "if (true) {",
      "a subscriber gets a member list without itself",
    ],
    [
      "if (needsSnapshot) this.context.broker.snapshot(this.name);",
      "",
      "a list that missed events stays wrong",
    ],
    [
      "      context.expired(this);\n",
      "",
      "a channel stays open after its last user's leave grace",
    ],
    [
      "    this.quiet.send(frame, options);\n",
      "",
      "quiet members get no events",
      quietTests,
    ],
    [
      "    if (this.#isChanged) this.context.counted(this);\n",
      "",
      "quiet members never get another number",
      quietTests,
    ],
    [
      "userId, departure, !isQuiet",
      "userId, departure, true",
      "a quiet tab that closes takes a loud one's place",
      quietTests,
    ],
  ],
  "realtime/channels/loud_audience.ts": [
    [
      "    this.sendDepartures();\n    this.add(subscriber);",
      "    this.add(subscriber);",
      "a newcomer is told who left before it came",
    ],
    [
      "  #encodeList(): Frame {\n    this.sendDepartures();",
      "  #encodeList(): Frame {",
      "a slow newcomer is told who left before its list",
      [`${folder}/paced_delivery_test.ts`],
    ],
    [
      'if ("removed" in change) this.#departed.push(change.removed);',
      'if ("removed" in change) { this.#departed.push(change.removed); this.sendDepartures(); }',
      "members who leave at once are told of each other",
    ],
    [
      "SendOptions): void {\n    this.sendDepartures();",
      "SendOptions): void {",
      "a departure comes after what was sent after it",
    ],
  ],
  "realtime/channels/quiet_audience.ts": [
    [
      "    this.#newcomers.delete(subscriber);\n",
      "",
      "a connection that left in the turn in which it joined is sent the number",
      [`${folder}/quiet_members_test.ts`],
    ],
    ["    this.#newcomers.add(subscriber);\n", "", "one who joins a large room gets no number"],
    [
      "  sendCount(): void {\n    this.#newcomers.clear();",
      "  sendCount(): void {",
      "one who joins a small room gets the number twice",
    ],
  ],
  "realtime/channels/loud_users.ts": [
    ["isGuest ? size : size - guests", "size", "guests take room from users"],
  ],
  "realtime/channels/presence_tracker.ts": [
    [
      "if (loud === 0 && !leaving) this.loud.delete(userId);",
      "",
      "loud members who left take the places of others for ever",
    ],
    [
      "if (loud === 0 && !leaving) this.loud.delete(userId);",
      "if (loud === 0) this.loud.delete(userId);",
      "a loud member is refused when it reloads its page",
    ],
  ],
  "realtime/channels/quiet_channels.ts": [
    [
      "text.length >= start.length + end.length && ",
      "",
      "a pattern matches names that are too short",
    ],
    [
      "isPresence && isChannelName",
      "isChannelName",
      "a rule that matches no presence channel is accepted",
      ["tests/config/config_test.ts"],
    ],
  ],
  "realtime/channels/member_counts.ts": [
    [
      "Math.max(leastIntervalMs, quiet.size / mostPerSecond * 1_000)",
      "leastIntervalMs",
      "the number of a huge room takes a whole core",
    ],
    [
      "leastIntervalMs = 1_000;",
      "leastIntervalMs = 500;",
      "a large room is sent its number too often",
    ],
    [
      "Math.max(members.size, quiet.size)",
      "quiet.size",
      "a hundred quiet members of a large room are sent every change",
    ],
  ],
  "realtime/channels/hub.ts": [
    [
      "for (const name of connection.subscriptions.keys()) this.#leave(connection, name, departure);",
      "for (const name of [...connection.subscriptions.keys()].slice(0, 1)) this.#leave(connection, name, departure);",
      "a closed connection stays in its other channels",
    ],
    [
      "    this.#closeIfEmpty(channel);\n    return true;",
      "    return true;",
      "a channel without subscribers is never closed",
    ],
    [
      "    this.#quota.closed(channel);\n    if (channel instanceof",
      "    if (channel instanceof",
      "closed channels count towards the limit",
    ],
    [
      "this.channels.has(name) ? undefined : this.#quota",
      "this.#quota",
      "no one can join a channel that is open when the limit of channels is reached",
    ],
    [
      "if (isCacheChannel(name)) {\n      const frame",
      "if (!isCacheChannel(name)) {\n      const frame",
      "a new subscriber of a cache channel does not get the last event",
    ],
    [
      "    if (this.#isHeld && !broker.isShared) return;\n",
      "",
      "subscribers get a count for each connection that a stopping server closes",
      [`${folder}/hub_with_local_broker_test.ts`],
    ],
    [
      "this.#isHeld ? Math.max(1, count) : count + absent",
      "count + absent",
      "a channel is vacated while its only client moves from a server that stops",
      ["tests/cluster/node/counts_test.ts"],
    ],
    [
      "{ except, isKept: isCacheChannel(name) }",
      "{ except, isKept: true }",
      "events of every channel are kept",
    ],
    [
      "this.#context.broker.publish(name, frame, { except: sender });",
      "this.#context.broker.publish(name, frame);",
      "who sends a client event gets it back",
      ["tests/realtime/commands/client_events_test.ts"],
    ],
    ["    this.#context.grace.hold();", "", "a restart shows all users leaving"],
    ["    this.#context.broker.stop(isRemoved);\n", "", "a closed app keeps its cached events"],
  ],
  "realtime/brokers/local_broker.ts": [
    ["if (isKept) this.#cache.put(", "this.#cache.put(", "events that no channel keeps are kept"],
    ["    this.#cache.clear();\n", "", "a stopped broker keeps its cached events"],
    [
      "if (channel.members.has(member.id)) return;",
      "",
      "a user's second tab is reported as a member who joined",
    ],
    [
      "if (channel.members.size > 0) return;",
      "",
      "a channel is reported as vacated while it has members",
    ],
  ],
  "realtime/channels/channel_quota.ts": [
    [
      'if (this.#all.isFull) return "channels";',
      "",
      "the limit of channels is not kept",
    ],
    [
      "if (!isOpenToAll(name)) return undefined;",
      "",
      "strangers' public channels leave no room for private ones",
    ],
    [
      "maxConnectionsPerAddress === 0 ? 0 : maxPublicChannelsPerAddress",
      "maxPublicChannelsPerAddress",
      "public channels are limited per address behind a proxy that hides addresses",
    ],
    [
      "if (isOpenToAll(name)) this.#public.delete(openedFrom);",
      "",
      "an address that opened its share of public channels can never open another",
    ],
  ],
  "realtime/brokers/event_cache.ts": [
    ["cacheMs = 30 * 60_000", "cacheMs = 60 * 60_000", "events are kept longer than Pusher's"],
    ["if (this.#bytes <= maxBytes) break;", "", "the cache keeps nothing"],
    [
      "    this.#drop(channel);\n    this.#frames.set",
      "    this.#frames.set",
      "the bytes of replaced events are counted for ever",
    ],
    ["    this.#bytes -= frame.bytes;\n", "", "the cache fills up with events that are gone"],
    [
      "Math.ceil((this.#expiry.remaining(channel) ?? 0) / 1_000)",
      "Math.floor((this.#expiry.remaining(channel) ?? 0) / 1_000)",
      "an event that is still kept has a time to live of 0",
    ],
  ],
  "realtime/channels/subscription_counts.ts": [
    [
      "const intervalMs = 5_000;",
      "const intervalMs = 500;",
      "a large channel is sent its count too often",
    ],
  ],
  "realtime/channels/paced_counts.ts": [
    [
      "const maxImmediate = 100;",
      "const maxImmediate = 1_000;",
      "each join of a large channel sends to all",
    ],
    ["interval.isChanged = true;", "{}", "the last count of an interval is never sent"],
    [
      "if (isReceived) send(channel);",
      "send(channel);",
      "an empty channel has its count sent",
    ],
    [
      "      if (isChanged) this.#sendAndWait(channel);",
      "      this.#sendAndWait(channel);",
      "the count is sent for ever",
    ],
  ],
});
