import { z } from "zod";
import { maxActiveIds } from "../../channels/user_activity.ts";
import { maxUserIdLength } from "../../protocol/member.ts";
import { request } from "./messages.ts";

/** Users that one request names. */
export const maxAskedUsers = 2_000;

/** Users that one request names whose pages are asked for. */
export const maxAskedWithPages = 200;

/** Sessions that one request names. */
export const maxAskedSessions = 1_000;

/** Pages that a response has of one user, the newest. */
export const maxPagesOfUser = 10;

/** Commands that a server remembers. */
export const maxRemembered = 2_000;

const appId = z.string().max(300);
const channel = z.string().max(300);
const userId = z.string().max(maxUserIdLength);
const sessionId = z.string().max(200);
const number = z.int().nonnegative();

/** In milliseconds since 1970, by the clock of the server that answers. */
const date = z.number();

const path = z.string().max(1_000);

/** A device that a later release knows is none that this one knows. */
const device = z.enum(["phone", "tablet", "desktop"]).optional().catch(undefined);

/** A state that a later release knows is none that this one knows. */
const activity = z.object({ state: z.enum(["active", "idle"]), since: date })
  .optional().catch(undefined);

/** What a page waits for: without the response, it connects again, which costs a busy server more. */
const forPage = { responseMs: 5_000 };

/** Makes a user the owner of a socket of the server; see `AppConnections.claim`. */
export const claimRequest = request(
  "claim",
  z.object({ app: appId, socket: z.string().max(50), user: userId, session: sessionId.optional() }),
  z.object({ isClaimed: z.boolean() }),
  forPage,
);

/** The connections of users in a presence channel; their pages only if they are asked for. */
export const membersRequest = request(
  "members",
  z.object({
    app: appId,
    channel,
    users: z.array(userId).max(maxAskedUsers),
    hasPages: z.boolean().default(false),
  }),
  z.object({
    now: date,
    members: z.array(z.object({
      user: userId,
      since: date,
      connections: number,
      seen: date,
      pages: z.array(z.object({ path, device, since: date, activity })).max(maxPagesOfUser)
        .default([]),
      tabs: z.array(activity).max(maxPagesOfUser).default([]),
      activity,
    })).max(maxAskedUsers),
  }),
);

/** What users in a presence channel have open. */
export const openPagesRequest = request(
  "openPages",
  z.object({ app: appId, channel }),
  z.array(z.object({
    paths: z.array(path),
    devices: z.array(device).transform((all) => all.filter((one) => one !== undefined)),
    users: number,
  })),
);

/** The members of a presence channel who are active. */
export const activeUsersRequest = request(
  "activeUsers",
  z.object({ app: appId, channel }),
  z.object({ ids: z.array(userId).max(maxActiveIds), more: number, isKnown: z.boolean() }),
);

/** The sessions, of the given ones, whose owners have open connections. */
export const sessionsRequest = request(
  "sessions",
  z.object({ app: appId, among: z.array(sessionId).max(maxAskedSessions) }),
  z.array(sessionId).max(maxAskedSessions),
);

/** How many connections of an app are open. */
export const connectionsRequest = request("connections", z.object({ app: appId }), number);

/** Who joined an app last at a server, and what that rejected; without signatures that it expected. */
export const appStatusRequest = request(
  "appStatus",
  z.object({ app: appId }),
  z.object({
    now: date,
    joined: z.array(z.object({
      at: date,
      id: userId,
      name: z.string().max(1_000),
      channel,
      isCounted: z.boolean(),
    })).max(100),
    rejected: z.array(z.object({
      at: date,
      times: number,
      rejection: z.object({
        reason: z.string().max(64),
        from: z.enum(["client", "api"]),
        message: z.string().max(2_000),
        signedText: z.string().max(2_000).optional(),
        signature: z.string().max(2_000).optional(),
      }),
    })).max(100),
  }),
);

/** Whether a server has read what another has changed; answered once it has, or could not. */
export const readRequest = request(
  "read",
  z.object({ what: z.string().max(64) }),
  z.object({ isRead: z.boolean() }),
);

/** The metrics of the workers of a supervisor, in Prometheus' text format; null: it is another one's. */
export const metricsRequest = request(
  "metrics",
  z.object({ supervisor: z.string().max(64) }),
  z.object({ worker: z.int().positive(), text: z.string() }).nullable(),
  { responseMs: 2_000 },
);

/**
 * What a page asks of the server that its socket is connected to, whichever server its request reached. The response
 * is the body of the response as it is sent, so that a list of 5,000 people, about 1 MB, is parsed by no server.
 */
export const pageRequest = request(
  "page",
  z.object({ name: z.string().max(64), input: z.unknown() }),
  z.object({ status: z.int().min(200).max(599), body: z.string() }),
  forPage,
);

/** The commands to close connections that were given in the last milliseconds. */
export const rememberedRequest = request(
  "remembered",
  z.object({ forMs: z.number().nonnegative() }),
  z.array(
    z.object({
      id: z.string().max(64),
      age: z.number(),
      name: z.string().max(64),
      data: z.unknown().optional(),
    }),
  )
    .max(maxRemembered),
);
