import { mutationsOf } from "../../mutation.ts";

const folder = "tests/browser";

/** How pages stay connected. */
export const connection = mutationsOf({
  "browser/connection/page_headers.ts": `${folder}/connection/page_headers_test.ts`,
  "browser/connection/reconnection.ts": `${folder}/connection/reconnection_test.ts`,
  "browser/connection/refusals.ts": `${folder}/connection/refusals_test.ts`,
  "browser/connection/store.ts": `${folder}/connection/store_test.ts`,
  "browser/connection/connection_events.ts": `${folder}/connection/connection_events_test.ts`,
  "browser/connection/liveness.ts": `${folder}/connection/liveness_test.ts`,
  "browser/connection/authorized_count.ts": `${folder}/connection/authorized_count_test.ts`,
  "browser/connection/resubscription.ts": `${folder}/connection/resubscription_test.ts`,
}, {
  "browser/connection/liveness.ts": [
    ["quietMs = 5_000", "quietMs = 15_000", "a frozen server looks live for half a minute"],
    [" || page.hidden", "", "hidden pages keep the server busy"],
    ["if (wasSilent) lookAgain();", "", "a second freeze of the server goes unnoticed"],
    [
      "askedAt === null || receivedAt >= askedAt",
      "askedAt === null",
      "a server that answers is said to be silent",
    ],
  ],
  "browser/connection/authorized_count.ts": [
    [
      "byPage(recovery, Date.now())",
      "recovery",
      "a recovery is over before it begins",
    ],
    [
      'if (count && channel.channelName.startsWith("presence-")) {',
      "if (count) {",
      "any other channel ends the doubt",
    ],
  ],
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
  "browser/connection/connection_events.ts": [
    [
      'addEventListener("pageshow", (event) => event.persisted && pusher.connect());',
      "",
      "a page that a reader goes back to stays disconnected",
    ],
    [
      "event.persisted && pusher.connect()",
      "pusher.connect()",
      "a page that is loaded connects twice",
    ],
    [
      'pusher.connection.bind("connecting_in", dropped);',
      "",
      "a page that waits before it connects again looks live",
    ],
    [
      'pusher.connection.bind("unavailable", dropped);',
      "",
      "a page without a network looks live",
    ],
    ["if (isRestarting()) return;", "", "a page gives up at the first slow attempt"],
    [
      'if (pusher.connection.state === "connected") report',
      "report",
      "a frame of a connection that was lost makes the page look live",
    ],
    [
      "    refusal = connectionRefusal(error);\n",
      "",
      "a page does not say why the server ended its connection",
    ],
    ["    refusal = null;\n", "", "a page gives an old reason for a new end"],
  ],
  "browser/connection/resubscription.ts": [
    [
      "if (!subscription.subscriptionPending) subscription.subscribe();",
      "subscription.subscribe();",
      "a page subscribes twice",
    ],
    ["    failures = 0;\n", "", "after some failures a page is late in its channels for ever"],
    ["failures++", "failures", "pages ask a failing server for their channels all the time"],
    [
      "if (reason !== null) return refused(reason, isOfSession(error));",
      "",
      "a page asks for ever for a channel that it was refused",
    ],
    ["    failed?.();\n", "", "a page whose subscription failed looks live"],
  ],
});
