import { mutationsOf } from "../mutation.ts";

const folder = "tests/online";

/** What is known of who is online, and who records it. */
export const online = mutationsOf({
  "online/health_meter.ts": `${folder}/health_meter_test.ts`,
  "online/cut_off.ts": `${folder}/cut_off_test.ts`,
  "online/heartbeat.ts": `${folder}/heartbeat_test.ts`,
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
      "if (!isCountedHere) return;",
      "",
      "users of another server are counted as 0 here",
    ],
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
});
