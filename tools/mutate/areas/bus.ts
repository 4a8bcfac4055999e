import { mutationsOf } from "../mutation.ts";

const folder = "tests/cluster/bus";
const questions = `${folder}/bus_test.ts`;
const orders = `${folder}/orders_test.ts`;

/** What servers ask of each other, and order each other to do. */
export const bus = mutationsOf({
  "cluster/bus/pending_question.ts": questions,
  "cluster/bus/bus.ts": questions,
  "cluster/bus/changes.ts": `${folder}/changes_test.ts`,
  "cluster/bus/late_orders.ts": orders,
  "cluster/bus/message.ts": `${folder}/message_test.ts`,
  "cluster/bus/orders.ts": orders,
  "cluster/bus/servers_over_bus.ts": `${folder}/app_on_all_servers_test.ts`,
}, {
  "cluster/bus/pending_question.ts": [
    [
      "if (this.#answers.has(from) || (this.#only !== undefined && from !== this.#only)) return;",
      "if (this.#answers.has(from)) return;",
      "any server answers for the one that has a socket",
    ],
  ],
  "cluster/bus/bus.ts": [
    [
      "isSent && this.#others().every((server) => answered.has(server));",
      "isSent;",
      "tabs look complete though a server has not answered",
    ],
    [
      "const cannot = () => answer(undefined).catch(() => {});",
      "const cannot = () => {};",
      "pages are slow while servers of two releases run",
    ],
    [
      "    if (message.from === this.#own) return;\n",
      "",
      "a server does again what it ordered others to do",
    ],
  ],
  "cluster/bus/changes.ts": [
    [
      '      for (const [what, reading] of this.#reading) if (what !== "settings") reading.start();\n',
      "",
      "a server that was cut off keeps an old alert",
    ],
    [
      "        if (!this.#isStopped) this.#cancel = clock.after(retryMs, () => this.start());\n",
      "",
      "a server keeps an old alert after it could not be read",
    ],
  ],
  "cluster/bus/late_orders.ts": [
    [
      "connection.openedAt <= at && isMeant(order, connection)",
      "isMeant(order, connection)",
      "a user who was let in again is closed by a late order",
    ],
  ],
  "cluster/bus/message.ts": [
    [
      "if (v > version || !types.has(t))",
      "if (!types.has(t))",
      "messages of a later release are misread",
    ],
  ],
  "cluster/bus/orders.ts": [
    [
      "      this.#missedSince ??= clock.now() - unnoticedMs;\n",
      "",
      "a removed user stays at a server that was cut off",
    ],
    [
      "if (kind.isRemembered && !this.#remembered.add(order, clock.now())) return;",
      "if (kind.isRemembered) this.#remembered.add(order, clock.now());",
      "an order that comes twice closes those who came back",
    ],
    [
      "    this.#sendUnsent();\n    void this.#learn();",
      "    void this.#learn();",
      "a removal during an outage of Redis stays on one server",
    ],
    [
      "if (isComplete && returningForMs <= 0)",
      "if (isComplete)",
      "a removal is lost when Redis forgot the servers",
    ],
  ],
  "cluster/bus/servers_over_bus.ts": [
    [
      "since: since + offset, connections, lastSeenAt: seen + offset }",
      "since, connections, lastSeenAt: seen }",
      "last seen is off by what servers' clocks differ",
    ],
  ],
});
