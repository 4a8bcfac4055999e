import type { AppSettings } from "@/realtime/app_config.ts";
import type { Core } from "../core.ts";
import { adminChannel, onlineChannel } from "../presence/channels.ts";
import { givenName } from "../presence/identity.ts";
import type { Rejection } from "@/realtime/server.ts";
import type { Member } from "@/realtime/protocol/member.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { isGuestId } from "@/shared/client_settings.ts";
import { type AppStatus, isTrialId, type JoinedUser } from "@/shared/connect.ts";
import type { FirstAppUser } from "./first_app_user.ts";
import { type CountedRejection, joinedAttempts, RejectedAttempts } from "./rejected_attempts.ts";

/** Users of an app that are remembered, as the latest ones may be accounts of Rollcall. */
const maxJoined = 20;

/** The least time between two notices to pages, in milliseconds. */
const noticeEveryMs = 500;

/** How clients of an app fare at one server. */
export interface StatusOfServer {
  joined: JoinedUser[];
  /** A reason that this release does not know is left out. */
  rejected: {
    rejection: Omit<Rejection, "reason"> & { reason: string };
    at: number;
    times: number;
  }[];
}

/** How the clients of each app fare since the start of the server: who joined, and who was rejected. */
export class AppStatuses {
  readonly #core: Core;
  readonly #firstAppUser: FirstAppUser;
  readonly #clock: Clock;
  readonly #rejected = new RejectedAttempts();
  /** By app, the newest last. */
  readonly #joined = new Map<string, JoinedUser[]>();
  readonly #stopListening: (() => void)[];
  #cancel: (() => void) | undefined;

  constructor(core: Core, firstAppUser: FirstAppUser, clock: Clock = systemClock) {
    this.#core = core;
    this.#firstAppUser = firstAppUser;
    this.#clock = clock;
    const { realtime } = core;
    this.#stopListening = [
      realtime.onSubscription((channel, app, member) => {
        if (member) this.#joinedChannel(channel, member, app);
      }),
      realtime.onRejection((rejection, app) => this.rejected(rejection, app)),
    ];
  }

  /** Adds a rejection; the HTTP API's come from outside of the realtime server. */
  rejected(rejection: Rejection, app: AppSettings | undefined): void {
    this.#rejected.add(rejection, app, this.#clock.date());
    this.#changed();
  }

  /** The status of an app. Users of Rollcall's own pages are no users of the app. */
  async of(appId: string): Promise<AppStatus> {
    const { accounts, cluster, realtime } = this.#core;
    const { hasCome: hasHadUser } = this.#firstAppUser;
    const others = await cluster?.bus.others.appStatuses(appId) ?? [];
    const users = [this.here(appId), ...others].flatMap(({ joined }) => joined)
      .sort((one, other) => one.at - other.at);
    const found = await accounts.findAll(users.map(({ id }) => id));
    const own = new Set(found.map(({ id }) => id));
    const joined = users.findLast(({ id }) => !own.has(id) && !isGuestId(id)) ?? null;
    if (others.length === 0) return { joined, rejected: this.#rejected.of(appId), hasHadUser };
    const all = [this.here(appId), ...others].flatMap(({ rejected }) => rejected);
    const app = realtime.apps.find(({ settings }) => settings.id === appId);
    const rejected = joinedAttempts(all as CountedRejection[], app?.settings);
    return { joined, rejected, hasHadUser };
  }

  /** How they fare at this server. */
  here(appId: string): StatusOfServer {
    return { joined: this.#joined.get(appId) ?? [], rejected: this.#rejected.counted(appId) };
  }

  /** Forgets an app that was removed. */
  forget(appId: string): void {
    this.#rejected.forget(appId);
    this.#joined.delete(appId);
  }

  /** Forgets the apps that are served no more, whichever server removed them. */
  forgetOthers(served: readonly string[]): void {
    for (const appId of this.#joined.keys()) if (!served.includes(appId)) this.forget(appId);
  }

  /** Stops listening. */
  stop(): void {
    for (const stop of this.#stopListening) stop();
    this.#cancel?.();
  }

  #joinedChannel(channel: string, member: Member, { id: appId }: AppSettings): void {
    const { id } = member;
    if (isTrialId(id)) return;
    const users = (this.#joined.get(appId) ?? []).filter((known) =>
      known.id !== id || known.channel !== channel
    );
    const isCounted = appId === this.#core.served.own.id && channel === onlineChannel;
    const name = givenName(member) ?? id;
    users.push({ at: this.#clock.date(), id, name, channel, isCounted });
    if (users.length > maxJoined) users.shift();
    this.#joined.set(appId, users);
    this.#changed();
  }

  #changed(): void {
    if (this.#cancel || !this.#isWatched()) return;
    this.#cancel = this.#clock.after(noticeEveryMs, () => {
      this.#cancel = undefined;
      this.#core.broadcast(adminChannel, "AppsChanged", {});
    });
  }

  /** Whether an admin may have a page open: pages of other servers show it too. */
  #isWatched(): boolean {
    return this.#core.cluster !== undefined || this.#core.ownApp.isOccupied(adminChannel);
  }
}
