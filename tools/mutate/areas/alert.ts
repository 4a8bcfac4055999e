import { mutationsOf } from "../mutation.ts";

const folder = "tests/online/alert";

/** The alert at a number of users online. */
export const alert = mutationsOf({
  "online/alert/alert_course.ts": `${folder}/alert_course_test.ts`,
  "online/alert/alert.ts": [`${folder}/alert_test.ts`, `${folder}/alert_watch_test.ts`],
  "online/alert/alert_watch.ts": `${folder}/alert_watch_test.ts`,
  "online/alert/threshold_alert.ts": `${folder}/threshold_alert_test.ts`,
  "online/alert/alert_event.ts": `${folder}/threshold_alert_test.ts`,
  "online/alert/alert_webhook.ts": `${folder}/alert_webhook_test.ts`,
  "online/alert/slack_message.ts": `${folder}/slack_message_test.ts`,
}, {
  "online/alert/slack_message.ts": [
    ['!== "hooks.slack.com"', '=== ""', "receivers other than Slack get a message"],
    ['name === "users_online_normal"', "false", "an alert that is over looks like a new one"],
  ],
  "online/alert/alert_course.ts": [
    ["users >= threshold :", "users > threshold :", "an alert at 10 users comes with 11"],
    ["const returnShare = 0.05;", "const returnShare = 0;", "an alert flaps around its threshold"],
    ["at - since >= holdMs(threshold)", "true", "an alert flaps with each user who comes"],
    [
      "if (!meets(threshold, other, users)) return newCourse(phase);",
      "if (!meets(threshold, other, users)) return { phase, turningSince };",
      "a number that was there for a moment raises the alert a minute later",
    ],
    [
      'before === "active" && !meets',
      "!meets",
      "setting an alert below the count shows it without a time to hold",
    ],
  ],
  "online/alert/alert.ts": [
    [
      "|| state.version !== version ||",
      "||",
      "a change of the alert raises the one before",
    ],
    [
      "|| state.phase === phase) return null;",
      ") return null;",
      "two processes report an alert twice",
    ],
    [".slice(0, maxCrossings)", "", "crossings pile up"],
    [
      'url.username === "" && url.password === "" && url.hash === ""',
      "true",
      "a webhook's address with a password is accepted",
    ],
  ],
  "online/alert/alert_watch.ts": [
    [
      "if (this.#stopped || !this.#follows || this.#isRecovering) return;",
      "if (this.#stopped || !this.#follows) return;",
      "a restart raises alerts while users return",
    ],
    [
      "if (this.#stopped || !this.#follows || this.#isRecovering) return;",
      "if (!this.#follows || this.#isRecovering) return;",
      "users whom a stop disconnects raise an alert",
    ],
    [
      "    await this.#entered.flush();\n    const state = await setAlert(",
      "    const state = await setAlert(",
      "a crossing just before a change is lost",
    ],
    [
      "if (!this.#alert?.setting.enabled) return;",
      "if (!this.#alert) return;",
      "an alert that is off is raised",
    ],
    [
      "if (due !== null) this.#cancelTimer",
      "if (false) this.#cancelTimer",
      "an alert comes only when the next user comes or goes",
    ],
    [
      "    this.#follow();\n    this.#users = users;\n",
      "    this.#users = users;\n",
      "an alert that is due is lost on a busy server",
    ],
  ],
  "online/alert/threshold_alert.ts": [
    [
      "        prepared?.deliver();\n",
      "",
      "an alert's webhook is not sent",
    ],
    [
      "        await addUndelivered(transaction, [prepared.stored]);\n",
      "",
      "a kill right after an alert began loses its webhook",
    ],
    ["if (isWatched()) ", "", "alerts are sent where no admin watches"],
    ["if (!state?.setting.enabled) return", "if (!state) return", "an alert that is off is shown"],
    [
      "last?.threshold === users && last.direction === direction &&",
      "last !== undefined &&",
      "a new alert is said to have been crossed before it was set",
    ],
    [
      "mayReceive && !await mayReceive(webhookUrl)",
      "false",
      "an alert is sent into the server's own network",
    ],
    [
      "    await this.#watch.change(read.setting, alongside);\n    this.#changed();",
      "    await this.#watch.change(read.setting, alongside);",
      "other admins see the old alert",
    ],
  ],
  "online/alert/alert_event.ts": [
    [
      'normal: "users_online_normal"',
      'normal: "users_online_threshold"',
      "receivers take the end of an alert for another one",
    ],
    ["{ ...event, test: true }", "event", "a test is taken for an alert"],
    ["...!isOwn && { app: appId },", "", "channels of two apps have alerts that look alike"],
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
    [
      'text.replace(invisible, "")',
      "text",
      "the answer of a receiver turns the text of the page around",
    ],
  ],
});
