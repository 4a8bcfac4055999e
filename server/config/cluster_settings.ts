import { z } from "zod";
import { redisAddresses, workerCount } from "./cluster_kinds.ts";
import type { Setting } from "./setting.ts";

/** How several servers, and several processes of one, work as one installation. */
export const clusterSettings = {
  REDIS_URL: {
    group: "Several servers",
    schema: redisAddresses.optional(),
    secret: true,
    example: "redis://rollcall:password@localhost:6379/0",
    about: "Redis or Valkey, through which several servers with one `DATABASE_URL` share who is " +
      "online: `redis://USER:PASSWORD@HOST:PORT/NUMBER`, or `rediss://` with TLS. Several " +
      "addresses, separated by commas, are those of Sentinels, and `?name=MASTER` behind one of " +
      "them is the name that they know Redis by (default: `mymaster`); user, password and number " +
      "are those of Redis itself, and one of the addresses suffices for them. " +
      "[Several servers](cluster.md) has the way there.",
  },
  REDIS_PREFIX: {
    group: "Several servers",
    schema: z.string().regex(/^[\w:.-]{1,64}$/, "1 to 64 letters, digits or .:_-")
      .default("rollcall:"),
    about: "What the names of all keys and topics in Redis begin with. Servers with the same " +
      "prefix are one installation; another program or installation in the same Redis needs " +
      "another one.",
  },
  WORKERS: {
    group: "Several servers",
    schema: workerCount.default(1),
    about: "How many processes of this machine serve the port; `auto` is one per core. More than " +
      "one need `REDIS_URL`, `DATABASE_URL` and Linux. Limits such as `MAX_CONNECTIONS` are those of each process.",
  },
} satisfies Record<string, Setting>;
