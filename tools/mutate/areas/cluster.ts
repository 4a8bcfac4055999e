import { mutationsOf } from "../mutation.ts";

const folder = "tests/cluster/node";
const histories = `${folder}/histories_test.ts`;

/** Users over several servers. */
export const cluster = mutationsOf({
  "cluster/node/lease.ts": [histories, `${folder}/lease_test.ts`],
  "cluster/node/node.ts": histories,
  "cluster/node/held_users.ts": histories,
  "cluster/node/app_on_node.ts": histories,
  "cluster/node/redis_brokers.ts": histories,
  "cluster/state/scripts/rules.ts": [
    "tests/cluster/state/redis_data_test.ts",
    "tests/cluster/state/redis_state_test.ts",
  ],
  "cluster/state/scripts/bodies.ts": "tests/cluster/two_servers_test.ts",
  "realtime/connections/connection_limit.ts": "tests/cluster/connection_limit_test.ts",
  "cluster/node/followed_rooms.ts": [histories, `${folder}/followed_rooms_test.ts`],
  "cluster/node/room_feed.ts": [histories, `${folder}/room_feed_test.ts`],
}, {
  "cluster/node/lease.ts": [
    [
      "validMs > leaseMs ? expired",
      "validMs >= 0 ? expired",
      "an outage of Redis shows users of other servers leaving",
    ],
  ],
  "cluster/node/held_users.ts": [
    [
      '      user.known = "unknown";\n    }\n    user.reconciling',
      '      user.known = user.isWanted ? "held" : "free";\n    }\n    user.reconciling',
      "a join that Redis did not answer is lost",
    ],
    [
      'user.known = user.node === node.name ? "unknown" : "free";',
      "",
      "users are gone for good when a server's lease was lost",
    ],
  ],
  "cluster/node/app_on_node.ts": [
    [
      "    if (isRemoved) return this.#withdraw();",
      "    if (isRemoved) {\n      this.#withdraw();\n      return this.#ended();\n    }",
      "users of an app that is removed while Redis is away are shown as online by other servers",
    ],
  ],
  "cluster/node/redis_brokers.ts": [
    [
      "this.#apps.get(appId) ?? this.#add",
      "this.#add",
      "a user who joins an app again when it was just replaced leaves, and is not in the list",
    ],
  ],
  "cluster/node/node.ts": [
    [
      "if (former.length > 0 && areStated.includes(false)) this.#hasMissed = true;",
      "",
      "a user for whom Redis has no memory is announced as gone, and is there",
    ],
  ],
  "cluster/state/scripts/rules.ts": [
    [
      "if not process or lease == '1' then return end",
      "if true then return end",
      "subscribers count twice for ten seconds after Redis was restarted",
    ],
    [
      "math.max(tonumber(known or '0'), (tonumber(base or began) + ${clockSkewMs}) * 1000)",
      "tonumber(known or '0')",
      "a list stays wrong after a replica that lacks the last changes took over",
    ],
    [
      "if isNewLife or idleMs > absentMs then",
      "if isNewLife then",
      "users who are there are announced as gone after an outage right after Redis lost its data",
    ],
  ],
  "cluster/state/scripts/bodies.ts": [
    [
      "if taken >= tonumber(maxLoud) then",
      "if taken > 1000 then",
      "each server counts its own members that are not quiet",
    ],
  ],
  "realtime/connections/connection_limit.ts": [
    [
      "Math.min(total - Math.max(0, stated - count()), count() + others)",
      "total",
      "clients of a lost server are refused for good",
    ],
  ],
  "cluster/node/followed_rooms.ts": [
    [
      "      room.feed.missed();\n      if (room.node",
      "      if (room.node",
      "a list lacks what happened while the connection was cut",
    ],
  ],
  "cluster/node/room_feed.ts": [
    [
      "      for (const message of changes) this.#dispatch(message);\n",
      "",
      "a list lacks what happened while it was read",
    ],
    [
      "const isOwn = message.reporter === this.#options.node.name;",
      "const isOwn = false;",
      "no webhook receives the number of subscribers",
      [`${folder}/redis_broker_test.ts`],
    ],
  ],
});
