import { mutationsOf } from "../mutation.ts";

/** What server and pages both know. */
export const shared = mutationsOf({
  "shared/address.ts": "tests/shared/address_test.tsx",
  "shared/number_text.ts": "tests/shared/number_text_test.ts",
  "shared/online_table.ts": "tests/shared/online_table_test.ts",
  "shared/recovery.ts": "tests/shared/recovery_test.ts",
  "shared/folded.ts": "tests/shared/online_table_test.ts",
  "shared/list_page.ts": "tests/accounts/user_search_test.ts",
  "shared/alert.ts": "tests/online/alert/alert_test.ts",
  "shared/close_reasons.ts": "tests/browser/connection/refusals_test.ts",
  "shared/message.ts": "tests/browser/messages/toasts_test.ts",
}, {
  "shared/address.ts": [
    [
      'if (pathname === basePath) return "/";',
      "",
      "the start page of an app with a path is not found",
    ],
    [
      "pathname.startsWith(`${basePath}/`)",
      "pathname.startsWith(basePath)",
      "a path that only begins alike is taken for the app's",
    ],
    ["/^(~|\\.{1,2}$)/.test(id) ? `~${id}` : id", "id", "a person with the id .. has no page"],
    ["encodeURIComponent(segment)", "segment", "a person with a slash in the id has no page"],
    ['.replace(/^~/, "")', "", "the page of a person whose id begins with ~ is another's"],
    [
      '  } catch {\n    return "";\n  }',
      "  } finally {\n  }",
      "a damaged address is an internal error",
    ],
    ["return basePath + path;", "return path;", "links lead out of an app with a path"],
  ],
  "shared/recovery.ts": [
    ["Math.max(before, 1)", "before", "a history begins with a zero"],
    [
      "users > recovery.most ?",
      "users !== recovery.most ?",
      "users who come and go prolong a recovery",
    ],
    [
      "isTimeOver || users >= recovery.expected",
      "isTimeOver",
      "a number that is right stays in doubt",
    ],
    [" || at < recovery.startedAt", "", "a clock that was set back keeps the number in doubt"],
    [
      "    startedAt + recoveryMs.most,\n",
      "",
      "a number that grows slowly stays in doubt for ever",
    ],
    ["grewAt: grewAt + ahead", "grewAt", "a page believes the number too early"],
  ],
  "shared/number_text.ts": [
    ['+$)/g, ",")', '+$)/g, ".")', "numbers have another language's separators"],
    ['fraction === "0"', "true", "half a minute is no minute"],
    ["count === 1 ? one : many", "count <= 1 ? one : many", "it says 0 user"],
  ],
  "shared/folded.ts": [
    ['.replace(/\\p{M}/gu, "")', "", "a search without accents does not find names with them"],
    [".toUpperCase().toLowerCase()", "", "a search finds names in its own case only"],
  ],
  "shared/online_table.ts": [
    [
      "words.every((word)",
      "words.some((word)",
      "a search for two words finds people with one",
    ],
    ["descending ? -1 : 1", "1", "the table cannot be sorted downwards"],
    ["|| compare(a.name, b.name)", "", "people with equal values have no order by name"],
    ["|| byId(a, b)", "", "people of the same name change places"],
    ['digits.padStart(12, "0")', "digits", "User 10 comes before user 9"],
    [" ${folded(person.id)}`", "`", "a search by id finds no one"],
    [
      "connections > 0 ? Infinity : lastSeenAt",
      "lastSeenAt",
      "connected people are sorted as inactive",
    ],
    ["search.slice(0, maxSearchLength)", "search", "a search of any length is carried out"],
    [
      "{ column, descending: !before.descending }",
      "before",
      "a second click on a column does nothing",
    ],
    [
      'descending: first === "descending"',
      "descending: false",
      "the first click on Tabs shows the fewest first",
    ],
    [
      'const descending = text.startsWith("-");',
      "const descending = false;",
      "the sort of a link is lost",
    ],
    [
      "role === null ? kindRanks[kind] : roleRanks[role]",
      "kindRanks[kind]",
      "admins do not come first by role",
    ],
  ],
  "shared/list_page.ts": [
    [
      "Math.max(1, Math.ceil(list.length / size))",
      "Math.ceil(list.length / size)",
      "an empty list has no page",
    ],
    [
      "Math.min(Math.max(1, Math.trunc(asked) || 1), pages)",
      "Math.max(1, Math.trunc(asked) || 1)",
      "a page after the last is empty",
    ],
    ["(page - 1) * size", "page * size", "the first people of a list are never shown"],
  ],
  "shared/close_reasons.ts": [
    ["closing.reason === reason", "closing.text === reason", "a removed person does not learn why"],
  ],
});
