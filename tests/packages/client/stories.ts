import type { Story } from "@/tools/mutate/story.ts";

const [connected, room] = ["keep_connected", "room"].map((name) =>
  `tests/packages/client/${name}_test.ts`
);

/** What users of the client package would notice of faults, and the tests that notice them first. */
export const stories: readonly Story[] = [
  {
    what: "clients ask a server that stays away as often as in the beginning",
    file: "packages/client/src/waits.ts",
    from: "Math.min(mostJitterMs, jitter)",
    to: "2 * leastMs",
    tests: [connected],
  },
  {
    what: "clients of a slow network never finish a handshake",
    file: "packages/client/src/waits.ts",
    from: "Math.max(leastMs, 3 * handshakeMs, lostForMs / 10, patience)",
    to: "Math.max(leastMs, lostForMs / 10, patience)",
    tests: [connected],
  },
  {
    what: "clients that were lost together come back together",
    file: "packages/client/src/keep_connected.ts",
    from: "random() * seconds * 1_000",
    to: "seconds * 1_000",
    tests: [connected],
  },
  {
    what: "a page that disconnected itself connects again",
    file: "packages/client/src/keep_connected.ts",
    from: '"disconnected", () => isRestarting || settle()',
    to: '"disconnected", () => {}',
    tests: [connected],
  },
  {
    what: "each attempt counts as a new loss, so that waits do not grow",
    file: "packages/client/src/keep_connected.ts",
    from: "isRestarting || settle()",
    to: "settle()",
    tests: [connected],
  },
  {
    what: "a client does not wait as a server asks it to",
    file: "packages/client/src/keep_connected.ts",
    from: "restartIn(inMs + attemptMs(",
    to: "restartIn(attemptMs(",
    tests: [connected],
  },
  {
    what: "a connection that died while the network was away is taken for alive",
    file: "packages/client/src/keep_connected.ts",
    from: "    restartIn(answerMs);\n",
    to: "",
    tests: [connected],
  },
  {
    what: "a page of a large room shows one member",
    file: "packages/client/src/room.ts",
    from: "if (!this.#isQuiet) ",
    to: "",
    tests: [room],
  },
  {
    what: "the next page of an app leaves and joins",
    file: "packages/client/src/room.ts",
    from: "clearTimeout(this.#closing);",
    to: "",
    tests: [room],
  },
  {
    what: "a channel that the app had joined itself is left by the package",
    file: "packages/client/src/room.ts",
    from: "const isOwn = !pusher.channel(name);",
    to: "const isOwn = true;",
    tests: [room],
  },
  {
    what: "a page that may not join asks the app's server again and again",
    file: "packages/client/src/keep_subscribed.ts",
    from: "if (isRefusal(Number(Object(error).status))) return;",
    to: "",
    tests: [room],
  },
  {
    what: "a page stays out of its channel when the app's server was starting",
    file: "packages/client/src/keep_subscribed.ts",
    from: "status !== 408 && status !== 429",
    to: "status !== 408",
    tests: [room],
  },
];
