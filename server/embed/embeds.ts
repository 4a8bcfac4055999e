/**
 * Embeds: links that give the number of users online to other sites, as JSON, an SVG badge or a small page.
 *
 * A token is an id and its signature, so that a wrong one is refused without a look-up, and an admin can see
 * the link again at any time (`embed_links.ts`). `embed_answer.ts` makes the answer, with `badge.ts` and
 * `embed_page.ts`: a body is made once for a number and sent to all who ask, with an ETag, and browsers and
 * proxies may keep it for ten seconds. `embed_settings.ts` reads what an admin enters: the label, and which
 * sites may frame the page and read the number by script.
 *
 * The promises: an embed gives the number and nothing else, and needs no session, cookie or script. A number
 * that is uncertain says so, with the number that is expected back after a start, or since when it is stale.
 * A link that is revoked answers 404 from then on, on every server.
 *
 * All embeds are in memory, so that an answer waits for the database only once a minute, for the time of the
 * last use, and is given without it while the database fails.
 *
 * The trade-off: the number is up to ten seconds old, and a link that leaks can be used by others until an
 * admin revokes it. The limit of requests is per client and generous, since an office shares an address.
 *
 * @module
 */
import type { InTransaction } from "../database/schema.ts";
import { TokenLimits } from "../net/window_limits.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import type { Core } from "../core.ts";
import { entryLog } from "../observability/logging.ts";
import type { ChannelPresence } from "../presence/channel_presence.ts";
import type { RecoveryWatch } from "../presence/recovery_watch.ts";
import { currentFreshness } from "../presence/servers.ts";
import type { EmbedCount } from "./badge.ts";
import type { EmbedFormat } from "@/shared/wallboard.ts";
import { EmbedAnswer } from "./embed_answer.ts";
import {
  changeEmbed,
  deleteEmbed,
  type Embed,
  embedTokens,
  readEmbeds,
  storeEmbed,
  storeUse,
} from "./embed_links.ts";
import type { EmbedSettings } from "./embed_settings.ts";
import { text } from "@/shared/language.ts";

/**
 * Requests of a client, right and wrong ones counted separately: enough for the pages of a large office that shares
 * an address.
 */
export const requestsOfEmbed = { most: 1_200, windowMs: 60_000 };

/** How often the last use is stored, in ms. */
const useEveryMs = 60_000;

/** The embeds: links that give the count to other sites. All are kept in memory, so a request needs no database. */
export class Embeds {
  readonly #core: Core;
  readonly #count: () => EmbedCount;
  readonly #log: (entry: LogEntry) => void;
  readonly #clock: Clock;
  readonly #limits: TokenLimits;
  readonly #answers = new Map<string, EmbedAnswer>();

  /** None is given before {@link reload}. @param count the count now; called for each request. */
  constructor(
    core: Core,
    count: () => EmbedCount,
    log: (entry: LogEntry) => void,
    clock: Clock = systemClock,
  ) {
    this.#core = core;
    this.#count = count;
    this.#log = log;
    this.#clock = clock;
    this.#limits = new TokenLimits(requestsOfEmbed, clock.now);
  }

  /** All embeds, newest first. */
  get list(): Embed[] {
    return [...this.#answers.values()].map(({ embed }) => embed).reverse();
  }

  /** The embed with an id; null when there is none. */
  find(id: string): Embed | null {
    return this.#answers.get(id)?.embed ?? null;
  }

  /** The token of an embed. */
  tokenOf({ id }: Embed): string {
    return embedTokens.tokenOf(this.#core.appSecret, id);
  }

  /**
   * Answers a request: with the count, with 404 when the token is wrong or was revoked, or with 429 when the
   * client sends too many. Requests with a wrong token leave as many requests with a right one as there were.
   */
  async answer(
    request: Request,
    { token, format }: { token: string; format: EmbedFormat },
    clientAddress: string,
  ): Promise<Response> {
    const id = embedTokens.idIn(this.#core.appSecret, token);
    const embedAnswer = id === null ? undefined : this.#answers.get(id);
    const wait = this.#limits.take(clientAddress, embedAnswer !== undefined);
    if (wait !== null) {
      return brief(429, text`Too many requests.`, { "retry-after": String(wait) });
    }
    if (!embedAnswer) return brief(404, text`This link is invalid or has been revoked.`);
    await this.#used(embedAnswer.embed);
    return embedAnswer.answer(request, format, this.#count());
  }

  /** Makes an embed. @returns null when there are as many as allowed. */
  async create(
    settings: EmbedSettings & { createdBy: string },
    inTransaction: InTransaction<Embed>,
  ): Promise<Embed | null> {
    const { database } = this.#core;
    const embed = await storeEmbed(database, settings, inTransaction, this.#clock.date());
    if (embed) await this.#changed(embed);
    return embed;
  }

  /** Changes an embed. @returns null when no embed has this id. */
  async change(
    id: string,
    settings: EmbedSettings,
    inTransaction: InTransaction<Embed>,
  ): Promise<Embed | null> {
    const embed = await changeEmbed(this.#core.database, id, settings, inTransaction);
    if (embed) await this.#changed(embed);
    return embed;
  }

  /** Revokes an embed: its token is unknown from now on. @returns null when no embed has this id. */
  async revoke(id: string, inTransaction: InTransaction<Embed>): Promise<Embed | null> {
    const embed = await deleteEmbed(this.#core.database, id, inTransaction);
    if (!embed) return null;
    this.#answers.delete(id);
    await this.#stored();
    return embed;
  }

  /** Gives what another server has stored. @throws {Error} when it cannot be read */
  async reload(): Promise<void> {
    const embeds = await readEmbeds(this.#core.database);
    const ids = new Set(embeds.map(({ id }) => id));
    for (const id of this.#answers.keys()) if (!ids.has(id)) this.#answers.delete(id);
    for (const embed of embeds.toReversed()) this.#keep(embed);
  }

  async #changed(embed: Embed): Promise<void> {
    this.#keep(embed);
    await this.#stored();
  }

  /** Other servers have to reload. */
  async #stored(): Promise<void> {
    await this.#core.cluster?.bus.changes.changed("embeds");
  }

  #keep(embed: Embed): void {
    this.#answers.set(embed.id, new EmbedAnswer(embed));
  }

  /** Stores the use, once a minute. The count is given without it if the database fails. */
  async #used(embed: Embed): Promise<void> {
    const now = this.#clock.date();
    if (embed.lastUsedAt !== null && now - embed.lastUsedAt < useEveryMs) return;
    embed.lastUsedAt = now;
    try {
      await storeUse(this.#core.database, embed.id, now);
    } catch (error) {
      this.#log({ level: "warn", message: "The use of an embed could not be stored", error });
    }
  }
}

function brief(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { ...headers, "content-type": "text/plain; charset=utf-8" },
  });
}

/** Opens the embeds of the number of users online. @throws {Error} when they cannot be read */
export async function startEmbeds(
  core: Core,
  { presence, recovery }: { presence: ChannelPresence; recovery: RecoveryWatch },
): Promise<Embeds> {
  let { users, guests } = presence.counts;
  presence.onPresence((now) => ({ users, guests } = now));
  const count = () => {
    const freshness = currentFreshness(recovery, core.servers);
    return { users, ...guests !== undefined && { guests }, active: presence.active, freshness };
  };
  const embeds = new Embeds(core, count, entryLog("pages"));
  await embeds.reload();
  return embeds;
}
