import type { AppConfig } from "@/realtime/server.ts";

/** The app with its rules as a list of apps names them. */
export function listedApp(app: AppConfig): Record<string, unknown> {
  return {
    id: app.id,
    key: app.key,
    secret: app.secret,
    enabled: app.enabled,
    allowed_origins: app.allowedOrigins,
    join_timeout_ms: app.joinTimeoutMs,
    max_connections: app.maxConnections,
    max_presence_members_per_channel: app.presenceMaxMembers,
    max_full_members_per_channel: app.presenceMaxFullMembers,
    quiet_channels: app.quietChannels,
    max_presence_member_size_in_kb: inKilobytes(app.presenceMaxInfoBytes),
    max_event_payload_in_kb: inKilobytes(app.maxEventBytes),
    enable_client_messages: app.clientEvents,
    max_client_events_per_second: app.clientEventsPerSecond,
    max_api_requests_per_second: app.maxApiRequestsPerSecond,
    subscription_count: app.subscriptionCount,
    watchlist: app.watchlist,
    webhooks: app.webhooks?.map(({ url, events }) => ({ url, event_types: events })),
  };
}

function inKilobytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : bytes / 1_024;
}
