import { mutationsOf } from "../../mutation.ts";

const folder = "tests/browser";

/** The live list of who is online. */
export const online = mutationsOf({
  "browser/online/health_text.ts": `${folder}/online/health_text_test.ts`,
  "browser/online/large_rows.ts": `${folder}/online/large_rows_test.ts`,
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
  "browser/online/ticker_state.ts": `${folder}/online/ticker_state_test.ts`,
}, {
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
  "browser/online/large_rows.ts": [
    [
      "if (this.#isStopped || this.#isAsking || this.#state === null) return;",
      "if (this.#isStopped || this.#state === null) return;",
      "a page that scrolls asks the server for rows without end",
    ],
    [
      "this.#state === this.#askedState || document.hidden",
      "this.#state === this.#askedState",
      "hidden pages ask for rows",
    ],
    ["if (!(row in people)) return true;", "", "rows that are scrolled to stay blank"],
    ["people[rows.offset + index] = person", "people[index] = person", "rows are at other places"],
  ],
  "browser/online/online.ts": [
    [
      "summary.isLarge && before.summary ?",
      "before.summary ?",
      "a page has no list when a large channel is small again",
    ],
    [
      "if (before.people === null) return ask(before, at, 0);",
      "if (before.people === null) return before;",
      "a page that misses the last summary has no list",
    ],
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
      "if (known) byId.set(id, { ...known, connections, lastSeenAt, page });",
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
    ["!isCurrent(presence.status) || ", "", "the table looks live while the page is disconnected"],
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
      "Math.min(Math.max(0, from + rows), this.#ids.length - 1)",
      "Math.max(0, from + rows)",
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
  "browser/online/ticker_state.ts": [
    ["state.isHeld || !isDue", "!isDue", "the lines move under the pointer"],
    ["total >= slowBelow", "total > fastAbove", "the ticker flickers near the limit"],
    ["second * 1_000 > now - rateMs", "second >= 0", "the ticker stays folded"],
    ["line.at >= oldest && !keys", "!keys", "lines of before are counted as new"],
  ],
});
