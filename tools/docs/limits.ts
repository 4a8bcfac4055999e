import { defaultLimits, type Limits, resolveOptions } from "@/realtime/options.ts";
import { appSettings } from "@/realtime/app_config.ts";
import { apiBodyBytes } from "@/realtime/api/http_api.ts";
import { maxBatch, maxChannels, maxEventNameLength } from "@/realtime/api/events.ts";
import { maxClockDifference, maxQueryLength } from "@/realtime/api/signed_call.ts";
import { maxChannelNameLength } from "@/realtime/protocol/channel_names.ts";
import { maxPathLength } from "@/realtime/protocol/incoming.ts";
import {
  maxDetailLength,
  maxNameLength,
  maxUserIdLength,
  maxWatchlistLength,
} from "@/realtime/protocol/member.ts";
import { defaultWebhookLimits } from "@/realtime/webhooks/webhook_options.ts";
import { sessionSeconds, signInLimit } from "@/server/accounts/authentication.ts";
import { wrongTokens } from "@/server/accounts/link_token.ts";
import { mostAttemptsOfAccount, usualWindowMs } from "@/server/accounts/sign_in.ts";
import { apiCalls, apiCallsAtOnce } from "@/server/api/api_access.ts";
import { mostStreams } from "@/server/api/event_streams.ts";
import { maxWebhooks } from "@/server/config/app_fields.ts";
import { maxApps } from "@/server/config/app_list.ts";
import { requestsOfEmbed } from "@/server/embed/embeds.ts";
import { mailLimits } from "@/server/mail/mailer.ts";
import { requestsOfSite } from "@/server/site/site_tags.ts";
import { suites } from "@/tests/conformance/suites.ts";
import { count, type Described, ofPages } from "./entered_limits.ts";
import { table, withParts } from "./page_parts.ts";

const limits = defaultLimits;
const rules = appSettings({ id: "", key: "", secret: "" });
const webhooks = defaultWebhookLimits;

/** Every limit of untrusted clients: a new one has to be described. */
const ofClients: Record<keyof Limits, Described> = {
  maxFrameBytes: ["connection", "a message", bytes(limits.maxFrameBytes), "answered with an error"],
  maxSubscriptionsPerConnection: [
    "connection",
    "channels",
    count(limits.maxSubscriptionsPerConnection),
    "the subscription is refused, the others stay",
  ],
  subscriptionBudget: [
    "connection",
    "subscriptions over time",
    budget(limits.subscriptionBudget),
    "the subscription is refused",
  ],
  maxErrors: [
    "connection",
    "errors in ten seconds",
    count(limits.maxErrors),
    "closed with 4009",
  ],
  maxBufferedBytes: [
    "connection",
    "what waits for a client that does not read",
    bytes(limits.maxBufferedBytes),
    "closed with 4100",
  ],
  maxConnectionsPerAddress: [
    "address",
    "connections",
    count(limits.maxConnectionsPerAddress),
    "closed with 4100; clients retry",
    "MAX_CONNECTIONS_PER_ADDRESS",
  ],
  maxRefusedSocketsPerAddress: [
    "address",
    "refused connections that the client has not closed",
    count(limits.maxRefusedSocketsPerAddress),
    "status 503",
  ],
  maxPublicChannelsPerAddress: [
    "address",
    "public channels that it opened",
    count(limits.maxPublicChannelsPerAddress),
    "the subscription is refused",
  ],
  rejoinBudget: [
    "address",
    "messages caused by leaving and joining presence channels again",
    budget(limits.rejoinBudget),
    "the subscription is refused",
  ],
  maxChannels: [
    "channel",
    "channels of an app",
    count(limits.maxChannels),
    "the subscription is refused",
  ],
  maxPublicChannels: [
    "channel",
    "public ones among them",
    count(limits.maxPublicChannels),
    "the subscription is refused",
  ],
  maxMemberListLength: [
    "channel",
    "IDs and `user_info` of all members of a channel, in characters",
    count(limits.maxMemberListLength),
    "new members have to be [quiet](large-rooms.md)",
  ],
  maxConnections: [
    "server",
    "connections",
    count(limits.maxConnections),
    "closed with 4100; clients retry",
    "MAX_CONNECTIONS",
  ],
  maxRefusedSockets: [
    "server",
    "refused connections that clients have not closed",
    count(limits.maxRefusedSockets),
    "status 503",
  ],
  maxTotalBufferedBytes: [
    "server",
    "unread data of all clients together",
    bytes(limits.maxTotalBufferedBytes),
    "the clients with the most waiting are closed with 4100",
  ],
};

