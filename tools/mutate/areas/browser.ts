import { mutationsOf } from "../mutation.ts";

const folder = "tests/browser";

/** What pages show and do. */
export const browser = mutationsOf({
  "browser/connection/page_headers.ts": `${folder}/connection/page_headers_test.ts`,
  "browser/connection/reconnection.ts": `${folder}/connection/reconnection_test.ts`,
  "browser/connection/refusals.ts": `${folder}/connection/refusals_test.ts`,
  "browser/connection/store.ts": `${folder}/connection/store_test.ts`,
  "browser/format/input_time.ts": `${folder}/format/input_time_test.ts`,
  "browser/format/time_text.ts": `${folder}/format/time_text_test.ts`,
  "browser/history/history_rows.ts": `${folder}/history/history_rows_test.ts`,
  "browser/history/history_text.ts": `${folder}/history/history_text_test.ts`,
  "browser/history/history_ticks.ts": `${folder}/history/history_ticks_test.ts`,
  "browser/messages/toasts.ts": `${folder}/messages/toasts_test.ts`,
  "browser/online/health_text.ts": `${folder}/online/health_text_test.ts`,
  "browser/online/online.ts": [
    `${folder}/online/online_test.ts`,
    `${folder}/online/online_property_test.ts`,
  ],
  "browser/online/people.ts": [
    `${folder}/online/online_test.ts`,
    `${folder}/online/online_property_test.ts`,
  ],
  "browser/online/online_table_status.ts": `${folder}/online/online_table_status_test.ts`,
  "browser/online/online_table_text.ts": `${folder}/online/online_table_text_test.ts`,
  "browser/online/row_position.ts": `${folder}/online/row_position_test.ts`,
  "browser/online/row_window.ts": `${folder}/online/row_window_test.ts`,
  "browser/online/ticker.ts": `${folder}/online/ticker_test.ts`,
  "browser/page/markup.ts": `${folder}/page/markup_test.ts`,
  "browser/presence/chart_configuration.ts": `${folder}/presence/chart_configuration_test.ts`,
  "browser/presence/member_ids.ts": `${folder}/presence/member_ids_test.ts`,
  "browser/presence/presence.ts": `${folder}/presence/presence_test.ts`,
  "browser/presence/presence_text.ts": `${folder}/presence/presence_text_test.ts`,
  "browser/timing/at_most_every.ts": `${folder}/timing/at_most_every_test.ts`,
  "browser/wallboard/wallboard.ts": `${folder}/wallboard/wallboard_test.ts`,
}, {
  "browser/connection/page_headers.ts": [
    [
      "if (new URL(request.url).origin !== origin) return fetch(input, init);",
      "",
      "other sites get the page's CSRF token",
    ],
    [
      'token === null ? {} : { "X-CSRF-TOKEN": token }',
      "{}",
      "forms that the page sends are refused",
    ],
    [
      'socketId ? { "X-Socket-ID": socketId } : {}',
      "{}",
      "a page gets back the events that it caused",
    ],
    ["    missingTokenReported = true;\n", "", "a page without a token fills the console"],
  ],
  "browser/connection/reconnection.ts": [
    [
      "    failures = 0;\n    onEnd();",
      "    onEnd();",
      "after some failures each return takes 15 s",
    ],
    ["    failures++;\n", "", "clients of a server that is down come all the time"],
    ["* (0.5 + random / 2)", "", "all clients return at the same moment"],
    ["Math.min(15_000, ", "Math.max(0, ", "a client waits for hours"],
    [
      "retryDelayMs(failures + 2,",
      "retryDelayMs(failures - 2,",
      "a slow connection is cut off and begun again for ever",
    ],
    [
      'pusher.connection.bind("disconnected", onEnd);',
      "",
      "a page that was disconnected on purpose connects again",
    ],
    [
      'if (pusher.connection.state === "connecting") onAttempt();',
      "",
      "a first attempt that hangs is never ended",
    ],
  ],
  "browser/connection/refusals.ts": [
    [
      "status !== 408 && status !== 429",
      "status !== 408",
      "a page that was asked to wait gives up",
    ],
    ["if (status === 403)", "if (status === 404)", "a signed-out person is not asked to sign in"],
    [
      "!(code > 4000 && code < 4100) && !(code >= 4300)",
      "!(code > 4000)",
      "a page gives up when the server restarts",
    ],
    ["closingText(message) ??", "", "a removed person does not learn why"],
    [
      'if (status === 419) return "Your session changed. Reload the page.";',
      "",
      "a page with an old token does not say what to do",
    ],
    ['field(error, "error") ?? error', "error", "a refusal that pusher-js wraps is not shown"],
  ],
  "browser/connection/store.ts": [
    ["if (after === state) return;", "", "a page is drawn again without a change"],
    ["if (framePending) return;", "", "a page is drawn once for each event"],
    ["    framePending = false;\n", "", "a page is drawn once only"],
    ["      if (!connected) {", "      if (true) {", "each part of the page opens a connection"],
    [
      "return () => listeners.delete(listener);",
      "return () => {};",
      "parts that were removed are drawn",
    ],
  ],
  "browser/format/input_time.ts": [
    [
      'zone === "UTC" ? 0 : new Date(at).getTimezoneOffset() * 60_000',
      "0",
      "a filter by time is off by the time zone",
    ],
    ["at - offsetMs", "at + offsetMs", "a filter by time is off by twice the time zone"],
    [
      'shown !== undefined && input === inputTime(shown, "local") ? shown : ',
      "",
      "a filter by time loses its seconds when it is submitted again",
    ],
    ['Number.isNaN(at) ? "" : ', "", "half a time in a filter breaks the page"],
  ],
  "browser/format/time_text.ts": [
    [
      'style.zone === "UTC" ? `${text} UTC` : text',
      "text",
      "a time of the server looks like local time",
    ],
    [
      'hourCycle === "h11" || hourCycle === "h12" ? "h12" : "h23"',
      '"h23"',
      "readers in the USA see a clock of 24 hours",
    ],
    [
      "const name = `${form} ${zone} ${clock}`;",
      "const name = `${form} ${clock}`;",
      "local times are shown in UTC",
    ],
    ['if (length < minute) return "under a minute";', "", "a short time is 0 min"],
    ["if (length < day) return `${Math.floor(length / hour)} hr`;", "", "a few hours are 0 days"],
    ["age < day ? `${durationText(age)} ago` : ", "", "a time in the past looks like a duration"],
    [
      'timeText(one, "day", style) === timeText(other, "day", style)',
      "Math.floor(one / day) === Math.floor(other / day)",
      "the day changes at midnight UTC instead of the reader's",
    ],
  ],
  "browser/history/history_rows.ts": [
    [
      "last.counted === null && counted === null",
      "false",
      "each missing minute is a row of the table",
    ],
    ["points.slice(0, -1).every", "points.every", "a history that just began looks empty"],
  ],
  "browser/history/history_text.ts": [
    [
      "other.most > one.most",
      "other.most < one.most",
      "the summary names the lowest point as the highest",
    ],
    ["Math.min(...counted", "Math.max(...counted", "the summary names a wrong lowest number"],
    [
      "if (counted.length === 0) return `${name}: no data.`;",
      "",
      "an empty history is a broken sentence",
    ],
    ["rows.slice(first)", "rows", "the time before the first start counts as a gap"],
    ["gaps.slice(-3)", "gaps", "the summary lists each gap"],
    ['others === 1 ? "period" : "periods"', '"periods"', "it says 1 other periods"],
    [
      'last ? `now ${numberText(last.most)}, ` : ""',
      '""',
      "the summary does not say how many are online now",
    ],
  ],
  "browser/history/history_ticks.ts": [
    ["date.getMinutes() === 0 && ", "", "marks of hours stand at quarters"],
    [
      "last.getDate() - back",
      "last.getDate() - back, 12",
      "marks of days stand in the middle of days",
    ],
    [
      "new Date(last.getFullYear(), last.getMonth(), last.getDate() - back).getTime()",
      "new Date(until).setHours(0, 0, 0, 0) - back * 86_400_000",
      "marks of days are off after a change to summer time",
    ],
    ["at <= until;", "at < until;", "the last mark is missing"],
    ['isNarrow ? "narrow" : "wide"', '"wide"', "marks overlap on a phone"],
  ],
  "browser/messages/toasts.ts": [
    ["toasts.length < mostToasts ? undefined : ", "", "a second message hides the first"],
    ["find(({ id }) => !isHeld(id))", "at(0)", "a message vanishes while it is read"],
    ["Number.isNaN(Date.parse(sentAt)) ? null : ", "", "a damaged message breaks the page"],
    ["100 * text.length", "0 * text.length", "a long message vanishes before it is read"],
  ],
  "browser/online/health_text.ts": [
    ["slice(first, first + 2)", "slice(first)", "the uptime has four units"],
    [
      "perSecond < 10 ? perSecond : Math.round(perSecond)",
      "perSecond",
      "the rate of messages flickers",
    ],
    ["bytes / 1_000_000", "bytes / 1_048_576", "megabytes are not those of other tools"],
    [
      'isReadable ? "cannot be written" : "is unavailable"',
      '"is unavailable"',
      "a full disk looks like a database that is away",
    ],
    ["(sum, count) => sum + count, 0", "(sum, count) => count, 0", "refusals are not added up"],
  ],
  "browser/online/online.ts": [
    [
      "return awaits(before, event.request) ? listed(before, event.list, event.at) : before;",
      "return listed(before, event.list, event.at);",
      "an old answer replaces a newer list",
    ],
    [
      "if (people === null) return ask(before, at);",
      "if (people === null) return before;",
      "a list that missed a change stays wrong",
    ],
    ["withChanges(known, ...before.held)", "known", "changes during the request are lost"],
    [
      "before.isAlertNewer ? before.alert : list.alert",
      "list.alert",
      "a new alert is replaced by an old one",
    ],
    [
      "at - request.at > calmMs ? 0 : request.repetition + 1",
      "0",
      "pages ask a failing server without a pause",
    ],
    [
      'return before.state === "waiting" ? before : lost(before, "waiting", event.trueAt);',
      "return before;",
      "a list that is no longer updated looks current",
    ],
    [
      'before.state === "following" ? at : before.trueAt',
      "at",
      "an old list is said to be newer than it is",
    ],
    [
      "clockAhead: list.at - at",
      "clockAhead: 0",
      "times are off where the reader's clock is wrong",
    ],
    [".slice(-maxHeld)", "", "changes pile up while a server does not answer"],
  ],
  "browser/online/people.ts": [
    [
      "if (event.version <= version) continue;",
      "",
      "a change that is in the list already makes the page ask again",
    ],
    ["if (event.version !== version + 1) return null;", "", "a missed change goes unnoticed"],
    ['if (change.type === "left") byId.delete(change.id);', "", "who left stays in the table"],
    [
      "if (known) byId.set(id, { ...known, connections, lastSeenAt });",
      "",
      "the number of tabs is not updated",
    ],
  ],
  "browser/online/online_table_status.ts": [
    [
      'if (online.state === "refused") return',
      "if (false) return",
      "a table that is no longer updated looks live",
    ],
    ['presence.status !== "live" || ', "", "the table looks live while the page is disconnected"],
    [
      'isOverdue ? "stale" : "reconnecting"',
      '"reconnecting"',
      "an old table is said to be reconnecting for ever",
    ],
  ],
  "browser/online/online_table_text.ts": [
    ['if (kind === "guest") return "Guest";', "", "a guest looks like a user"],
    [
      "searched ? `${numberText(hits)} of ${people}` : people",
      "people",
      "a search does not say how many it found",
    ],
  ],
  "browser/online/row_position.ts": [
    ["staysAtTop ? 0 : topAfter(", "topAfter(", "a reader at the top does not see who comes"],
    ["(order !== this.#order || !this.#isHeld())", "true", "rows move away under the pointer"],
    [
      "this.#followsTop = top <= 0;",
      "this.#followsTop = true;",
      "the table jumps to the top while it is read",
    ],
    [
      "ids[Math.min(row, ids.length - 1)] ?? null",
      "null",
      "the keyboard loses its place when a person leaves",
    ],
    [
      "Math.min(Math.max(0, row), this.#ids.length - 1)",
      "Math.max(0, row)",
      "the arrow keys leave the table",
    ],
    [
      "if (top !== this.view.top) this.scrolledTo(top);",
      "",
      "the row that the keyboard moved to is out of sight",
    ],
    [
      "if (order !== this.#order) this.#followsTop = true;",
      "",
      "a new sort does not show its first rows",
    ],
    [
      "this.view = { ...this.view, top: Math.min(top, lowest) };",
      "this.view = { ...this.view, top };",
      "the table is empty after many left",
    ],
  ],
  "browser/online/row_window.ts": [
    [
      "Math.ceil((top + height) / rowHeight)",
      "Math.floor((top + height) / rowHeight)",
      "the last row in sight is missing",
    ],
    [
      "if (kept !== null && kept < count) rows.add(kept);",
      "",
      "the focused row is removed from the page",
    ],
    ["if (start < top) return start;", "", "a row above the window is not scrolled to"],
    [
      "if (row > next) rendered.push({ gap: (row - next) * view.rowHeight });",
      "",
      "rows stand in the wrong place",
    ],
    [
      "if (count > next) rendered.push({ gap: (count - next) * view.rowHeight });",
      "",
      "the table cannot be scrolled to its end",
    ],
  ],
  "browser/online/ticker.ts": [
    [".sort((a, b) => a.at - b.at)", "", "lines of the ticker are in no order"],
    [".slice(0, tickerLength)", "", "the ticker grows without end"],
    ["`${at} ${change} ${id}`", "`${at} ${id}`", "who comes and goes in a moment has one line"],
  ],
  "browser/page/markup.ts": [
    [
      "element.textContent?.trim() === first ? second : first",
      "second",
      "a toggled text does not change back",
    ],
    ["position = ++resumeAt;", "return false;", "a pattern with a star misses classes"],
    ['while (pattern[at] === "*") at++;', "", "a pattern that ends with a star misses classes"],
    [
      "return at === pattern.length;",
      "return true;",
      "classes that only begin like the pattern are removed",
    ],
  ],
  "browser/presence/chart_configuration.ts": [
    [
      "count <= step * power * 0.8",
      "count <= step * power",
      "the bar touches the top of the chart",
    ],
    [
      "look.animated ? { duration: 250 } : false",
      "{ duration: 250 }",
      "the chart moves for readers who asked for no motion",
    ],
    ["min: 0,", "min: 1,", "a chart of one user shows no bar"],
  ],
  "browser/presence/presence.ts": [
    [
      "return before.joined ? live(before, event.at) : before;",
      "return live(before, event.at);",
      "a page that has not joined looks live",
    ],
    [
      "statusAfterDrop(before), event.at",
      '"connecting", event.at',
      "a page that lost its connection does not say so",
    ],
    [
      'if (before.status === "stale") return "stale";',
      "",
      "an old number stops being marked as old while the page fails to connect",
    ],
    ["at - (asOf ?? since) > silenceMs", "false", "a dead connection looks live for ever"],
    [
      '(status === "connecting" || status === "reconnecting") && at - since > reconnectingMs',
      "false",
      "a page says for ever that it is reconnecting",
    ],
    [
      "presence.status === status ? presence.since : at",
      "at",
      "each failed attempt starts the wait for the warning again",
    ],
    ["silenceMs = 45_000", "silenceMs = 450_000", "a dead connection looks live for minutes"],
  ],
  "browser/presence/member_ids.ts": [
    [
      "Object.keys(list.members)",
      "Object.values(list.members).map(String)",
      "members of the same name count once",
    ],
  ],
  "browser/presence/presence_text.ts": [
    ['count === 1 ? "user" : "users"', '"users"', "it says 1 users"],
    [
      'status === "live" ? "" : " This number may be out of date."',
      '""',
      "an old number is read out as current",
    ],
    [
      'includesViewer ? "including" : "not including"',
      '"including"',
      "an observer is told to be counted",
    ],
  ],
  "browser/timing/at_most_every.ts": [
    ["if (timer !== undefined) return;", "", "each event draws the chart"],
    ["    timer = undefined;\n", "", "only two events are ever drawn"],
    ["Math.min(wait, interval)", "wait", "a clock that was set back stops the page"],
    ["    actedAt = Date.now();\n", "", "nothing is held back"],
    ["if (wait <= 0) actNow();", "if (false) actNow();", "the first event is drawn late"],
  ],
  "browser/wallboard/wallboard.ts": [
    [
      'if (before.status === "revoked") return before;',
      "",
      "a revoked wallboard shows numbers again",
    ],
    [
      "at - receivedAt > wallboardSilenceMs",
      "false",
      "a wallboard whose server is gone looks live",
    ],
    [
      'status !== "stale" && at - since > connectingMs',
      "false",
      "a wallboard says for ever that it is connecting",
    ],
    [
      'before.status === "live" ? enter(before, "reconnecting", event.at) : before',
      "before",
      "a wallboard that lost its connection looks live",
    ],
    [
      "2 * signOfLifeMs + 2_000",
      "signOfLifeMs / 2",
      "a wallboard is marked as old between two signs of life",
    ],
  ],
});
