import { createHash } from "node:crypto";
import type { Database } from "../database/database.ts";
import { rateLimitKey } from "../network/rate_limit_key.ts";
import type { RealtimeServer } from "../realtime/server.ts";
import {
  type AlongsideLink,
  createWallboardLink,
  findWallboardLink,
  listWallboardLinks,
  type NewWallboardLink,
  revokeWallboardLink,
  type WallboardLink,
  wallboardLink,
} from "./wallboard_links.ts";
import { wallboardChannel } from "../shared/wallboard.ts";
import { WrongTokens } from "./wrong_tokens.ts";

/** Why a token opens nothing: there is no such link any more, or the peer showed too many wrong ones. */
export type TokenRefusal =
  | { ok: false; reason: "unknown" }
  | { ok: false; reason: "rate_limited"; retryAfterSeconds: number };

/** What a token opens. */
export type TokenCheck = { ok: true; link: WallboardLink } | TokenRefusal;

/** What became of a request to join a channel with a token. */
export type ChannelCheck =
  | { ok: true }
  | TokenRefusal
  | { ok: false; reason: "foreign_channel" }
  | { ok: false; reason: "foreign_socket" };

/** A link as admins see it. */
export interface ListedLink extends WallboardLink {
  /** Whether a page shows the wallboard with it now. */
  inUse: boolean;
}

/** What the links work with. */
export interface WallboardsOptions {
  database: Database;
  realtime: Pick<RealtimeServer, "attribute" | "closeUser" | "isOccupied">;
  /** Milliseconds; only differences count. */
  now: () => number;
}

/** The links that show the wallboard to whoever has them, and what they open: their channel alone. */
export class Wallboards {
  readonly #options: WallboardsOptions;
  readonly #wrong: WrongTokens;
  /** Digests of tokens that were right, by the id of their link. */
  readonly #right = new Map<string, string>();

  constructor(options: WallboardsOptions) {
    this.#options = options;
    this.#wrong = new WrongTokens(options.now);
  }

  /**
   * Looks up what a token opens, unless its peer has shown too many wrong ones. A token that was right
   * before is not held to that: behind one proxy all have the same address, and a stranger there must
   * not be able to darken every wallboard.
   *
   * @param peerAddress an IP address.
   */
  async check(token: string, peerAddress: string): Promise<TokenCheck> {
    const peer = rateLimitKey(peerAddress);
    const digest = digestOf(token);
    const isKnown = this.#right.values().some((right) => right === digest);
    const retryAfterSeconds = isKnown ? null : this.#wrong.waitSeconds(peer);
    if (retryAfterSeconds !== null) return { ok: false, reason: "rate_limited", retryAfterSeconds };
    const link = await findWallboardLink(this.#options.database, token);
    if (link) {
      this.#right.set(link.id, digest);
      return { ok: true, link };
    }
    this.#wrong.add(peer);
    return { ok: false, reason: "unknown" };
  }

  /**
   * Whether the holder of a token may join a channel with a socket. If so the socket belongs to the
   * link from then on and is closed with it.
   */
  async admit(
    { token, channel, socketId }: { token: string; channel: string; socketId: string },
    peerAddress: string,
  ): Promise<ChannelCheck> {
    const first = await this.check(token, peerAddress);
    if (!first.ok) return first;
    if (channel !== wallboardChannel(first.link.id)) {
      return { ok: false, reason: "foreign_channel" };
    }
    if (!this.#options.realtime.attribute(socketId, { userId: ownerOf(first.link) })) {
      return { ok: false, reason: "foreign_socket" };
    }
    // A revocation before this line is seen now; one after it finds the socket and closes it.
    const second = await this.check(token, peerAddress);
    return second.ok ? { ok: true } : second;
  }

  /** See {@link createWallboardLink}. */
  create(
    input: { name: string; createdBy: string },
    alongside: AlongsideLink,
  ): Promise<NewWallboardLink> {
    return createWallboardLink(this.#options.database, input, { alongside });
  }

  /** A link that works, by its id; null when there is none. */
  find(id: string): Promise<WallboardLink | null> {
    return wallboardLink(this.#options.database, id);
  }

  /** The links that work, newest first. */
  async list(): Promise<ListedLink[]> {
    const { database, realtime } = this.#options;
    const links = await listWallboardLinks(database);
    return links.filter(({ revokedAt }) => revokedAt === null)
      .map((link) => ({ ...link, inUse: realtime.isOccupied(wallboardChannel(link.id)) }));
  }

  /** Ends a link, and closes what is open with it. Answers it, or null when no such link works. */
  async revoke(id: string, alongside: AlongsideLink): Promise<WallboardLink | null> {
    const link = await revokeWallboardLink(this.#options.database, id, { alongside });
    if (!link) return null;
    this.#right.delete(link.id);
    this.#options.realtime.closeUser(ownerOf(link), { reason: "This link has been revoked" });
    return link;
  }
}

/** Whose a wallboard's sockets are; no user and no guest has such an id. */
function ownerOf({ id }: WallboardLink): string {
  return `wallboard.${id}`;
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
