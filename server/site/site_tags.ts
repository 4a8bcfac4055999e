/**
 * Site tags: scripts that count the visitors of other sites as guests, without a server of the site's own.
 *
 * A tag's token is an id and its signature, so that a wrong one is refused without a look-up, and an admin can
 * see the tag again at any time; it is no secret, as each page with the tag has it. `stored_site_tags.ts` is the
 * table and what an admin enters. A page with the tag connects and asks to be counted: it is signed for the
 * users online as a quiet member with the id of a guest, which the page keeps with its signature in
 * `sessionStorage`. What happens to the requests is in `http/site_requests.ts`, the script in
 * `components/site/`.
 *
 * The promises: only a page of a listed origin is signed, as far as browsers state origins; a program can state
 * any, and becomes no more than a guest. What bounds guests bounds visitors of sites: they take no room from
 * users, the connections of an address are limited, its requests, and how many visitors are signed for at the
 * same time, and admins can block them. A socket belongs to its tag from the
 * signature on, so that revoking the tag, or taking an origin from it, closes its sockets on all servers.
 *
 * The trade-off: the table is asked at each request, twice when a visitor is signed, so that every server
 * refuses a revoked tag at once; while the database fails, no further visitor is counted.
 *
 * @module
 */
import type { InTransaction } from "../database/schema.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { closeCodes } from "@/realtime/protocol/close_codes.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { memberOptionsKey } from "@/realtime/protocol/member.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import type { SiteAuthorization } from "@/shared/site.ts";
import { isBlockedGuest, newGuest, readSiteGuest, siteGuest } from "../accounts/guest.ts";
import type { Core } from "../core.ts";
import { ConcurrencyLimit, rateLimitKey, TokenLimits } from "../net/window_limits.ts";
import { entryLog } from "../observability/logging.ts";
import { onlineChannel } from "../presence/channels.ts";
import {
  changeSiteTag,
  deleteSiteTag,
  findSiteTag,
  listSiteTags,
  type SiteTag,
  type SiteTagSettings,
  siteTokens,
  storeSiteTag,
  storeSiteTagUse,
} from "./stored_site_tags.ts";

/**
 * Requests of a client within a minute, with right and with wrong tokens separately: enough for an office that
 * shares an address and comes back after a restart.
 */
export const requestsOfSite = { most: 600, windowMs: 60_000 };

/**
 * Visitors who are being signed for: each asks the database, and the server of the socket, which may not answer.
 * A page that finds no room asks again later.
 */
const signing = { max: 1_000, maxPerClient: 100, retryAfterSeconds: 1 };

/** How often the last use is stored, in ms. */
const useEveryMs = 60_000;

/** The tag of a token, or why there is none. */
export type TagCheck =
  | { ok: true; tag: SiteTag }
  | { ok: false; reason: "unknown" }
  | { ok: false; reason: "rate_limited"; retryAfterSeconds: number };

/** What a visitor of a site sends to be counted. */
export interface SiteVisit {
  /** Of the page, as its browser states it; null without. */
  origin: string | null;
  socketId: string;
  /** What an earlier answer had; anything else makes a new guest. */
  guest: string;
  /** Of whom the limit of visitors at the same time is. */
  clientAddress: string;
}

/** What a visitor joins with, or why the visitor is not counted. */
export type VisitCheck =
  | { ok: true; authorization: SiteAuthorization }
  | { ok: false; reason: VisitFailure };

/** Why a visitor of a site is not counted. */
export type VisitFailure =
  | "busy"
  | "unknown"
  | "origin_refused"
  | "guest_blocked"
  | "foreign_socket"
  | "unreachable_socket";

/** The tags that count the visitors of other sites. */
export class SiteTags {
  readonly #core: Core;
  readonly #log: (entry: LogEntry) => void;
  readonly #clock: Clock;
  readonly #limits: TokenLimits;
  readonly #signing = new ConcurrencyLimit(signing);

  constructor(core: Core, log: (entry: LogEntry) => void, clock: Clock = systemClock) {
    this.#core = core;
    this.#log = log;
    this.#clock = clock;
    this.#limits = new TokenLimits(requestsOfSite, clock.now);
  }

