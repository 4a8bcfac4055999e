import { text } from "./language.ts";
/** The direction in which a threshold is crossed. */
export type Direction = "up" | "down";

/** Whether the number of users meets the condition of the alert, and has for as long as set. */
export type AlertPhase = "active" | "normal";

/** The events of an alert at a number. Receivers know the first as an alarm, so the end has another name. */
export const alertEventNames: Record<"all" | "onlyActive", Record<AlertPhase, string>> = {
  all: { active: "users_online_threshold", normal: "users_online_normal" },
  onlyActive: { active: "users_active_threshold", normal: "users_active_normal" },
};

/** What rules can be about, as the settings offer them. */
export function ruleKinds() {
  return {
    threshold: text`A number online`,
    fall: text`The number falls quickly`,
    usual: text`An unusual number`,
    empty: text`No one online`,
    record: text`A new record`,
    person: text`A person comes or goes`,
    server: text`A server is lost`,
  };
}

/** What a rule is about. */
export type RuleKind = keyof ReturnType<typeof ruleKinds>;

/** The events of rules that are about something else than a threshold. */
export const ruleEventNames: Record<Exclude<RuleKind, "threshold">, Record<AlertPhase, string>> = {
  fall: { active: "users_online_fall", normal: "users_online_fall_over" },
  usual: { active: "users_online_unusual", normal: "users_online_usual" },
  empty: { active: "no_users_online", normal: "users_online_again" },
  // A record has no end that is told.
  record: { active: "users_online_record", normal: "users_online_record" },
  person: { active: "person_online", normal: "person_offline" },
  server: { active: "server_lost", normal: "servers_answer" },
};

/** The services that can receive alerts, as the settings offer them. */
export const receiverKinds = {
  slack: "Slack",
  discord: "Discord",
  teams: "Microsoft Teams",
  mattermost: "Mattermost",
  googleChat: "Google Chat",
  telegram: "Telegram",
  ntfy: "ntfy",
  gotify: "Gotify",
  email: "Email",
  webhook: "Webhook",
} as const;

/** A service that can receive alerts. */
export type ReceiverKind = keyof typeof receiverKinds;

/** A service that is called at a URL. */
export type HookKind = Exclude<ReceiverKind, "email">;

/** A begin or an end of the alert. */
export interface Crossing {
  /** In milliseconds since 1970. */
  at: number;
  users: number;
  /** How many of the users are guests; absent when none is, and of active users. */
  guests?: number;
  threshold: number;
  direction: Direction;
  /** See {@link Threshold}. */
  onlyActive?: boolean;
  /** `active` when the alert began, `normal` when the number was back to normal. */
  phase: AlertPhase;
}

/**
 * The condition of an alert: at least `users` online (`up`), or fewer (`down`), for this many seconds
 * without a break.
 */
export interface Threshold {
  users: number;
  direction: Direction;
  /** Whether active users count, and not all who are online. */
  onlyActive?: boolean;
  holdSeconds: number;
}

/** The alert as a page shows it, and the payload of the event `AlertChanged`. */
export interface AlertView {
  /** Null when no alert is on. */
  threshold: Threshold | null;
  /** Whether the number is not known, as active users count and no tab reports. */
  isWaiting?: boolean;
  phase: AlertPhase;
  /** When that began, in milliseconds since 1970; null when it has been so since the alert was set. */
  since: number | null;
}
