import { mutationsOf } from "../mutation.ts";

const folder = "tests/online";

/** What is known of who is online, and who records it. */
export const online = mutationsOf({
  "online/channel_publisher.ts": `${folder}/channel_publisher_test.ts`,
  "online/channel_size.ts": `${folder}/channel_publisher_test.ts`,
  "online/roster/live_roster.ts": `${folder}/roster/live_roster_test.ts`,
  "online/roster/sorted_order.ts": `${folder}/roster/sorted_order_test.ts`,
  "online/roster/sorted_people.ts": `${folder}/roster/sorted_people_test.ts`,
  "online/summary_publisher.ts": `${folder}/summary_publisher_test.ts`,
  "online/change_batches.ts": `${folder}/online_publisher_test.ts`,
  "online/health_meter.ts": `${folder}/health_meter_test.ts`,
  "online/cut_off.ts": `${folder}/cut_off_test.ts`,
  "online/heartbeat.ts": `${folder}/heartbeat_test.ts`,
  "online/online_publisher.ts": `${folder}/online_publisher_test.ts`,
  "online/channel_recorder.ts": [
    `${folder}/channel_recorder_test.ts`,
    `${folder}/online_recorder_test.ts`,
  ],
  "online/counted/channel_presence.ts": `${folder}/counted/channel_presence_test.ts`,
  "online/counted/counted_target.ts": "tests/config/counted_channels_test.ts",
  "online/counted/totals_publisher.ts": `${folder}/counted/totals_publisher_test.ts`,
  "online/counted/users_total.ts": `${folder}/counted/users_total_test.ts`,
  "online/online_recorder.ts": `${folder}/online_recorder_test.ts`,
  "online/recorder_run.ts": `${folder}/online_recorder_test.ts`,
  "online/online_table_page.ts": `${folder}/online_table_page_test.ts`,
  "online/person.ts": `${folder}/online_publisher_test.ts`,
  "online/top_pages.ts": `${folder}/top_pages_test.ts`,
  "online/top_pages_publisher.ts": `${folder}/top_pages_publisher_test.ts`,
  "online/recovery_watch.ts": `${folder}/recovery_watch_test.ts`,
  "online/servers.ts": `${folder}/servers_test.ts`,
  "online/standing_still.ts": `${folder}/standing_still_test.ts`,
}, {
  "online/cut_off.ts": [
    [
      "report.seesRedis && isSo(report) &&",
      "report.seesRedis &&",
      "the last one back after an outage of Redis sends its clients away",
    ],
    [
      " && report.ageMs <= leaseMs",
      "",
      "clients are sent to a server that was lost",
    ],
    [
      "      this.#judge(false);\n      if (!this.#hasFailed)",
      "      if (!this.#hasFailed)",
      "clients are sent away although nothing is known of the others any more",
    ],
  ],
  "online/servers.ts": [
    [
      "Math.min(now, standsStillSince ?? now)",
      "now",
      "a server that has lost Redis shows all others as lost",
    ],
    ["!row.isSelf && ", "", "a server shows itself as lost"],
    ["at - row.lastBeatAt > leaseMs", "false", "a lost server looks alive"],
    ["leaseMs + lostShownMs", "Infinity", "a lost server is shown for ever"],
    [".sort(byAge)", "", "rows change places"],
  ],
  "online/standing_still.ts": [
    [
      "if (servers.standsStillSince !== announced) publish();",
      "publish();",
      "all pages receive an event whenever a server starts",
    ],
    [
      "if (servers.standsStillSince === undefined) return;",
      "",
      "each page that joins has all pages receive an event",
    ],
    ["if (isDue) return;", "", "each page that joins has all pages receive an event"],
    ["if (isDue) joined();", "", "a page that joins after another takes the number for live"],
    [" && id === ownApp().settings.id", "", "another app's joins notify the own pages"],
    ["    cancel?.();\n  };\n}", "  };\n}", "a timer outlives the pages"],
  ],
  "online/channel_recorder.ts": [
    [
      "appId === this.channel.appId && event.channel === this.channel.channel",
      "event.channel === this.channel.channel",
      "members of other apps' channels are in the activity log",
    ],
    [
      "appId === this.channel.appId && event.channel === this.channel.channel",
      "appId === this.channel.appId",
      "members of other channels are in the activity log",
    ],
    [
      "this.#present.delete(userId);",
      "",
      "who left before an app was removed leaves once more by that",
    ],
  ],
  "online/counted/channel_presence.ts": [
    ["if (app === this.#app) return;", "", "a reload of the settings has everyone leave"],
    [
      "    this.#emit(this.counts);\n",
      "",
      "the number of an app that was removed and added is stale",
    ],
    ["return () => this.#listeners.delete(listener);", "return () => {};", "listeners pile up"],
  ],
  "online/counted/counted_target.ts": [
    ["|| appId === ownAppId", "", "a channel of the own app is counted twice by its id"],
  ],
  "online/counted/totals_publisher.ts": [
    ["if (channels.length === 0) return;", "", "users are counted where no admin watches"],
    ["this.#dueAt - clock.now()", "0", "a lively channel has pages updated at each change"],
  ],
  "online/counted/users_total.ts": [
    [
      "Map.groupBy(channels, ({ appId }) => appId)",
      'Map.groupBy(channels, () => "")',
      "users of different apps with the same id are one",
    ],
    [
      "if (others.length === 0) return first.length;",
      "return [first, ...others].flat().length;",
      "a user in two channels is two",
    ],
  ],
  "online/top_pages.ts": [
    [
      "before !== undefined || users.size < maxCountedPaths",
      "true",
      "made-up paths take any amount of memory",
    ],
    [
      "[...new Set(pages.map(({ path }) => path))]",
      "pages.map(({ path }) => path)",
      "a user with two tabs on a page is two",
    ],
  ],
  "online/top_pages_publisher.ts": [
    [
      "if (!this.#options.isWatched()) this.#published = undefined;",
      "if (!this.#options.isWatched()) return;",
      "a page keeps what changed before it opened",
    ],
  ],
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
      "",
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
      "if (this.#activity.push(entry) > maxActivity) this.#activity.shift();",
      "this.#activity.push(entry);",
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
  "online/health_meter.ts": [
    [
      "if (!this.#options.isWatched()) return;",
      "",
      "health is sent where no admin watches",
    ],
    [
      "Math.max(0, now.messages - before.messages)",
      "(now.messages - before.messages)",
      "the rate of messages is below 0 after an app was removed",
    ],
    [
      "      this.#schedule();\n      this.#sample();",
      "      this.#sample();",
      "health is measured once only",
    ],
    [
      "filter(([, count]) => count > 0)",
      "filter(() => true)",
      "limits that refused nothing are listed",
    ],
    ["    this.#last = now;\n", "", "the rate of messages is that since the start"],
  ],
  "online/heartbeat.ts": [
    [
      "    await this.#beating;\n    await this.#beat();",
      "    await this.#beating;",
      "after a stop, users count as online until 10 s before",
    ],
    ["if (this.#stopped) return;", "", "the server beats after its stop"],
    ["      this.#failed(error);\n", "", "a database that cannot be written goes unnoticed"],
  ],
  "online/online_publisher.ts": [
    [
      "if (this.#stopped || (this.#cancel && !this.#isRetrying)) return;",
      "if (this.#stopped) return;",
      "a lively room is never published",
    ],
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
  "online/recorder_run.ts": [
    [
      'await activity.closeOpen(until, "server_restart");',
      "",
      "who was online at a crash never left",
    ],
    [
      "await lastAlive(database) ?? clock.date();\n    await activity",
      "clock.date();\n    await activity",
      "who was online at a crash counts as online until the restart",
    ],
    [
      "if (days > 0) this.#expiry",
      "if (false) this.#expiry",
      "the activity log keeps entries for ever",
    ],
    ["    await this.#recorder.stop();\n", "", "the last activity before a stop is lost"],
  ],
  "online/online_recorder.ts": [
    [
      "if (isAlone && isCountedHere) await",
      "await",
      "users of another server are counted as 0 here",
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
  "online/recovery_watch.ts": [
    [
      "recovery.expected > 1 ? ",
      "true ? ",
      "the first start of all waits for a single user",
    ],
    ["    this.stop();\n    for", "    for", "a recovery is over many times"],
    ["      this.#schedule();\n    });", "    });", "a recovery that grows never ends"],
  ],
  "online/person.ts": [
    [
      'if (isGuestId(id)) return { id, kind: "guest", name: guestName(id), role: null };',
      "",
      "guests look like users of another app",
    ],
  ],
});
