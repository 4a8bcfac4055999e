import { mutationsOf } from "../mutation.ts";

const folder = "tests/online";

/** The lists of who is online that admins' pages show, and how they are sent. */
export const onlineLists = mutationsOf({
  "online/channel_publisher.ts": `${folder}/channel_publisher_test.ts`,
  "online/channel_size.ts": `${folder}/channel_publisher_test.ts`,
  "online/roster/live_roster.ts": `${folder}/roster/live_roster_test.ts`,
  "online/roster/sorted_order.ts": `${folder}/roster/sorted_order_test.ts`,
  "online/roster/sorted_people.ts": `${folder}/roster/sorted_people_test.ts`,
  "online/summary_publisher.ts": `${folder}/summary_publisher_test.ts`,
  "online/change_batches.ts": `${folder}/online_publisher_test.ts`,
  "online/online_publisher.ts": `${folder}/online_publisher_test.ts`,
  "online/online_table_page.ts": `${folder}/online_table_page_test.ts`,
  "online/person.ts": `${folder}/online_publisher_test.ts`,
}, {
  "online/channel_publisher.ts": [
    [
      "if (isLarge !== this.#isLarge) this.#resize(isLarge);",
      "",
      "admins of 100,000 users are sent each of them",
    ],
    [
      "if (isLarge || !this.#options.isWatched()) return;",
      "return;",
      "pages keep no list when a large channel is small again",
    ],
    ["    this.#changes.rest();\n", "", "a page continues a list of before the channel was large"],
    [
      "    this.#options.resized?.(isLarge);\n",
      "",
      "admins are sent every join of a large channel",
    ],
    [
      "if (userId !== undefined) this.#roster.changed(userId);",
      "if (userId !== undefined) {}",
      "rows of a large channel stay as they were",
    ],
  ],
  "online/channel_size.ts": [
    [
      "before ? users >= smallBelow : users > largeAbove",
      "users > largeAbove",
      "pages load a list again and again while the number is near the limit",
    ],
  ],
  "online/roster/live_roster.ts": [
    [
      "clock.now() - this.#refreshedAt < refreshMs",
      "false",
      "every page that is open has the list brought up to date",
    ],
    [
      "people.get(userId)?.since === since && !renamed.has(userId)",
      "people.get(userId)?.since === since",
      "a new name is not shown",
    ],
    [
      "people.get(userId)?.since === since && !renamed.has(userId)",
      "false",
      "everyone who opens a tab is looked up by name again",
    ],
    [
      "      this.#changed = this.#changed.union(changed);\n",
      "",
      "who came while the database failed is never listed",
    ],
    ["if (source !== this.#source) this.forget();", "", "rows lack the name of the app"],
    [
      "this.#cancel = this.#options.clock.after(keptMs, () => this.forget());",
      "",
      "a list that no page shows is kept forever",
    ],
    [
      "onAllServers(ids)",
      "onAllServers()",
      "each page of rows looks at all connections of everyone",
    ],
  ],
  "online/roster/sorted_order.ts": [
    [
      "compare(one[i], other[j]) <= 0",
      "compare(one[i], other[j]) >= 0",
      "long lists are not sorted",
    ],
    [
      "if (item === undefined) next = at + 1;",
      "if (item === undefined) next = at;",
      "who left is listed",
    ],
    ["added.toSorted(compare)", "added", "newcomers are out of order"],
    ["* length + index", "* length", "equals are in no order"],
  ],
  "online/roster/sorted_people.ts": [
    ["some.filter(listing.matches)", "some", "newcomers are found by any search"],
    [
      "anchor ? offset + place(anchor.id) - anchor.row : offset",
      "offset",
      "rows move away from under the reader's eye",
    ],
    ["Math.min(moved, entries.length - limit)", "moved", "a page beyond the end is empty"],
    [
      "index > 0 && name !== entries[index - 1].name ? ++number : number",
      "index",
      "equal names are in another order when it is reversed",
    ],
  ],
  "online/summary_publisher.ts": [
    [
      "this.#publishedAt + everyMs - clock.now()",
      "0",
      "an admin is sent each of 500 changes a second",
    ],
    [
      "newestWithin(maxActivityBytes, this.#activity)",
      "this.#activity",
      "long names make an event too large",
    ],
    [
      "[...this.#activity, ...entries].slice(-maxActivity)",
      "[...this.#activity, ...entries]",
      "activity of a lively channel takes any amount of memory",
    ],
    [
      "    this.#forget();\n    try {",
      "    try {",
      "joins and leaves are counted again with each summary",
    ],
  ],
  "online/change_batches.ts": [
    [
      "if (bytes > room) {",
      "if (batches.length === 0) {",
      "many who come at once exceed the size of an event",
    ],
  ],
  "online/online_publisher.ts": [
    [
      "known?.since !== since || renamed.has(userId)",
      "known?.since !== since",
      "a new name is not shown",
    ],
    [
      "known?.since !== since ||",
      "!known ||",
      "who left and came back keeps the old time",
    ],
    [
      "      this.#renamed = this.#renamed.union(renamed);\n",
      "",
      "a new name is lost when the database fails",
    ],
    [
      "if (this.#people !== update.list) return update;",
      "",
      "admins who come get changes of a list that they do not have",
    ],
    [
      "if (known?.connections === connections && isSamePage(known.page, page)) return [];",
      "",
      "people who did not change are sent again",
    ],
    [
      "&& isSamePage(known.page, page)) return [];",
      ") return [];",
      "the list shows the first page of a person only",
    ],
    [
      "if (this.#activity.push(entry) > maxWaiting) this.#activity.shift();",
      "this.#activity.push(entry);",
      "activity piles up while the database fails",
    ],
    [
      "version: ++this.#version",
      "version: this.#version",
      "pages take changes for ones that they have",
    ],
    [
      "if (!this.#stopped && !this.#cancel) this.#schedule(retryMs, true);",
      "",
      "a failure stops updates until the next change",
    ],
    [
      "const left = [...list.keys()].filter((id) => !online.has(id));",
      "const left: string[] = [];",
      "who left stays in the table",
    ],
  ],
  "online/online_table_page.ts": [
    [
      "if (known && known.connections > 0) return snapshot;",
      "",
      "an admin is counted twice without script",
    ],
    [
      "snapshot.users + (known ? 0 : 1)",
      "snapshot.users + 1",
      "a returning admin is counted twice",
    ],
    ["hits: found.length,", "hits: items.length,", "a search says that it found one page"],
  ],
  "online/person.ts": [
    [
      'if (isGuestId(id)) return { id, kind: "guest", name: guestName(id), role: null };',
      "",
      "guests look like users of another app",
    ],
  ],
});
