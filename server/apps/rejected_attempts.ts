import type { AppSettings } from "@/realtime/app_config.ts";
import type { Rejection, RejectionReason } from "@/realtime/server.ts";
import { signRequest } from "@/realtime/protocol/signature.ts";
import { docsPath } from "@/shared/docs.ts";
import type { RejectedAttempt } from "@/shared/connect.ts";
import { keyText, longText } from "@/shared/long_text.ts";

/** Attempts that are remembered of all apps; a stranger can make any number. */
const maxAttempts = 50;

/** Attempts that are shown of an app. */
const maxShown = 10;

/** A rejection, and how often there was one like it. */
export interface CountedRejection {
  rejection: Rejection;
  /** The last time, in milliseconds since 1970. */
  at: number;
  times: number;
}

interface Known extends CountedRejection {
  attempt: RejectedAttempt;
  /** Undefined when the attempt names no app that is served. */
  appId: string | undefined;
}

/** The latest rejections of clients and API calls, each kind once, in memory. */
export class RejectedAttempts {
  /** By what they have in common; the newest last. */
  readonly #known = new Map<string, Known>();

  /** Adds a rejection at a time in milliseconds since 1970. */
  add(rejection: Rejection, app: AppSettings | undefined, at: number): void {
    const key = JSON.stringify([app?.id, rejection.reason, rejection.from, alike(rejection)]);
    const times = (this.#known.get(key)?.attempt.times ?? 0) + 1;
    this.#known.delete(key);
    this.#known.set(key, {
      rejection,
      at,
      times,
      appId: app?.id,
      attempt: attemptOf(rejection, app, { at, times }),
    });
    if (this.#known.size <= maxAttempts) return;
    for (const oldest of this.#known.keys()) return void this.#known.delete(oldest);
  }

  /** The attempts of an app, and attempts that name no app, newest first. */
  of(appId: string): RejectedAttempt[] {
    return this.#latest(appId).map(({ attempt }) => translated(attempt));
  }

  /** The same, as other servers join them with theirs by {@link joinedAttempts}. */
  counted(appId: string): CountedRejection[] {
    return this.#latest(appId).map(({ rejection, at, times }) => ({ rejection, at, times }));
  }

  #latest(appId: string): Known[] {
    return [...this.#known.values()].reverse()
      .filter((known) => known.appId === undefined || known.appId === appId).slice(0, maxShown);
  }

  /** Forgets the attempts of an app that is removed. */
  forget(appId: string): void {
    for (const [key, known] of this.#known) if (known.appId === appId) this.#known.delete(key);
  }
}

/** The attempts of an app at several servers, those alike once, newest first. */
export function joinedAttempts(
  all: readonly CountedRejection[],
  app: AppSettings | undefined,
): RejectedAttempt[] {
  const byKind = Map.groupBy(
    all.filter(({ rejection: { reason } }) => Object.hasOwn(titles, reason)),
    ({ rejection }) => JSON.stringify([rejection.reason, rejection.from, alike(rejection)]),
  );
  return Array.from(byKind.values(), (same) => {
    const { rejection, at } = same.reduce((one, other) => other.at > one.at ? other : one);
    const times = same.reduce((sum, { times }) => sum + times, 0);
    return translated(attemptOf(rejection, app, { at, times }));
  }).sort((one, other) => other.at - one.at).slice(0, maxShown);
}

/** What two attempts with the same cause have in common: socket ids and signatures differ. */
function alike({ reason, message }: Rejection): string {
  return ["wrong_signature", "wrong_clock"].includes(reason) ? "" : message;
}

/** An attempt in the reader's language. The answer of the protocol, for programmers, stays as it was. */
function translated(attempt: RejectedAttempt): RejectedAttempt {
  return { ...attempt, title: longText(attempt.title), remedy: longText(attempt.remedy) };
}

function attemptOf(
  { reason, from, message, signedText, signature: received }: Rejection,
  app: AppSettings | undefined,
  { at, times }: { at: number; times: number },
): RejectedAttempt {
  const isSignature = reason === "wrong_signature" && signedText !== undefined && app;
  return {
    at,
    times,
    message,
    title: titles[reason][from],
    remedy: remedies[reason][from],
    help: helpOf(reason, from),
    ...isSignature && {
      signature: { signedText, expected: beginningOf(app, signedText), received: received ?? "" },
    },
  };
}

/**
 * The beginning of the right signature, enough to compare. The whole would let an admin sign anything as the
 * app, without an entry in the admin log.
 */
function beginningOf(app: AppSettings, signedText: string): string {
  return `${signRequest(app, signedText).slice(0, 8)}…`;
}

/** The section of the documentation about a rejection. */
function helpOf(reason: RejectionReason, from: Rejection["from"]): string {
  if (reason === "wrong_origin") return docsPath("settings", "allowed_origins");
  if (reason === "address_full") {
    return docsPath("troubleshooting", "all-clients-have-one-address");
  }
  if (from === "api") return docsPath("troubleshooting", "server-requests-fail");
  return reason === "unknown_app" || reason === "wrong_address"
    ? docsPath("troubleshooting", "clients-do-not-connect")
    : docsPath("troubleshooting", "joining-a-channel-fails");
}

type Texts = Record<RejectionReason, Record<Rejection["from"], string>>;

const titles: Texts = {
  unknown_app: { client: keyText("Unknown key"), api: keyText("Unknown app ID") },
  wrong_key: { client: keyText("Wrong key in the signature"), api: keyText("Wrong key") },
  wrong_signature: { client: keyText("Wrong signature"), api: keyText("Wrong signature") },
  wrong_origin: { client: keyText("Origin not allowed"), api: keyText("Origin not allowed") },
  wrong_clock: { client: keyText("Clock is off"), api: keyText("Clock is off") },
  wrong_channel: { client: keyText("Wrong channel name"), api: keyText("Wrong channel name") },
  reserved_channel: { client: keyText("Reserved channel"), api: keyText("Reserved channel") },
  wrong_member: { client: keyText("Invalid member data"), api: keyText("Invalid member data") },
  wrong_address: { client: keyText("Wrong address"), api: keyText("Wrong address") },
  address_full: {
    client: keyText("Too many connections from one address"),
    api: keyText("Too many connections"),
  },
};

/** Both, where only one can happen. */
function either(remedy: string): Record<Rejection["from"], string> {
  return { client: remedy, api: remedy };
}

const remedies: Texts = {
  unknown_app: {
    client: keyText(
      "Use the key of this page in your client, and build your front end again: the key is compiled into it.",
    ),
    api: keyText("Use the app ID of this page in your server's settings."),
  },
  wrong_key: either(
    keyText(
      "Use the key of this page in your server's settings, and clear its cached configuration.",
    ),
  ),
  wrong_signature: {
    client: keyText(
      "Use the secret of this page in your server's settings, and clear its cached configuration. If the secret is right, compare the text below with what your server signs.",
    ),
    api: keyText(
      "Use the secret of this page in your server's settings. A proxy in front must not change the path or the query.",
    ),
  },
  wrong_origin: either(
    keyText("Add the origin of the page to ALLOWED_ORIGINS in Rollcall's settings."),
  ),
  wrong_clock: either(keyText("Set the clock of your server, for example with NTP.")),
  wrong_channel: either(
    keyText(
      "Use only letters, digits and _-=@,.; in channel names. Echo adds presence- by itself: join chart, not presence-chart.",
    ),
  ),
  reserved_channel: either(
    keyText(
      "Give the channel another name: names that start with private-rollcall. are not your app's.",
    ),
  ),
  wrong_member: either(
    keyText("Change what your server signs for the member as the message says."),
  ),
  wrong_address: either(
    keyText("Connect with pusher-js or Echo, with the host, port and path of this page."),
  ),
  address_full: either(
    keyText(
      "If it is the address of a proxy in front of Rollcall, set TRUSTED_PROXIES to it in Rollcall's settings: until then all clients count as one address. Otherwise raise MAX_CONNECTIONS_PER_ADDRESS.",
    ),
  ),
};
