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
    what: "two servers are the leader after a slow answer of Redis",
    file: "realtime/cluster/leader/leadership.ts",
    from: "askedAt + leaseMs * (1 - margin)",
    to: "answeredAt + leaseMs",
    tests: ["tests/realtime/cluster/leader/leadership_test.ts"],
  },
];
