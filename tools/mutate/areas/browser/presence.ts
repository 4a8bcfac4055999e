import { mutationsOf } from "../../mutation.ts";

const folder = "tests/browser";

/** The number of users online, on pages and wallboards. */
export const presence = mutationsOf({
  "browser/presence/chart_configuration.ts": `${folder}/presence/chart_configuration_test.ts`,
  "browser/presence/member_ids.ts": `${folder}/presence/member_ids_test.ts`,
  "browser/presence/presence.ts": `${folder}/presence/presence_test.ts`,
  "browser/online/moment.ts": `${folder}/online/moment_test.ts`,
  "browser/presence/chart_text.ts": `${folder}/presence/presence_text_test.ts`,
  "browser/presence/presence_text.ts": `${folder}/presence/presence_text_test.ts`,
  "browser/wallboard/wallboard.ts": `${folder}/wallboard/wallboard_test.ts`,
  "browser/online/servers_text.ts": `${folder}/online/servers_text_test.ts`,
  "browser/presence/presence_channel.ts": `${folder}/presence/presence_channel_test.ts`,
  "browser/timing/throttled.ts": `${folder}/timing/throttled_test.ts`,
  "browser/wallboard/refusal_handler.ts": `${folder}/wallboard/refusal_handler_test.ts`,
  "islands/Wallboard.tsx": "tests/e2e/chromium/wallboard_test.ts",
}, {
  "browser/online/servers_text.ts": [
    [
      " && standsStillSince === null",
      "",
      "a server that has lost Redis says that others are missing",
    ],
    ["seconds < 120", "true", "a lost server has reported hundreds of seconds ago"],
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
  "browser/presence/member_ids.ts": [
    [
      "Object.keys(list.members)",
      "Object.values(list.members).map(String)",
      "members of the same name count once",
    ],
  ],
  "browser/presence/presence.ts": [
    [
      "counted({ ...before, members: null }",
      "counted(before",
      "the names of who was online stay known to a page that is told the number only",
    ],
    [
      'before.joined || before.status === "standing" ? live',
      "true ? live",
      "a page that has not joined looks live",
    ],
    [
      'if (standsStillSince !== null) return "standing";',
      "",
      "a number that stands still looks live",
    ],
    [
      "joined: false, standsStillSince: null },\n        statusAfterDrop",
      "joined: false },\n        statusAfterDrop",
      "a number that changes again looks as if it stood still",
    ],
    [
      "statusAfterDrop(before),",
      '"connecting",',
      "a page that lost its connection does not say so",
    ],
    [
      'status === "stale" || status === "offline"',
      'status === "offline"',
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
    [
      'recovery ? "recovering" : "live"',
      '"live"',
      "a number that is still growing after a restart looks right",
    ],
    ['recovery: null }, "live"', 'recovery }, "live"', "a number stays in doubt for ever"],
    [
      "presence.joined ? presence.recovery : event.recovery ?? null",
      "event.recovery ?? null",
      "a number is in doubt again with each user who leaves",
    ],
    [
      "const isUnderway = known.status",
      "const isUnderway = false && known.status",
      "a page that is offline looks live by the last frames",
    ],
    [
      'if (status === "offline") return true;',
      "",
      "a page of a device that is offline says so after twenty seconds only",
    ],
    ["silenceMs = 45_000", "silenceMs = 450_000", "a dead connection looks live for minutes"],
  ],
  "browser/online/moment.ts": [
    [
      "known ?? unnamed(id, at)",
      "known as Person",
      "a user whose name has not come breaks the table",
    ],
    [
      "let isSame = members.size === byId.size;",
      "let isSame = true;",
      "who left is listed for half a second",
    ],
    [
      "connections += seatsOf(person)",
      "connections += person.connections",
      "there are fewer connections than users",
    ],
  ],
  "browser/presence/chart_text.ts": [
    [
      'return " This number may be out of date.";',
      'return "";',
      "an old number is read out as current",
    ],
  ],
  "browser/presence/presence_text.ts": [
    ['count === 1 ? "user" : "users"', '"users"', "it says 1 users"],
    [
      'includesViewer ? "including" : "not including"',
      '"including"',
      "an observer is told to be counted",
    ],
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
      'status !== "stale" && status !== "offline" && at - since > connectingMs',
      "false",
      "a wallboard says for ever that it is connecting",
    ],
    [
      'isCurrent(before.status) ? enter(before, "reconnecting", event.at) : before',
      "before",
      "a wallboard that lost its connection looks live",
    ],
    [
      "2 * signOfLifeMs + 2_000",
      "signOfLifeMs / 2",
      "a wallboard is marked as old between two signs of life",
    ],
  ],
  "browser/presence/presence_channel.ts": [
    [
      "    if (channel.subscription.subscribed) list();\n  });",
      "    list();\n  });",
      "a page that lost its connection says that no one is online",
    ],
    [
      "  if (channel.subscription.subscribed) list();\n  channel",
      "  channel",
      "the number is missing where another part of the page joined before",
    ],
    ["if (isQuiet) return;", "", "the number jumps to one whenever a page connects"],
    ["channel.joining(changed);", "", "who joins is not counted"],
    ["channel.leaving(changed);", "", "who leaves is still counted"],
    ["listEveryMs = 250", "listEveryMs = 0", "a crowd that joins keeps pages busy"],
  ],
  "browser/timing/throttled.ts": [
    [
      "lastChange + interval - now",
      "interval",
      "a number that changes rarely is read out late",
    ],
  ],
  "browser/wallboard/refusal_handler.ts": [
    [
      "if (status === 404) return",
      "if (status === 403) return",
      "a wallboard does not say that its link was revoked",
    ],
    [
      "if (status === 200) setTimeout",
      "if (false) setTimeout",
      "a wallboard that was refused never shows a number again",
    ],
    ["setTimeout(reload, reloadMs)", "reload()", "a wallboard reloads all the time"],
    ["if (isAsking) return;", "", "a wallboard that is refused reloads many times"],
    ["failures + 1", "failures", "wallboards ask a server that is down all the time"],
  ],
  "islands/Wallboard.tsx": [
    [
      'if (status === "revoked") return',
      "if (false) return",
      "a wallboard shows an old number after its link was revoked",
    ],
  ],
});
