import { mutationsOf } from "../mutation.ts";

const folder = "tests/online/alert";

/** The alert at a number of users online. */
export const alert = mutationsOf({
  "online/alert/alert.ts": [`${folder}/alert_test.ts`, `${folder}/alert_watch_test.ts`],
  "online/alert/alert_watch.ts": `${folder}/alert_watch_test.ts`,
  "online/alert/threshold_alert.ts": `${folder}/threshold_alert_test.ts`,
  "online/alert/alert_webhook.ts": `${folder}/alert_webhook_test.ts`,
}, {
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
      "if (this.#isRecovering || this.#stopped",
      "if (this.#stopped",
      "a restart raises alerts while users return",
    ],
    ["await this.#observations.flush();", "", "a crossing just before a change is lost"],
    [
      "this.#isRecovering || this.#stopped || !this.#alert?.setting.enabled",
      "this.#isRecovering || !this.#alert?.setting.enabled",
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
});
