import type { Story } from "@/tools/mutate/story.ts";

/** What users would notice of faults, and the tests that notice them first. */
export const stories: readonly Story[] = [
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
