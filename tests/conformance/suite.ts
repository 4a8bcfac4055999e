import type { BuiltApp } from "./built_app.ts";
import type { AppHarness } from "./harness.ts";

/** Proves a rule against the running server; throws when it does not hold. */
type Proof = (harness: AppHarness<BuiltApp>) => Promise<void>;

/** One rule of the protocol. */
export interface Rule {
  /** Stable; begins with the suite's name. */
  id: string;
  /** A sentence for users of the server. */
  text: string;
  source: Source;
  proof: Proof;
}

/** A rule that this server does not follow, or follows differently. */
export interface Deviation {
  id: string;
  /** What differs, and what happens instead. */
  text: string;
  source: Source;
}

/** The document that has a rule. */
export interface Source {
  title: string;
  url: string;
}

/**
 * Rules about one subject. A rule can only be listed together with the test that proves it.
 */
export class Suite {
  readonly rules: Rule[] = [];
  readonly deviations: Deviation[] = [];

  /** @param name the first part of the ids of its rules. */
  constructor(readonly name: string, readonly title: string) {}

  /** Lists a rule with its proof. */
  rule(id: string, text: string, source: Source, proof: Proof): void {
    this.#check(id);
    this.rules.push({ id, text, source, proof });
  }

  /** Lists a rule from which this server differs. */
  deviation(id: string, text: string, source: Source): void {
    this.#check(id);
    this.deviations.push({ id, text, source });
  }

  #check(id: string): void {
    const before = [...this.rules, ...this.deviations];
    if (!/^[a-z0-9-]+\.[a-z0-9-]+$/.test(id) || !id.startsWith(`${this.name}.`)) {
      throw new Error(`The id ${id} does not belong to the chapter ${this.name}`);
    }
    if (before.some((other) => other.id === id)) throw new Error(`Two rules have the id ${id}`);
  }
}

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
  own: { title: "Rollcall", url: "../../README.md" },
  echo: { title: "Laravel Echo", url: "https://laravel.com/docs/broadcasting" },
} satisfies Record<string, Source>;

function page(title: string, path: string): Source {
  return { title, url: `https://pusher.com/docs/channels/${path}/` };
}
