import { mutationsOf } from "../mutation.ts";

const folder = "tests/online/activity";

/** The log of who came and went, and its export. */
export const activity = mutationsOf({
  "online/activity/activity_csv.ts": `${folder}/activity_csv_test.ts`,
  "online/activity/csv.ts": `${folder}/activity_csv_test.ts`,
  "online/activity/activity_expiry.ts": `${folder}/activity_expiry_test.ts`,
  "online/activity/activity_log.ts": `${folder}/activity_log_test.ts`,
  "online/activity/activity_rows.ts": `${folder}/activity_log_test.ts`,
  "online/activity/activity_query.ts": `${folder}/activity_query_test.ts`,
  "online/activity/activity_recorder.ts": `${folder}/activity_recorder_test.ts`,
  "online/activity/shared_activity.ts": `${folder}/logged_entries_test.ts`,
  "online/activity/person_filter.ts": `${folder}/person_filter_test.ts`,
}, {
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
    [
      '  yield csvLine([...columns, ...hasChannels ? ["channel"] : []]);\n',
      "",
      "the file has no header",
    ],
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
      "(channel not like '%/%')",
      "(channel is not null)",
      "users of other apps with the id of an account are on its page",
    ],
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
  "online/activity/activity_rows.ts": [
    [
      'conflict.columns(["channel", "userId"])',
      'conflict.columns(["userId"])',
      "who is in two channels cannot be stored",
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
      "capacity = maxWaiting }",
      "capacity = Infinity }",
      "activity piles up in memory while the database is away",
    ],
    [
      "for (const entry of stored) {\n        onStored(",
      "for (const entry of stored.slice(1)) {\n        onStored(",
      "the ticker misses activity",
    ],
  ],
  "online/activity/shared_activity.ts": [
    [
      " || isBefore(logId, newest)",
      "",
      "a join that was left out is stored when the next server reads it again",
    ],
  ],
  "online/activity/person_filter.ts": [
    [
      "id === words || folded(email) === words",
      "id === words",
      "the email of one person finds others whose email contains it",
    ],
    [
      "accounts.length + named.length > mostPeople",
      "accounts.length + named.length > 1",
      "a name that several people have finds none of them",
    ],
    [
      "/^guest[- ]([0-9a-f]{1,32})$/",
      "/^guest-([0-9a-f]{1,32})$/",
      "the name of a guest finds nothing",
    ],
    ['.normalize("NFC").toLowerCase()', "", "a search is case-sensitive"],
  ],
});
