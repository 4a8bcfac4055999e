import { mutationsOf } from "../mutation.ts";

const folder = "tests/realtime/channels";
const model = "tests/realtime/brokers/local_broker_test.ts";

/** The members of presence channels, and when they leave. */
export const presence = mutationsOf({
  "realtime/channels/leave_grace.ts": [
    `${folder}/presence_tracker_test.ts`,
    `${folder}/hub_test.ts`,
    `${folder}/hub_with_local_broker_test.ts`,
    model,
  ],
  "realtime/channels/presence_tracker.ts": [`${folder}/presence_tracker_test.ts`, model],
  "realtime/channels/member_list.ts": `${folder}/member_list_test.ts`,
  "realtime/channels/member_list_text.ts": `${folder}/member_list_text_test.ts`,
  "realtime/channels/members.ts": `${folder}/members_test.ts`,
  "realtime/events/channel_listeners.ts": "tests/realtime/events/channel_listeners_test.ts",
}, {
  "realtime/channels/leave_grace.ts": [[
    "afterMs === 0 && !this.#users.isHeld",
    "afterMs === 0",
    "a restart without leave grace shows all users leaving",
  ], [
    "user.expire(reason);",
    "user.expire();",
    "a user whom an admin removed is said to have closed the page",
  ], [
    "filter((user) => user.userId === userId)",
    "filter(() => true)",
    "removing one user removes all in their leave grace",
  ]],
  "realtime/channels/presence_tracker.ts": [
    ["return ++user.connections;", "return user.connections;", "a second tab is not counted"],
    [
      "if (grace) this.#startGrace(userId, user);",
      "this.#startGrace(userId, user);",
      "a user who unsubscribed stays in the list for the leave grace",
    ],
    [
      "if (user.connections > 0) return false;",
      "",
      "closing one of two tabs shows the user leaving",
    ],
    [
      "if (user.connections > 0 || !reason) return;",
      "",
      "a user who came back leaves when the grace ends",
    ],
    [
      "    if (user.connections === 0) this.#absent--;\n",
      "",
      "users who returned are counted as absent",
    ],
  ],
  "realtime/channels/member_list.ts": [
    [
      "|| event.version <= this.#version) return unchanged;",
      ") return unchanged;",
      "an event that is delivered twice costs a snapshot",
    ],
    [
      "if (event.previous !== this.#version) return { changes: [], needsSnapshot: true };",
      "",
      "a missed event goes unnoticed",
    ],
    [
      "&& snapshot.version < this.#version) return unchanged;",
      "&& false) return unchanged;",
      "an old snapshot brings back who left",
    ],
    [
      "if (!listed && snapshot.isUnsettled) continue;",
      "",
      "members who stayed leave when Redis lost its data",
    ],
    [
      "if (listed?.info !== member.info) changes",
      "if (!listed) changes",
      "a member's changed user_info is not sent",
    ],
    [
      "needsSnapshot: this.#newestSeen > snapshot.version,",
      "needsSnapshot: false,",
      "a snapshot that is out of date when it comes is taken as complete",
    ],
    ["if (this.#members.has(member.id)) return undefined;\n", "", "a member is added twice"],
    [
      "    this.#text = undefined;\n",
      "",
      "new subscribers get a list with members who left",
    ],
    [
      "    if (this.#text) this.#unlisted.push(listed);\n",
      "",
      "new subscribers get a list without the newest members",
    ],
    [
      "    this.#unlisted = [];\n    return this.#text.frame();",
      "    return this.#text.frame();",
      "members are listed again with each newcomer",
      [`${folder}/member_list_text_test.ts`],
    ],
  ],
  "realtime/channels/member_list_text.ts": [
    [
      "this.#bytes += bytes + 2 * comma.length;",
      "this.#bytes += bytes;",
      "the size of a list is counted wrongly",
    ],
    ["    this.#frame = undefined;\n", "", "a list lacks who joined after it was first sent"],
    ["    this.#count++;\n", "", "the count differs from the number of members"],
  ],
  "realtime/channels/members.ts": [
    [
      "Math.max(lastFrameAt ?? aliveAt, connection.lastFrameAt)",
      "connection.lastFrameAt",
      "an active user with an idle tab is shown as inactive",
    ],
    [
      "connections > 0 ? now : leftAt",
      "leftAt",
      "a user who returned is shown as last active when it left",
    ],
    [
      "idleTimeoutSeconds * 1_000",
      "0",
      "a connected user who sends nothing is shown as active now",
    ],
  ],
  "realtime/events/channel_listeners.ts": [
    ["if (isLast) this.#byChannel.delete(channel);", "", "listeners of channels pile up"],
    ["      remove();\n", "", "a listener is called after it was removed"],
  ],
});
