import { mutationsOf } from "../mutation.ts";

const folder = "tests/online";

/** What is known of who is and was online. */
export const online = mutationsOf({
  "online/change_batches.ts": `${folder}/online_publisher_test.ts`,
  "online/health_meter.ts": `${folder}/health_meter_test.ts`,
  "online/heartbeat.ts": `${folder}/heartbeat_test.ts`,
  "online/online_publisher.ts": `${folder}/online_publisher_test.ts`,
  "online/online_recorder.ts": `${folder}/online_recorder_test.ts`,
  "online/online_table_page.ts": `${folder}/online_table_page_test.ts`,
  "online/person.ts": `${folder}/online_publisher_test.ts`,
  "online/activity/activity_csv.ts": `${folder}/activity/activity_csv_test.ts`,
  "online/activity/csv.ts": `${folder}/activity/activity_csv_test.ts`,
  "online/activity/activity_expiry.ts": `${folder}/activity/activity_expiry_test.ts`,
  "online/activity/activity_log.ts": `${folder}/activity/activity_log_test.ts`,
  "online/activity/activity_query.ts": `${folder}/activity/activity_query_test.ts`,
  "online/activity/activity_recorder.ts": `${folder}/activity/activity_recorder_test.ts`,
  "online/activity/person_filter.ts": `${folder}/activity/person_filter_test.ts`,
  "online/alert/alert.ts": [`${folder}/alert/alert_test.ts`, `${folder}/alert/alert_watch_test.ts`],
  "online/alert/alert_watch.ts": `${folder}/alert/alert_watch_test.ts`,
  "online/alert/threshold_alert.ts": `${folder}/alert/threshold_alert_test.ts`,
  "online/alert/alert_webhook.ts": `${folder}/alert/alert_webhook_test.ts`,
  "online/history/history.ts": `${folder}/history/history_test.ts`,
  "online/history/history_recorder.ts": `${folder}/history/history_recorder_test.ts`,
  "online/history/history_report.ts": `${folder}/history/history_report_test.ts`,
  "online/history/interval.ts": [
    `${folder}/history/history_test.ts`,
    `${folder}/history/minute_measure_test.ts`,
  ],
  "online/history/minute_measure.ts": [
    `${folder}/history/minute_measure_test.ts`,
    `${folder}/history/history_recorder_test.ts`,
  ],
  "online/history/returning_users.ts": `${folder}/online_recorder_test.ts`,
}, {
  "online/change_batches.ts": [
    [
      "if (bytes > room) {",
      "if (batches.length === 0) {",
      "many who come at once exceed the size of an event",
    ],
  ],
  "online/health_meter.ts": [
    [
      "if (this.#options.isWatched()) this.#publish();",
      "this.#publish();",
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
      "list.get(userId)?.since !== since || renamed.has(userId)",
      "list.get(userId)?.since !== since",
      "a new name is not shown",
    ],
    [
      "list.get(userId)?.since !== since ||",
      "!list.has(userId) ||",
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
      "if (list.get(id)?.connections === connections) return [];",
      "",
      "people who did not change are sent again",
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
  "online/online_recorder.ts": [
    [
      "if (id === this.#options.appId) this.#record(event);",
      "this.#record(event);",
      "members of other apps' channels are in the activity log",
    ],
    [
      'if (event.name === "member_added" && event.channel === onlineChannel) {',
      'if (event.name === "member_added") {',
      "members of other channels are in the activity log",
    ],
    [
      'await this.activity.closeOpen(until, "server_restart");',
      "",
      "who was online at a crash never left",
    ],
    [
      "await lastAlive(database) ?? this.#clock.date();",
      "this.#clock.date();",
      "who was online at a crash counts as online until the restart",
    ],
    ["if (!isCountedHere) return;", "", "users of another server are counted as 0 here"],
    [
      "if (days > 0) this.#expiry",
      "if (false) this.#expiry",
      "the activity log keeps entries for ever",
    ],
    ["    await this.#recorder.stop();\n", "", "the last activity before a stop is lost"],
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
  "online/activity/csv.ts": [
    [
      "formulaStart.test(cell) ? `'${cell}` : cell",
      "cell",
      "a name begins a formula in the admin's spreadsheet",
    ],
    ["text.replaceAll('\"', '\"\"')", "text", "a name with a quote breaks the file"],
    ['+ "\\r\\n"', '+ "\\n"', "lines of the file do not end as RFC 4180 wants"],
  ],
  "online/activity/activity_csv.ts": [
    ["  yield activityCsvHeader;\n", "", "the file has no header"],
    ['entry.change === "left" ? entry.reason : ""', '""', "the file does not say why people left"],
    ["toISOString()", "toString()", "times of the file have the server's zone"],
  ],
  "online/activity/activity_expiry.ts": [
    ["this.#clock.date() - days * dayMs", "this.#clock.date()", "all activity is deleted"],
    [
      "this.#cancel = this.#clock.after(dayMs, () => this.#delete());",
      "",
      "activity is deleted at a start only",
    ],
  ],
  "online/activity/activity_log.ts": [
    [
      'query.where("at", "<", filter.until)',
      'query.where("at", "<=", filter.until)',
      "the end of a filter belongs to two days",
    ],
    [
      '.where("at", "<", olderThan)',
      '.where("at", ">", olderThan)',
      "new activity is deleted instead of the old",
    ],
    ["query = query.where(isAfter(cursor));", "{}", "the second page is the first again"],
    ["before = next ?? undefined;", "before = undefined;", "the file ends after 1,000 lines"],
    [
      'eb.case().when("since", ">", at).then(ref("since")).else(at).end().as("at")',
      'eb.val(at).as("at")',
      "a person leaves before it came",
    ],
    [
      'const { numDeletedRows } = await transaction.deleteFrom("attending").executeTakeFirst();',
      "const numDeletedRows = 0;",
      "each restart lets the same people leave again",
    ],
  ],
  "online/activity/activity_query.ts": [
    [
      'text.endsWith("Z") ? text : `${text}Z`',
      "text",
      "a filter's time is read in the server's zone",
    ],
    [".max(254)", "", "a filter has any length"],
    ["...(who && { who }),", "", "the second page forgets the filter"],
    [
      ".transform(({ from, ...query }): ActivityQuery => ({ ...query, since: from }))",
      "",
      "a filter by time shows everything",
    ],
  ],
  "online/activity/activity_recorder.ts": [
    [
      "capacity: maxWaiting,",
      "capacity: Infinity,",
      "activity piles up in memory while the database is away",
    ],
    [
      "for (const entry of entries) onStored(",
      "for (const entry of entries.slice(1)) onStored(",
      "the ticker misses activity",
    ],
  ],
  "online/activity/person_filter.ts": [
    [
      "id === words || folded(email) === words",
      "id === words",
      "the email of one person finds others whose email contains it",
    ],
    [
      "found.length > mostAccounts",
      "found.length > 1",
      "a name that several people have finds none of them",
    ],
    [
      "/^guest[- ]([0-9a-f]{1,32})$/",
      "/^guest-([0-9a-f]{1,32})$/",
      "the name of a guest finds nothing",
    ],
    ['.normalize("NFC").toLowerCase()', "", "a search heeds capitals"],
  ],
  "online/alert/alert.ts": [
    [
      'return count >= users ? "reached" : "below";',
      'return count > users ? "reached" : "below";',
      "an alert at 10 users comes with 11",
    ],
    ["direction === setting.direction };", "true };", "an alert for a rise comes with a fall"],
    ["crossed: setting.enabled && side", "crossed: side", "an alert that is off is raised"],
    [
      "|| state.version !== version) return null;",
      ") return null;",
      "a change of the alert raises the one before",
    ],
    [".slice(0, maxCrossings)", "", "crossings pile up"],
    [
      'url.username === "" && url.password === "" && url.hash === ""',
      "true",
      "a webhook's address with a password is accepted",
    ],
    [
      "side: sideOf(setting, users),",
      'side: "below",',
      "setting an alert below the count raises it at once",
    ],
  ],
  "online/alert/alert_watch.ts": [
    ["if (side === this.#side) return;", "", "an alert is raised with each user who comes"],
    [
      "  changed(users: number): void {\n    this.#users = users;\n    if (!this.#cancelSettling) this.#observe();",
      "  changed(users: number): void {\n    this.#users = users;\n    this.#observe();",
      "a restart raises alerts while users return",
    ],
    ["await this.#observations.flush();", "", "a crossing just before a change is lost"],
    [
      "if (this.#stopped || !this.#alert?.setting.enabled) return;",
      "if (!this.#alert?.setting.enabled) return;",
      "users whom a stop disconnects raise an alert",
    ],
  ],
  "online/alert/threshold_alert.ts": [
    [
      "if (webhookUrl !== undefined) sendWebhook(",
      "if (false) sendWebhook(",
      "an alert's webhook is not sent",
    ],
    [
      "if (!ownApp().isOccupied(adminChannel)) return;",
      "",
      "alerts are sent where no admin watches",
    ],
    ["setting?.enabled ? {", "setting ? {", "an alert that is off is shown"],
    [
      "last?.threshold === threshold.users && last.direction === threshold.direction",
      "last !== undefined",
      "a new alert is said to have been crossed before it was set",
    ],
    [
      "mayReceive && !await mayReceive(webhookUrl)",
      "false",
      "an alert is sent into the server's own network",
    ],
    [
      'broadcast(adminChannel, "AlertSet"',
      'if (false) broadcast(adminChannel, "AlertSet"',
      "other admins see the old alert",
    ],
  ],
  "online/alert/alert_webhook.ts": [
    [
      "if (host === null || (parseAddress(host) && !isAllowed(host, allowed))) {",
      "if (host === null) {",
      "an alert is sent to a private address",
    ],
    [
      "filter(({ address }) => isAllowed(address, allowed))",
      "filter(() => true)",
      "a name that means a private address receives alerts",
    ],
  ],
  "online/history/history.ts": [
    [
      '.where("startsAt", "<", now - keptMs)',
      '.where("startsAt", "<", 0)',
      "the history grows without end",
    ],
    [
      "byStart.set(startsAt, combined(",
      "if (false) byStart.set(startsAt, combined(",
      "the line ends a minute ago",
    ],
    [
      "(a, b) => b.users - a.users || a.at - b.at",
      "(a, b) => a.at - b.at",
      "today's peak is the first number instead of the highest",
    ],
    [
      '.where("startsAt", ">=", since)',
      '.where("startsAt", ">=", 0)',
      "today's peak is yesterday's",
    ],
    [
      "for (const { intervalMs } of resolutions) await add",
      "for (const { intervalMs } of resolutions.slice(0, 1)) await add",
      "the line of 30 days stays empty",
    ],
    ["return last?.lastUsers ?? 0;", "return 0;", "a restart draws a dip to 0"],
    [
      "{ intervalMs: minuteMs, points: 60 }",
      "{ intervalMs: minuteMs, points: 59 }",
      "the line of an hour lacks a minute",
    ],
  ],
  "online/history/history_recorder.ts": [
    ["this.#keep(this.#measure.finish(this.#clock.date()));", "", "the minute of a stop is lost"],
    [
      "      this.#scheduleTick();\n    });",
      "    });",
      "the history ends after a minute without a change",
    ],
    [
      "if (minute.startsAt % thinEveryMs !== 0) return;",
      "return;",
      "the history grows without end",
    ],
    [
      "capacity: maxWaiting,",
      "capacity: Infinity,",
      "minutes pile up in memory while the database is away",
    ],
  ],
  "online/history/history_report.ts": [
    ["midnight <= now + quarterHourMs && ", "", "a midnight to come is accepted"],
    ["&& midnight > now - longestDayMs", "", "a stranger's query reads the whole history"],
    [
      'rangeSchema.catch("hour")',
      "rangeSchema",
      "an address with an unknown range is an internal error",
    ],
    [
      "fewest: measured.fewestUsers",
      "fewest: measured.mostUsers",
      "the lowest number is the highest",
    ],
  ],
  "online/history/interval.ts": [
    [
      "Math.min(one.fewestUsers, two.fewestUsers)",
      "two.fewestUsers",
      "a short dip is not in the history",
    ],
    [
      "two.mostUsers > one.mostUsers ||",
      "two.mostUsers < one.mostUsers ||",
      "a peak is not in the history",
    ],
    [
      "two.lastAt >= one.lastAt ? two : one",
      "one",
      "after a restart the count waits for the wrong number of users",
    ],
  ],
  "online/history/minute_measure.ts": [
    [
      "if (Math.abs(at - this.#until) > longestSilenceMs) return this.#resume(at);",
      "",
      "a laptop that slept draws hours that nobody measured",
    ],
    ["if (this.#until === end) finished.push(...this.#close());", "", "minutes never end"],
    [
      "const finished = this.advance(at);\n    this.#counts",
      "const finished: Interval[] = [];\n    this.#counts",
      "a change counts for the time before it",
    ],
    ["    this.#add(this.#until, 0);\n", "", "a short peak is not in the history"],
  ],
  "online/history/returning_users.ts": [
    ["users >= Math.max(before, 1)", "users >= 1", "a restart draws a dip while users return"],
    [
      "const cancel = clock.after(returnMs, finish);",
      "const cancel = () => {};",
      "a server whose users stay away never counts again",
    ],
    ["    end();\n    begin();", "    begin();", "counting begins twice"],
  ],
});