const others: readonly Described[] = [
  [
    "connection",
    "messages a second",
    count(rules.maxMessagesPerSecond),
    "ignored, and answered with an error",
    "max_messages_per_second",
  ],
  [
    "connection",
    "client events a second",
    count(rules.clientEventsPerSecond),
    "dropped, and answered with code 4301",
    "CLIENT_EVENTS_PER_SECOND",
  ],
  [
    "connection",
    "silence, with the server's pings unanswered",
    `${resolveOptions({ apps: [] }).idleTimeoutSeconds} seconds`,
    "closed",
  ],
  ["connection", "users of a watchlist", count(maxWatchlistLength), "ignored, with code 4302"],
  ["channel", "characters of a channel's name", count(maxChannelNameLength), "refused"],
  [
    "channel",
    "members of a presence channel, across all servers",
    count(rules.presenceMaxMembers),
    "refused; the connection stays",
    "PRESENCE_MAX_MEMBERS",
  ],
  [
    "channel",
    "members that receive each join and leave",
    count(rules.presenceMaxFullMembers),
    "new members have to be [quiet](large-rooms.md)",
    "PRESENCE_MAX_FULL_MEMBERS",
  ],
  ["channel", "characters of a user's ID", count(maxUserIdLength), "refused"],
  [
    "channel",
    "a member's `user_info`",
    bytes(rules.presenceMaxInfoBytes),
    "refused",
    "max_presence_member_size_in_kb",
  ],
  [
    "channel",
    "characters of a name and of a detail that admins see",
    `${maxNameLength} and ${maxDetailLength}`,
    "cut",
  ],
  ["channel", "characters of a reported page", count(maxPathLength), "cut"],
  [
    "event",
    "the data of an event",
    bytes(rules.maxEventBytes),
    "status 413, or an error",
    "max_event_payload_in_kb",
  ],
  ["event", "characters of an event's name", count(maxEventNameLength), "status 400"],
  ["event", "channels of an event", count(maxChannels), "status 400"],
  ["event", "events of a batch", count(maxBatch), "status 400"],
  ["event", "the body of a request", bytes(apiBodyBytes), "status 413"],
  ["event", "characters of a request's query", count(maxQueryLength), "status 400"],
  [
    "event",
    "difference between the clocks",
    `${maxClockDifference} seconds`,
    "status 401, `expired_timestamp`",
  ],
  [
    "event",
    "requests a second of an app",
    rules.maxApiRequestsPerSecond === 0 ? "none" : count(rules.maxApiRequestsPerSecond),
    "status 403, `over_quota`",
    "API_REQUESTS_PER_SECOND",
  ],
  [
    "event",
    "last events of an app's cache channels",
    bytes(rules.maxCacheBytes),
    "the oldest are dropped",
  ],
  ["webhook", "webhooks of an app", count(maxWebhooks), "Rollcall does not start"],
  [
    "webhook",
    "events that wait for one URL",
    `${count(webhooks.maxQueuedEvents)}, or ${bytes(webhooks.maxQueuedBytes)}`,
    "new ones are dropped",
  ],
  [
    "webhook",
    "the share of public channels among them",
    `${webhooks.publicShare * 100}%`,
    "new ones are dropped",
  ],
  [
    "webhook",
    "time to answer",
    `${webhooks.answerMs / 1_000} seconds`,
    "tried again, after waits that grow",
  ],
  [
    "webhook",
    "time for which an event is tried",
    `${webhooks.keepMs / 60_000} minutes`,
    "dropped",
  ],
  ["server", "apps of a list", count(maxApps), "Rollcall does not start"],
  ["server", "calls with an API token a minute", count(apiCalls.most), "status 429"],
  ["server", "calls with an API token at once", count(apiCallsAtOnce.maxPerClient), "status 429"],
  [
    "server",
    "programs that follow events, of one token and in all",
    `${mostStreams.maxPerClient} and ${mostStreams.max}`,
    "status 429",
  ],
  [
    "address",
    "wrong links and API tokens a minute",
    count(wrongTokens.most),
    "status 429; right ones work",
  ],
  ["address", "requests for embeds a minute", count(requestsOfEmbed.most), "status 429"],
  ["address", "requests for a site tag a minute", count(requestsOfSite.most), "status 429"],
  [
    "server",
    "emails sent a minute, and waiting",
    `${mailLimits.perMinute} and ${mailLimits.queued}`,
    "they wait; further ones are not sent, which the page says",
  ],
  [
    "address",
    "wrong passwords from new browsers a minute",
    count(signInLimit.max),
    "wait",
  ],
  [
    "account",
    `wrong passwords for an account in ${usualWindowMs / 60_000} minutes, from new browsers`,
    count(mostAttemptsOfAccount),
    "wait; browsers that have signed in before have their own",
  ],
  [
    "account",
    "a session",
    `${sessionSeconds / 86_400} days`,
    "sign in again",
    "OIDC_SESSION_HOURS, for accounts of a provider",
  ],
];

function bytes(value: number): string {
  const megabyte = value % 1_000_000 === 0 ? 1_000_000 : 2 ** 20;
  const [size, unit] = value < megabyte ? [value / 1_024, "KB"] : [value / megabyte, "MB"];
  return `${count(Math.round(size))} ${unit}`;
}

function budget({ burst, perSecond }: { burst: number; perSecond: number }): string {
  return `${count(burst)}, and ${count(perSecond)} a second`;
}

/** What changes a limit, with a link to it. */
function linked(change = ""): string {
  const [name, ...rest] = change.split(", ");
  if (name === "") return "";
  const page = /^[A-Z_]+$/.test(name) ? `settings.md#${name.toLowerCase()}` : "apps.md";
  return [`[\`${name}\`](${page})`, ...rest].join(", ");
}

/** `docs/limits.md`: every limit with its value in the program. */
export async function limitsPage(): Promise<string> {
  const all = [...Object.values(ofClients), ...others, ...Object.values(ofPages)];
  const tables = Object.entries(Object.groupBy(all, ([part]) => part)).map(([part, rows]) => [
    `tools/docs/limits.ts: ${part}`,
    table(
      ["what", "limit", "above it", "changed by"],
      rows.map(([, what, limit, above, change]) => [what, limit, above, linked(change)]),
    ),
  ]);
  // That of its own pages is none for apps.
  const deviations = suites.flatMap(({ deviations }) => deviations)
    .filter(({ id }) => !id.startsWith("auth-route."));
  return await withParts("docs/limits.md", {
    ...Object.fromEntries(tables),
    "tests/conformance/suites.ts": deviations.map(({ text }) => `- ${text}`).join("\n"),
  });
}
