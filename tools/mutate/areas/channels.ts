import { mutationsOf } from "../mutation.ts";

const folder = "tests/realtime/channels";
const hubTests = [`${folder}/hub_test.ts`, `${folder}/hub_with_local_broker_test.ts`];
const model = "tests/realtime/presence_model_test.ts";

/** Who is in a channel, what its subscribers receive, and how long it is kept. */
export const channels = mutationsOf({
  "realtime/channels/channel.ts": [...hubTests, model],
  "realtime/channels/hub.ts": [...hubTests, `${folder}/event_cache_test.ts`, model],
  "realtime/channels/channel_quota.ts": hubTests,
  "realtime/channels/event_cache.ts": [...hubTests, `${folder}/event_cache_test.ts`],
  "realtime/channels/subscription_counts.ts": `${folder}/subscription_counts_test.ts`,
}, {
  "realtime/channels/channel.ts": [
    [
      "if (this.members.has(userId)) return true;",
      "",
      "a member's second tab is refused when the channel is full",
    ],
    ["size - this.#guests) < maxMembers", "size) < maxMembers", "guests take room from users"],
    [
      "super.isEmpty && this.#waiting.size === 0 && this.tracker.size === 0",
      "super.isEmpty && this.#waiting.size === 0",
      "a channel is closed while a user is in its leave grace",
    ],
    [
      "this.subscribers.size + this.#waiting.size - this.#observers.size",
      "this.subscribers.size - this.#observers.size",
      "connections that wait for their member are not counted",
    ],
    [
      "this.#waiting.delete(subscriber);\n    this.#observers",
      "this.#observers",
      "a subscriber who left while waiting is subscribed later",
    ],
    [
      "if (userId === undefined ? !this.members.isKnown : !this.members.has(userId)) continue;",
      "",
      "a subscriber gets a member list without itself",
    ],
    [
      "if (needsSnapshot) this.context.broker.snapshot(this.name);",
      "",
      "a list that missed events stays wrong",
    ],
    [
      "this.send(frame, { except });",
      "this.send(frame);",
      "the sender of an event gets it back",
    ],
    [
      "      context.expired(this);\n",
      "",
      "a channel stays open after its last user's leave grace",
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
      "    this.#quota.closed(channel);\n    this.#context.broker.close(channel.name);",
      "    this.#context.broker.close(channel.name);",
      "closed channels count towards the limit",
    ],
    [
      "this.channels.has(name) ? undefined : this.#quota",
      "this.#quota",
      "no one can join a channel that is open when the limit of channels is reached",
    ],
    [
      "if (isCacheChannel(name)) {\n      connection.send(",
      "if (!isCacheChannel(name)) {\n      connection.send(",
      "a new subscriber of a cache channel does not get the last event",
    ],
    [
      "|| this.#isHeld) return;",
      ") return;",
      "subscribers get a count for each connection that a stopping server closes",
      ["tests/realtime/channels/hub_test.ts"],
    ],
    [
      "if (isCacheChannel(name)) this.#cache.put(",
      "if (true) this.#cache.put(",
      "events of every channel are kept",
    ],
    [
      "this.#context.broker.publish(name, frame, sender);",
      "this.#context.broker.publish(name, frame);",
      "who sends a client event gets it back",
      ["tests/realtime/commands/client_events_test.ts"],
    ],
    ["    this.#context.grace.hold();", "", "a restart shows all users leaving"],
    ["    this.#cache.clear();\n", "", "a closed app keeps its cached events"],
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
  "realtime/channels/event_cache.ts": [
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
    [
      "const maxImmediate = 100;",
      "const maxImmediate = 1_000;",
      "each join of a large channel sends to all",
    ],
    ["this.#changed.set(channel, true);", "{}", "the last count of an interval is never sent"],
    [
      "if (size > 0) this.#send(channel);",
      "this.#send(channel);",
      "an empty channel has its count sent",
    ],
    [
      "    if (this.#changed.get(channel)) this.#sendAndWait(channel);\n    else this.#changed.delete(channel);",
      "    this.#sendAndWait(channel);",
      "the count is sent for ever",
    ],
  ],
});
