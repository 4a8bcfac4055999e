import { mutationsOf } from "../mutation.ts";

const folder = "tests/cluster/leader";
const log = `${folder}/event_log_test.ts`;
const leadership = `${folder}/leadership_test.ts`;

/** What one of several servers does for all. */
export const leader = mutationsOf({
  "cluster/leader/acknowledgements.ts": log,
  "cluster/leader/event_log.ts": log,
  "cluster/leader/lead_course.ts": `${folder}/lead_course_test.ts`,
  "cluster/leader/leadership.ts": leadership,
  "cluster/leader/log_writer.ts": log,
  "cluster/leader/read_script.ts": log,
}, {
  "cluster/leader/acknowledgements.ts": [
    [
      "Math.min(timeOf(oldest), timeOf(this.#newest) - keptMs)",
      "timeOf(this.#newest) - keptMs",
      "events that wait for a slow webhook are removed",
    ],
  ],
  "cluster/leader/event_log.ts": [
    [
      '      this.#isBehind = true;\n      this.#report("The log',
      '      this.#report("The log',
      "events are lost when an answer of Redis was",
    ],
    [
      '(error) => this.#report("An event of the log was not taken", error)',
      "() => this.#acknowledgements.ended(id)",
      "a join that the database refused is recorded by no server",
    ],
    [
      "      if (this.#acknowledgements.open >= maxOpen) return pollMs;\n",
      "",
      "a slow database fills the leader's memory",
    ],
    [
      "    if (isNew || isOther) this.#options.lost();\n",
      "",
      "who left while Redis lost its data is online for ever",
    ],
    [
      "    if (this.#isStopped) return 0;\n",
      "",
      "two servers send the event that was read last",
    ],
  ],
  "cluster/leader/lead_course.ts": [
    [
      "askedAt + leaseMs * (1 - margin)",
      "answeredAt + leaseMs",
      "two servers lead after a slow answer of Redis",
    ],
  ],
  "cluster/leader/leadership.ts": [
    [
      "return this.#isActive && this.#clock.now() < this.#until;",
      "return this.#isActive;",
      "a server that was frozen leads beside its successor",
    ],
    [
      "    this.#cancelEnd = this.#clock.after(this.#until - answeredAt, () => this.#end());\n",
      "",
      "a server without Redis does what its successor does",
    ],
    [
      "      await this.#options.state.resign(this.#node);\n",
      "",
      "webhooks wait for seconds after the leader stopped",
    ],
  ],
  "cluster/leader/log_writer.ts": [
    [
      "if (!seenByNodes.has(event.name) || isReserved(app, event.channel)) return;",
      "if (!seenByNodes.has(event.name)) return;",
      "a webhook receives events of Rollcall's own channels",
    ],
  ],
  "cluster/leader/read_script.ts": [
    [
      "if not leader or string.sub(leader, string.find(leader, ' ', 1, true) + 1) ~= node then",
      "if not leader then",
      "a server that was frozen takes its successor's events",
    ],
  ],
});
