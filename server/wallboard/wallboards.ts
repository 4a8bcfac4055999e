/**
 * Wallboards: links that show the number of users online full screen, without signing in.
 *
 * A link's token is 256 random bits, of which only the hash is stored, so it is shown once. The page sends it
 * with its request to join a channel, and `admit` lets the socket into the channel of that link and no other.
 * `wallboard_links.ts` is the table, and recognizes requests of wallboards, which have no session;
 * `wallboard_publisher.ts` sends the number to the channels that have a subscriber.
 *
 * The promises: a link opens its channel, on which there are numbers and never people, and a wallboard is not
 * counted itself. Its last hour is of the same number, and has no guests. A socket belongs to its link from the
 * signature on, so that revoking the link closes it, on all servers. The number is sent after every change, at
 * most four times a second, and every ten seconds, so that a wallboard knows when it is out of date.
 *
 * Wrong tokens are limited per address. A right one opens its link whatever its address sent before, because
 * behind a proxy all clients can have one address, and a stranger there must not be able to block a wallboard.
 *
 * The trade-off: a token is looked up in the database each time, twice when a socket is admitted, so that a
 * revocation between the two is noticed. A link that was lost has to be replaced, as it cannot be shown
 * again.
 *
 * @module
 */
import type { InTransaction } from "../database/schema.ts";
import type { AppOnAllServers } from "@/realtime/server.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import type { Core } from "../core.ts";
import { entryLog } from "../observability/logging.ts";
import {
  broadcastToWallboards,
  type ReadHour,
  type WallboardSource,
} from "./wallboard_publisher.ts";
import { type RecordedHistory, WallboardHours } from "../history/history_report.ts";
import type { Database } from "../database/database.ts";
import { LinkLookup } from "../accounts/link_token.ts";
import {
  createWallboardLink,
  findWallboardLink,
  listWallboardLinks,
  type NewWallboardLink,
  revokeWallboardLink,
  type WallboardLink,
  wallboardLink,
  type WallboardLinkInput,
} from "./wallboard_links.ts";
import { wallboardChannel, type WallboardHour } from "@/shared/wallboard.ts";

/** Why a token is refused: no working link has it, or its peer sent too many wrong ones. */
export type TokenFailure =
  | { ok: false; reason: "unknown" }
  | { ok: false; reason: "rate_limited"; retryAfterSeconds: number };

/** The link that a token opens, or why it is refused. */
export type TokenCheck = { ok: true; link: WallboardLink } | TokenFailure;

/** Whether a socket can join a channel with a token, and why not otherwise. */
export type ChannelCheck =
  | { ok: true }
  | TokenFailure
  | { ok: false; reason: "foreign_channel" }
  | { ok: false; reason: "foreign_socket" }
  | { ok: false; reason: "unreachable_socket" };

/** A link as admins see it. */
export interface ListedLink extends WallboardLink {
  /** Whether a page shows the wallboard with this link now. */
  inUse: boolean;
}

/** The links that open the wallboard without signing in, and the only thing they open: their channel. */
export class Wallboards {
  readonly #database: Database;
  readonly #allServers: () => AppOnAllServers;
  readonly #lookup: LinkLookup;
  readonly #readHour: ReadHour;

  /**
   * @param allServers the app of the pages.
   * @param now in milliseconds from any origin.
   */
  constructor(
    database: Database,
    allServers: () => AppOnAllServers,
    now: () => number,
    readHour: ReadHour = () => Promise.resolve(null),
  ) {
    this.#readHour = readHour;
    this.#database = database;
    this.#allServers = allServers;
    this.#lookup = new LinkLookup(now);
  }

  /**
   * Looks up the link of a token. A peer that has sent too many wrong ones is told to wait.
   *
   * @param peerAddress an IP address.
   */
  async check(token: string, peerAddress: string): Promise<TokenCheck> {
    const found = await this.#lookup.find(
      peerAddress,
      () => findWallboardLink(this.#database, token),
    );
    if (found.ok) return found;
    const { retryAfterSeconds } = found;
    return retryAfterSeconds === null
      ? { ok: false, reason: "unknown" }
      : { ok: false, reason: "rate_limited", retryAfterSeconds };
  }

  /**
   * Decides whether a socket can join a channel with a token. If so, the link owns the socket from then
   * on, and revoking the link closes it.
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
    const owner = { userId: ownerOf(first.link) };
    const claim = await this.#allServers().claimSocket(socketId, owner);
    if (claim === "foreign") return { ok: false, reason: "foreign_socket" };
    if (claim === "unreachable") return { ok: false, reason: "unreachable_socket" };
    // A revocation before this line is found now; one after it finds the socket and closes it.
    const second = await this.check(token, peerAddress);
    return second.ok ? { ok: true } : second;
  }

  /** The last hour at a time; null when the database fails. */
  hour(now: number): Promise<WallboardHour | null> {
    return this.#readHour(now).catch(() => null);
  }

  /** See {@link createWallboardLink}. */
  create(
    input: WallboardLinkInput,
    inTransaction: InTransaction<WallboardLink>,
  ): Promise<NewWallboardLink> {
    return createWallboardLink(this.#database, input, inTransaction);
  }

  /** A link that works, by its id; null when there is none. */
  find(id: string): Promise<WallboardLink | null> {
    return wallboardLink(this.#database, id);
  }

  /** The working links, newest first. */
  async list(): Promise<ListedLink[]> {
    const links = await listWallboardLinks(this.#database);
    return await Promise.all(
      links.filter(({ revokedAt }) => revokedAt === null).map(async (link) => ({
        ...link,
        inUse: await this.#allServers().isOccupied(wallboardChannel(link.id)),
      })),
    );
  }

  /** Revokes a link and closes its sockets. @returns the link; null when no working link has this id. */
  async revoke(
    id: string,
    inTransaction: InTransaction<WallboardLink>,
  ): Promise<WallboardLink | null> {
    const link = await revokeWallboardLink(this.#database, id, inTransaction);
    if (!link) return null;
    this.#allServers().closeUser(ownerOf(link), { reason: "This link has been revoked" });
    return link;
  }
}

/** The owner of a wallboard's sockets, as an id that no user and no guest has. */
function ownerOf({ id }: WallboardLink): string {
  return `wallboard.${id}`;
}

/** Opens the wallboards, and keeps the wallboards that are connected to this server up to date. */
export function startWallboards(
  core: Core,
  online: WallboardSource,
  recorded: RecordedHistory,
): Wallboards {
  const hours = new WallboardHours(recorded, core.config.timeZone);
  const readHour = (now: number) => hours.at(now);
  broadcastToWallboards(core, online, entryLog("pages"), readHour);
  return new Wallboards(core.database, () => core.allServers, systemClock.now, readHour);
}
