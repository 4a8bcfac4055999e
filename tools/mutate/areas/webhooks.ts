import { mutationsOf } from "../mutation.ts";

const folder = "tests/realtime/webhooks";

/** What apps' servers are told, and what becomes of events that they do not take. */
export const webhooks = mutationsOf({
  "realtime/webhooks/batch.ts": [`${folder}/webhook_queue_test.ts`, `${folder}/outbox_test.ts`],
  "realtime/webhooks/deliveries.ts": [
    `${folder}/webhook_sender_test.ts`,
    `${folder}/outbox_test.ts`,
    `${folder}/logged_events_test.ts`,
  ],
  "realtime/webhooks/outbox.ts": [`${folder}/outbox_test.ts`, `${folder}/logged_events_test.ts`],
  "realtime/webhooks/outbox_departures.ts": `${folder}/outbox_departures_test.ts`,
  "realtime/webhooks/outbox_events.ts": `${folder}/outbox_departures_test.ts`,
  "realtime/webhooks/pending_departures.ts": [
    `${folder}/pending_departures_test.ts`,
    `${folder}/logged_events_test.ts`,
  ],
  "realtime/webhooks/webhook_events.ts": `${folder}/webhooks_test.ts`,
  "realtime/webhooks/webhook_queue.ts": `${folder}/webhook_queue_test.ts`,
  "realtime/webhooks/webhook_sender.ts": `${folder}/webhook_sender_test.ts`,
}, {
  "realtime/webhooks/outbox.ts": [
    [
      "if (isDone) batch.secured();",
      "if (!isDone) batch.secured();",
      "what waits for a receiver stays in the log, and comes again with another server",
    ],
    [
      "    for (const batch of batches) batch.secured();\n",
      "",
      "delivered events stay in the log, and come again with another server",
    ],
    [
      "    this.forget(batches.filter(({ saved }) => saved).map(({ id }) => id));",
      "",
      "delivered events are sent again after a restart",
    ],
    [
      "      this.#obsolete.push(...obsolete);\n",
      "",
      "a database that fails once makes delivered events come again",
    ],
    [
      "for (const { batch } of unsaved) batch.saved = false;",
      "",
      "events that could not be saved are never saved",
    ],
    ["    await this.#write(this.#unsaved(), more);\n", "", "a stop loses what waits"],
    [
      "for (const { batch } of unsaved) batch.saved = batch.sealed = true;",
      "for (const { batch } of unsaved) batch.saved = true;",
      "events are added to a batch that is saved already, and lost",
    ],
  ],
  "realtime/webhooks/outbox_departures.ts": [
    [
      'reason: "server_restart"',
      'reason: "closed"',
      "a user who did not return after a restart is said to have closed the page",
    ],
    [
      "({ appId }) => appId)",
      "() => pending[0].appId)",
      "an app's departures are sent to another app",
    ],
  ],
  "realtime/webhooks/outbox_events.ts": [
    [
      'String(number).padStart(12, "0")',
      "String(number)",
      "saved events come in another order after a restart",
    ],
  ],
  "realtime/webhooks/pending_departures.ts": [
    [
      "    this.#cancel(this.#pending.get(keyOf(pending)));\n",
      "",
      "a departure that the log repeats is reported twice",
    ],
    [
      "        secured?.();\n        return false;",
      "        return false;",
      "a return stays in the log for ever",
    ],
    [
      "if (!this.#returned(event, appId)) return true;",
      "return true;",
      "a user who reloads the page is reported as having come",
    ],
    [
      "Math.max(0, returnMs - presenceGraceMs)",
      "returnMs",
      "a departure is reported after both waits together",
    ],
    ["if (this.#pending.size <= this.#options.max) return;", "", "no departure waits for a return"],
    [
      "    this.#cancel(pending);\n    return",
      "    return",
      "a user who reloads the page is reported as gone",
    ],
    [
      "JSON.stringify([appId, departure.channel,",
      "JSON.stringify([departure.channel,",
      "a user who comes to another app counts as returned",
    ],
    [
      '"userId" in departure && departure.userId]',
      "]",
      "another user who comes counts as the one who returned",
    ],
    [
      "    this.#restored.hold();\n",
      "",
      "a stopping server reports departures that may still return",
    ],
  ],
  "realtime/webhooks/webhook_events.ts": [
    ["user_id: event.userId", "user: event.userId", "a membership event does not name its user"],
    ["socket_id: socketId,", "", "a client event does not name its socket"],
    [
      "events === undefined || events.includes(name)",
      "events !== undefined && events.includes(name)",
      "a webhook without a list of events receives none",
    ],
    [
      "subscription_count: event.count",
      "count: event.count",
      "a count does not have Pusher's name",
    ],
  ],
  "realtime/webhooks/webhook_queue.ts": [
    [
      "|| isPublic && !this.#hasPublicRoomFor(bytes)) return false;",
      ") return false;",
      "strangers fill the queue with events of public channels",
    ],
    ["this.#bytes + bytes <= maxQueuedBytes;", "true;", "the queue has no limit of bytes"],
    ["this.#events + events <= maxQueuedEvents &&", "", "the queue has no limit of events"],
    [
      "if (now < this.#pausedUntil) return undefined;",
      "",
      "a receiver that is down gets every batch at once",
    ],
    [
      "if (batch) batch.sealed = true;",
      "",
      "events are added to a batch that is being sent, and lost",
    ],
    ["    this.#failuresInRow = 0;\n", "", "a receiver that is back is still treated as failing"],
    ["now + this.#wait(batch.attempts);", "now;", "a refused batch is retried without a pause"],
    ["expiresAt <= now);", "expiresAt < 0);", "events are retried for ever"],
    ["      this.#events -= events;\n", "", "the queue is full after enough deliveries"],
    [
      "      this.#publicEvents -= publicEvents;\n",
      "",
      "events of public channels are refused after enough deliveries",
    ],
    [
      "since + this.#options.limits.keepMs);",
      "now + this.#options.limits.keepMs);",
      "each restart lets old events live longer",
    ],
  ],
  "realtime/webhooks/webhook_sender.ts": [
    [
      "status >= 200 && status < 300",
      "status >= 200 && status < 400",
      "a redirect counts as delivered",
    ],
    [
      "unavailableStatuses = new Set([408, 429, 502, 503, 504])",
      "unavailableStatuses = new Set([408, 502, 503, 504])",
      "a receiver that asks for a pause gets the next batch at once",
    ],
    ["outcome && !this.#stopped", "outcome", "a stop counts as a failure of the receiver"],
    [
      "const cancel = clock.after(limits.answerMs, () => {",
      "const cancel = clock.after(10 * limits.answerMs, () => {",
      "a receiver that does not answer holds all events",
    ],
    [
      "      controller.abort();\n    });",
      "    });",
      "a receiver that does not answer stops all deliveries",
    ],
    [
      'this.#giveUp("notConfigured", this.#queue.clear());',
      "this.#queue.clear();",
      "events of a removed webhook are dropped without being counted",
    ],
    [
      "if (this.#queue.failuresInRow === 1) this.#warn",
      "this.#warn",
      "each failed attempt is a line of the log",
    ],
    [
      'late ? "no answer in time" : "no answer"',
      '"no answer"',
      "the log does not tell a slow receiver from one that is down",
    ],
    ["    this.#options.done([batch]);\n", "", "delivered events stay in the database", [
      `${folder}/outbox_test.ts`,
    ]],
    [
      "URL.parse(webhook.url)?.origin",
      "webhook.url",
      "the log shows a secret of the webhook's address",
    ],
    [
      "    this.#abort?.();\n    await",
      "    await",
      "a stop waits for a receiver that does not answer",
    ],
  ],
  "realtime/webhooks/deliveries.ts": [
    [
      "if (ageMs >= limits.keepMs) {",
      "if (false) {",
      "events from days ago are sent after a restart",
    ],
    [
      "(one, other) => one.id < other.id ? -1 : 1",
      "(one, other) => one.id < other.id ? 1 : -1",
      "events come in the wrong order after a restart",
    ],
    [
      ".add(text, isPublic, each);",
      ".add(text, false, each);",
      "strangers fill the queue with events of public channels",
    ],
    [
      "if (this.#stopped) return;\n    if (app.webhooks",
      "if (app.webhooks",
      "a stopped server takes events that it loses",
    ],
    [
      "for (const webhook of webhooks) {\n      this.#sender(app.id",
      "for (const webhook of webhooks.slice(0, 1)) {\n      this.#sender(app.id",
      "only the first of several webhooks receives",
    ],
    [
      "await this.#outbox.stop(recordsOf(pending, () => this.#begin()));",
      "await this.#outbox.stop([]);",
      "users who left just before a restart stay online for the app's server",
    ],
    ["    if (inRow > 1) return;\n", "", "each failed save is a line of the log"],
    [
      "Math.max(acceptedAt, this.#newest + 1)",
      "acceptedAt",
      "events come in the wrong order after a change of servers whose clocks differ",
    ],
    [
      "this.#pending.stop().filter(({ secured }) => !secured);",
      "this.#pending.stop();",
      "a departure is reported twice when another server takes over",
    ],
    [
      "if (--left === 0) callback();",
      "callback();",
      "an event that one of two webhooks has is lost for the other in a crash",
    ],
  ],
});