  /** All tags, newest first. */
  list(): Promise<SiteTag[]> {
    return listSiteTags(this.#core.database);
  }

  /** The tag with an id; null when there is none. */
  find(id: string): Promise<SiteTag | null> {
    return findSiteTag(this.#core.database, id);
  }

  /** The token of a tag. */
  tokenOf({ id }: { id: string }): string {
    return siteTokens.tokenOf(this.#core.appSecret, id);
  }

  /** The tag of a token. Requests with a wrong token leave as many with a right one as there were. */
  async check(token: string, clientAddress: string): Promise<TagCheck> {
    const id = siteTokens.idIn(this.#core.appSecret, token);
    const retryAfterSeconds = this.#limits.take(clientAddress, id !== null);
    if (retryAfterSeconds !== null) return { ok: false, reason: "rate_limited", retryAfterSeconds };
    const tag = id === null ? null : await this.find(id);
    return tag ? { ok: true, tag } : { ok: false, reason: "unknown" };
  }

  /** Signs for a visitor of a site, whose socket belongs to the tag from then on; see {@link check}. */
  async admit(tag: SiteTag, visit: SiteVisit): Promise<VisitCheck> {
    if (!admits(tag, visit.origin)) return { ok: false, reason: "origin_refused" };
    const client = rateLimitKey(visit.clientAddress);
    if (!this.#signing.hasRoom(client)) return { ok: false, reason: "busy" };
    return await this.#signing.run(client, () => this.#sign(tag, visit));
  }

  async #sign(tag: SiteTag, { origin, socketId, guest }: SiteVisit): Promise<VisitCheck> {
    const { allServers, appSecret, database, pusherApp } = this.#core;
    const { id } = readSiteGuest(appSecret, guest) ?? newGuest();
    if (await isBlockedGuest(database, id)) return { ok: false, reason: "guest_blocked" };
    const claim = await allServers.claimSocket(socketId, { userId: ownerOf(tag) });
    if (claim === "foreign") return { ok: false, reason: "foreign_socket" };
    if (claim === "unreachable") return { ok: false, reason: "unreachable_socket" };
    // A revocation before this line is found now; one after it finds the socket and closes it.
    const current = await this.find(tag.id);
    if (!current) return { ok: false, reason: "unknown" };
    if (!admits(current, origin)) return { ok: false, reason: "origin_refused" };
    await this.#used(current);
    const channelData = JSON.stringify({
      user_id: id,
      user_info: { id },
      [memberOptionsKey]: { quiet: true },
    });
    const auth = signChannel(pusherApp, socketId, onlineChannel, channelData);
    const authorization = { auth, channel_data: channelData, guest: siteGuest(appSecret, { id }) };
    return { ok: true, authorization };
  }

  /** Makes a tag. @returns null when there are as many as allowed. */
  create(
    settings: SiteTagSettings & { createdBy: string },
    inTransaction?: InTransaction<SiteTag>,
  ): Promise<SiteTag | null> {
    return storeSiteTag(this.#core.database, settings, inTransaction, this.#clock.date());
  }

  /**
   * Changes a tag. Where an origin was taken from it, its visitors have to be signed again.
   *
   * @returns null when no tag has this id.
   */
  async change(
    id: string,
    settings: SiteTagSettings,
    inTransaction?: InTransaction<SiteTag>,
  ): Promise<SiteTag | null> {
    const before = await this.find(id);
    const tag = await changeSiteTag(this.#core.database, id, settings, inTransaction);
    if (tag && before?.origins.some((origin) => !tag.origins.includes(origin))) {
      const reason = "The origins of the site tag have changed";
      this.#core.allServers.closeUser(ownerOf(tag), { code: closeCodes.reconnect, reason });
    }
    return tag;
  }

  /** Revokes a tag: its sockets are closed on all servers, and its token is unknown from now on. */
  async revoke(id: string, inTransaction?: InTransaction<SiteTag>): Promise<SiteTag | null> {
    const tag = await deleteSiteTag(this.#core.database, id, inTransaction);
    if (!tag) return null;
    const reason = "This site tag has been revoked";
    this.#core.allServers.closeUser(ownerOf(tag), { reason });
    return tag;
  }

  /** Stores the use, once a minute. Visitors are counted without it if the database fails. */
  async #used({ id, lastUsedAt }: SiteTag): Promise<void> {
    const now = this.#clock.date();
    if (lastUsedAt !== null && now - lastUsedAt < useEveryMs) return;
    try {
      await storeSiteTagUse(this.#core.database, id, now);
    } catch (error) {
      this.#log({ level: "warn", message: "The use of a site tag could not be stored", error });
    }
  }
}

/** Whether the visitors of an origin are counted. */
export function admits({ origins }: SiteTag, origin: string | null): origin is string {
  return origin !== null && origins.includes(origin);
}

/** The owner of the sockets of a tag, as an id that no user and no guest has. */
function ownerOf({ id }: SiteTag): string {
  return `site.${id}`;
}

/** Opens the site tags. */
export function startSiteTags(core: Core): SiteTags {
  return new SiteTags(core, entryLog("pages"));
}
