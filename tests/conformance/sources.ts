import type { Source } from "./suite.ts";

/** The documents that the rules follow. */
export const sources = {
  protocol: page("Channels protocol", "library_auth_reference/pusher-websockets-protocol"),
  signatures: page("Signatures", "library_auth_reference/auth-signatures"),
  httpApi: page("HTTP API reference", "library_auth_reference/rest-api"),
  connection: page("Connection", "using_channels/connection"),
  channels: page("Channels", "using_channels/channels"),
  publicChannels: page("Public channels", "using_channels/public-channels"),
  privateChannels: page("Private channels", "using_channels/private-channels"),
  encryptedChannels: page("Encrypted channels", "using_channels/encrypted-channels"),
  presenceChannels: page("Presence channels", "using_channels/presence-channels"),
  cacheChannels: page("Cache channels", "using_channels/cache-channels"),
  events: page("Events", "using_channels/events"),
  authorizedConnections: page("Authorized connections", "using_channels/authorized-connections"),
  userAuthentication: page("User authentication", "using_channels/user-authentication"),
  watchlist: page("Watchlist events", "using_channels/watchlist-events"),
  authorizingUsers: page("Authorizing users", "server_api/authorizing-users"),
  authenticatingUsers: page("Authenticating users", "server_api/authenticating-users"),
  serverToUser: page("Events for users", "server_api/server-to-user-messages"),
  terminating: page("Terminating connections", "server_api/terminating-user-connections"),
  excluding: page("Excluding recipients", "server_api/excluding-event-recipients"),
  webhooks: page("Webhooks", "server_api/webhooks"),
  pusherJs: { title: "pusher-js", url: "https://github.com/pusher/pusher-js" },
  own: { title: "Rollcall", url: "../README.md" },
  echo: { title: "Laravel Echo", url: "https://laravel.com/docs/broadcasting" },
} satisfies Record<string, Source>;

function page(title: string, path: string): Source {
  return { title, url: `https://pusher.com/docs/channels/${path}/` };
}
