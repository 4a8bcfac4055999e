import type { Story } from "@/tools/mutate/story.ts";

/** What users would notice of faults, and the tests that notice them first. */
export const stories: readonly Story[] = [
  {
    what: "a failure stops updates until the next change",
    file: "server/live_view/online_publisher.ts",
    from: "this.#throttle.changed(retryMs);",
    to: "",
    tests: ["tests/server/live_view/online_publisher_test.ts"],
  },
  {
    what: "activity piles up while the database fails",
    file: "server/live_view/online_publisher.ts",
    from: "if (this.#activity.push(entry) > maxWaiting) this.#activity.shift();",
    to: "this.#activity.push(entry);",
    tests: ["tests/server/live_view/online_publisher_test.ts"],
  },
  {
    what: "who left and came back keeps the old time",
    file: "server/live_view/online_publisher.ts",
    from: "person?.since !== since ||",
    to: "!person ||",
    tests: ["tests/server/live_view/online_publisher_test.ts"],
  },
  {
    what: "a name begins a formula in the admin's spreadsheet",
    file: "server/activity/activity_csv.ts",
    from: "formulaStart.test(cell) ? `'${cell}` : cell",
    to: "cell",
    tests: ["tests/server/activity/activity_test.ts"],
  },
  {
    what: "the second page forgets the filter",
    file: "server/activity/activity_query.ts",
    from: "...(who && { who }),",
    to: "",
    tests: ["tests/server/activity/activity_test.ts"],
  },
];
