import type { Story } from "@/tools/mutate/story.ts";

/** What users would notice of faults, and the tests that notice them first. */
export const stories: readonly Story[] = [
  {
    what: "a member whose update a server missed leaves and joins there",
    file: "realtime/channels/member_list.ts",
    from: "const isUpdated = member.isUpdated || listed.member.isUpdated;",
    to: "const isUpdated = false;",
    tests: ["tests/realtime/channels/member_list_test.ts"],
  },
  {
    what: "a reload makes an active user idle for a moment",
    file: "realtime/channels/user_activity.ts",
    from: "isLeaving ? [before, ...tabs] : tabs",
    to: "tabs",
    tests: ["tests/realtime/channels/user_activity_test.ts"],
  },
  {
    what: "an idle tab makes a user idle who is active in another",
    file: "realtime/channels/user_activity.ts",
    from: 'if (one.state !== other.state) return one.state === "active";',
    to: "",
    tests: ["tests/realtime/channels/user_activity_test.ts"],
  },
  {
    what: "a member's second tab is refused when the channel is full",
    file: "realtime/channels/presence_channel.ts",
    from: "if (this.members.has(userId)) return true;",
    to: "",
    tests: [
      "tests/realtime/channels/hub_test.ts",
      "tests/realtime/brokers/local_broker_test.ts",
    ],
  },
  {
    what: "subscribers get a count for each connection that a stopping server closes",
    file: "realtime/channels/hub.ts",
    from: `    if (this.#isPaused && !broker.isShared) return;
`,
    to: "",
    tests: ["tests/realtime/channels/hub_test.ts"],
  },
  {
    what: "strangers' public channels leave no room for private ones",
    file: "realtime/channels/channel_limits.ts",
    from: "if (!isOpenToAll(name)) return undefined;",
    to: "",
    tests: [
      "tests/realtime/channels/hub_test.ts",
    ],
  },
  {
    what: "a missed event goes unnoticed",
    file: "realtime/channels/member_list.ts",
    from: "if (event.previous !== this.#version) return { changes: [], needsSnapshot: true };",
    to: "",
    tests: ["tests/realtime/channels/member_list_test.ts"],
  },
  {
    what: "an old snapshot brings back who left",
    file: "realtime/channels/member_list.ts",
    from: "&& version < this.#version) return unchanged;",
    to: "&& false) return unchanged;",
    tests: ["tests/realtime/channels/member_list_test.ts"],
  },
  {
    what: "deadlines come while they are held",
    file: "realtime/timing/clock.ts",
    from: "if (this.#cancel || this.#isPaused) return;",
    to: "if (this.#cancel) return;",
    tests: ["tests/realtime/timing/timing_test.ts"],
  },
  {
    what: "costly calls cost as little as cheap ones",
    file: "realtime/timing/budget.ts",
    from: "this.#spent += cost;",
    to: "this.#spent += 1;",
    tests: ["tests/realtime/timing/timing_test.ts"],
  },
  {
    what: "a slow reader takes the memory of others",
    file: "realtime/connections/connection.ts",
    from: "this.#credit -= bytes + frameOverhead;",
    to: "",
    tests: [
      "tests/realtime/connections/connection_end_test.ts",
      "tests/realtime/connections/pacer_test.ts",
      "tests/realtime/channels/paced_delivery_test.ts",
    ],
  },
  {
    what: "sent frames are not counted",
    file: "realtime/connections/connection.ts",
    from: `    this.#sentFrames++;
`,
    to: "",
    tests: [
      "tests/realtime/connections/connection_end_test.ts",
      "tests/realtime/connections/pacer_test.ts",
      "tests/realtime/channels/paced_delivery_test.ts",
    ],
  },
  {
    what: "a long reason makes the close fail",
    file: "realtime/protocol/close_codes.ts",
    from: 'return byteLength(reason) <= maxReasonBytes ? reason : "";',
    to: "return reason;",
    tests: [
      "tests/realtime/connections/connection_end_test.ts",
      "tests/realtime/connections/pacer_test.ts",
      "tests/realtime/channels/paced_delivery_test.ts",
    ],
  },
  {
    what: "a connection is closed twice",
    file: "realtime/connections/connection.ts",
    from: "if (!this.#release(departure)) return;",
    to: "this.#release(departure);",
    tests: [
      "tests/realtime/connections/connection_end_test.ts",
      "tests/realtime/connections/pacer_test.ts",
      "tests/realtime/channels/paced_delivery_test.ts",
    ],
  },
  {
    what: "closes of slow readers are not counted",
    file: "realtime/connections/connection.ts",
    from: `this.#listener.exceeded(limit, this);
    this.close(closes.sendBufferFull)`,
    to: "this.close(closes.sendBufferFull)",
    tests: [
      "tests/realtime/connections/connection_end_test.ts",
      "tests/realtime/connections/pacer_test.ts",
      "tests/realtime/channels/paced_delivery_test.ts",
    ],
  },
  {
    what: "what waits for one reader is not counted",
    file: "realtime/connections/send_queue.ts",
    from: `    this.#ownBytes += frame.bytes;
`,
    to: "",
    tests: [
      "tests/realtime/connections/pacer_test.ts",
      "tests/realtime/channels/paced_delivery_test.ts",
    ],
  },
  {
    what: "a reader that catches up is closed as too slow",
    file: "realtime/connections/send_queue.ts",
    from: `    this.#ownBytes -= frame.bytes;
`,
    to: "",
    tests: [
      "tests/realtime/connections/pacer_test.ts",
      "tests/realtime/channels/paced_delivery_test.ts",
    ],
  },
  {
    what: "a client that only sends faults is never closed",
    file: "realtime/connections/connection.ts",
    from: "++this.#errors > this.#listener.maxErrors && this.isOpen",
    to: "false",
    tests: [
      "tests/realtime/connections/connection_end_test.ts",
      "tests/realtime/connections/pacer_test.ts",
      "tests/realtime/channels/paced_delivery_test.ts",
    ],
  },
  {
    what: "an address has one connection more than its limit",
    file: "realtime/connections/connection_limits.ts",
    from: ">= maxPerAddress;",
    to: "> maxPerAddress;",
    tests: ["tests/realtime/connections/connection_limit_test.ts"],
  },
  {
    what: "a peer that vanished is never closed",
    file: "realtime/connections/closing.ts",
    from: `if (before && isSame(before, peer)) stalled.push(peer);
      else suspects`,
    to: "suspects",
    tests: ["tests/realtime/connections/pacer_test.ts"],
  },
  {
    what: "a private channel is open to all",
    file: "realtime/protocol/channel_names.ts",
    from: 'return name.startsWith("private-") ? "private" : "public";',
    to: 'return "public";',
    tests: ["tests/realtime/protocol/protocol_test.ts"],
  },
  {
    what: "JSON nested without end is parsed",
    file: "realtime/protocol/incoming.ts",
    from: "if (nestsDeeperThan(text, 32))",
    to: "if (false)",
    tests: ["tests/realtime/protocol/incoming_test.ts"],
  },
  {
    what: "clients stop for good when the server is full",
    file: "realtime/protocol/close_codes.ts",
    from: "overCapacity: 4100",
    to: "overCapacity: 4004",
    tests: ["tests/realtime/protocol/protocol_test.ts"],
  },
  {
    what: "a stopping server reports departures that may still return",
    file: "realtime/webhooks/pending_departures.ts",
    from: `    this.#restored.pause();
`,
    to: "",
    tests: [
      "tests/realtime/webhooks/waiting_events_test.ts",
      "tests/realtime/webhooks/logged_events_test.ts",
    ],
  },
  {
    what: "events of public channels are refused after enough deliveries",
    file: "realtime/webhooks/webhook_queue.ts",
    from: `      change(this.#sizes.ofPublic, publicSizeOf(batch), -1);
`,
    to: "",
    tests: ["tests/realtime/webhooks/webhook_queue_test.ts"],
  },
  {
    what: "a receiver that asks for a pause gets the next batch at once",
    file: "realtime/webhooks/webhook_sender.ts",
    from: "unavailableStatuses = new Set([408, 429, 502, 503, 504])",
    to: "unavailableStatuses = new Set([408, 502, 503, 504])",
    tests: ["tests/realtime/webhooks/webhook_sender_test.ts"],
  },
  {
    what: "delivered events stay in the database",
    file: "realtime/webhooks/webhook_sender.ts",
    from: `    this.#outbox.done([batch]);
`,
    to: "",
    tests: ["tests/realtime/webhooks/outbox_test.ts"],
  },
  {
    what: "a stopped server takes events that it loses",
    file: "realtime/webhooks/deliveries.ts",
    from: `if (this.#stopped) return;
    if (app.webhooks`,
    to: "if (app.webhooks",
    tests: [
      "tests/realtime/webhooks/webhook_sender_test.ts",
      "tests/realtime/webhooks/outbox_test.ts",
      "tests/realtime/webhooks/logged_events_test.ts",
    ],
  },
  {
    what: "a stop loses what waits",
    file: "realtime/webhooks/outbox.ts",
    from: `    await this.#write(this.#unsaved(), this.#obsolete.splice(0), more);
`,
    to: "",
    tests: [
      "tests/realtime/webhooks/outbox_test.ts",
      "tests/realtime/webhooks/logged_events_test.ts",
    ],
  },
  {
    what: "events are retried for ever",
    file: "realtime/webhooks/webhook_queue.ts",
    from: "expiresAt <= now && (attempts",
    to: "expiresAt < 0 && (attempts",
    tests: ["tests/realtime/webhooks/webhook_queue_test.ts"],
  },
  {
    what: "a removed user stays at a server that was partitioned",
    file: "realtime/cluster/bus/commands.ts",
    from: `      this.#missedSince ??= clock.now() - unnoticedMs;
`,
    to: "",
    tests: ["tests/realtime/cluster/bus/commands_test.ts"],
  },
  {
    what: "users of another worker leave when the coordinator was killed",
    file: "realtime/cluster/state/memory/leases.ts",
    from: "return this.#isLossy && !this.isSettled;",
    to: "return false;",
    tests: ["tests/realtime/cluster/state/memory/memory_test.ts"],
  },
  {
    what: "a worker waits for an answer that the coordinator sends only with the next one",
    file: "realtime/cluster/coordinator/lines.ts",
    from: "setImmediate(() => void this.#write().catch((error) => this.close(error)));",
    to: "setImmediate(() => void this.#write().finally(() => this.#isWriting = true));",
    tests: ["tests/realtime/cluster/coordinator/lines_test.ts"],
  },
  {
    what: "two servers are the leader after a slow answer of Redis",
    file: "realtime/cluster/leader/leadership.ts",
    from: "askedAt + leaseMs * (1 - margin)",
    to: "answeredAt + leaseMs",
    tests: ["tests/realtime/cluster/leader/leadership_test.ts"],
  },
];
