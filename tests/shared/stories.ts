import type { Story } from "@/tools/mutate/story.ts";

/** What users would notice of faults, and the tests that notice them first. */
export const stories: readonly Story[] = [
  {
    what: "a damaged address is an internal error",
    file: "shared/address.ts",
    from: `  } catch {
    return "";
  }`,
    to: `  } finally {
  }`,
    tests: ["tests/shared/address_test.tsx"],
  },
  {
    what: "it says 0 user",
    file: "shared/language.ts",
    from: "count === 1 ? one : many",
    to: "count <= 1 ? one : many",
    tests: ["tests/shared/text_test.ts"],
  },
];
