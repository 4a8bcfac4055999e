import type { Story } from "@/tools/mutate/story.ts";

/** What users would notice of faults, and the tests that notice them first. */
export const stories: readonly Story[] = [
  {
    what: "headers of any peer are believed",
    file: "server/net/client_address.ts",
    from: "address !== null && isWithin(address, trusted)",
    to: "address !== null",
    tests: ["tests/server/net/client_address_test.ts"],
  },
  {
    what: "a stranger chooses the address that limits count",
    file: "server/net/client_address.ts",
    from: "if (!isWithin(client, trusted)) break;",
    to: "",
    tests: ["tests/server/net/client_address_test.ts"],
  },
  {
    what: "senders pile up in memory",
    file: "server/net/window_limits.ts",
    from: "if (times.at(-1)! <= now - windowMs) this.#sent.delete(other);",
    to: "",
    tests: ["tests/server/net/window_limits_test.ts"],
  },
  {
    what: "alerts are sent to the cloud's metadata server",
    file: "server/net/client_address.ts",
    from: "|| isWithin(address, metadata)",
    to: "",
    tests: ["tests/server/net/client_address_test.ts"],
  },
  {
    what: "one client takes all room",
    file: "server/net/window_limits.ts",
    from: "return !this.#running.isFullFor(client);",
    to: "return !this.#running.isFull;",
    tests: [
      "tests/server/net/window_limits_test.ts",
      "tests/http/body_reader_test.ts",
      "tests/server/accounts/accounts_test.ts",
    ],
  },
];
