import type { Story } from "@/tools/mutate/story.ts";

/** What users would notice of faults, and the tests that notice them first. */
export const stories: readonly Story[] = [
  {
    what: "a token of another session is valid",
    file: "server/accounts/csrf_token.ts",
    from: 'return sign(secret, purpose, seed, sessionId ?? "");',
    to: "return sign(secret, purpose, seed);",
    tests: ["tests/server/accounts/accounts_test.ts"],
  },
  {
    what: "a guest makes up another guest's cookie",
    file: "server/accounts/guest.ts",
    from: "isSameText(signature, sign(secret, purpose, id)) ? { id } : null",
    to: "({ id })",
    tests: ["tests/server/accounts/accounts_test.ts"],
  },
  {
    what: "a page whose session ended does not ask to sign in again",
    file: "server/accounts/sessions.ts",
    from: "code: closeCodes.reconnect",
    to: "code: closeCodes.notAuthorized",
    tests: ["tests/server/accounts/accounts_test.ts"],
  },
  {
    what: "who signed out is recorded as having closed the page",
    file: "server/accounts/sessions.ts",
    from: 'cause: "signed_out"',
    to: 'cause: "closed"',
    tests: ["tests/server/accounts/accounts_test.ts"],
  },
  {
    what: "sign-ins take all cores",
    file: "server/accounts/passwords.ts",
    from: "if (this.#running < this.#maxRunning) this.#running++;",
    to: "if (true) this.#running++;",
    tests: ["tests/server/accounts/accounts_test.ts"],
  },
];
