import * as entered from "@/shared/limits.ts";

/** A limit as the page has it: the part that it is in, what is limited, how, what happens above, what changes it. */
export type Described = readonly [
  part: "connection" | "address" | "channel" | "event" | "webhook" | "server" | "account",
  what: string,
  limit: string,
  above: string,
  change?: string,
];

/** Every limit of what people enter in pages, and of what there may be of it. */
export const ofPages: Record<
  Exclude<keyof typeof entered, "usualAlertHold" | "leastRecord">,
  Described
> = {
  passwordLength: [
    "account",
    "characters of a password",
    `${entered.passwordLength.minimum} to ${entered.passwordLength.maximum}`,
    "refused",
  ],
  longestName: refused("characters of a user's name", entered.longestName),
  accountLinkHours: [
    "account",
    "an invitation or a link for a new password",
    `${entered.accountLinkHours} hours`,
    "the link no longer works",
  ],
  mostInvites: refused("open invitations", entered.mostInvites),
  mostLimits: refused("apps and channels that an account is limited to", entered.mostLimits),
  longestQuery: refused("characters of a search", entered.longestQuery),
  longestMessage: refused("characters of a message", entered.longestMessage),
  mostBlockedPeople: refused("blocked people of an app", entered.mostBlockedPeople),
  mostBlockedGuests: limited(
    "blocked guests",
    count(entered.mostBlockedGuests),
    "the oldest are unblocked",
  ),
  longestBlockReason: refused("characters of the reason of a block", entered.longestBlockReason),
  mostWallboardLinks: refused("wallboards", entered.mostWallboardLinks),
  mostEmbeds: refused("embeds", entered.mostEmbeds),
  mostEmbedOrigins: refused("sites that can show an embed", entered.mostEmbedOrigins),
  mostSiteTags: refused("site tags", entered.mostSiteTags),
  mostApiTokens: refused("API tokens", entered.mostApiTokens),
  mostMarks: limited("marks in the history", count(entered.mostMarks), "the oldest are removed"),
  longestMark: refused("characters of a mark", entered.longestMark),
  mostApps: refused("apps that are added in the dashboard", entered.mostApps),
  mostCountedChannels: [
    "channel",
    "counted channels besides `presence-chart`",
    count(entered.mostCountedChannels),
    "Rollcall does not start",
    "COUNTED_CHANNELS",
  ],
  mostAlertRules: refused("rules of alerts", entered.mostAlertRules),
  longestRuleHold: [
    "account",
    "how long a rule's condition can have to hold",
    `${entered.longestRuleHold / 3_600} hours`,
    "refused",
  ],
  longestAlertHold: limited(
    "the same for a channel's threshold",
    `${entered.longestAlertHold / 60} minutes`,
  ),
  longestServerHold: limited("the same for a lost server", `${entered.longestServerHold} seconds`),
  mostAlertReceivers: refused("receivers of alerts", entered.mostAlertReceivers),
  mostAlertAddresses: refused("addresses of a receiver", entered.mostAlertAddresses),
};

/** A limit of what admins and users enter, beyond which the form is refused. */
function refused(what: string, most: number): Described {
  return limited(what, count(most));
}

function limited(what: string, limit: string, above = "refused"): Described {
  return ["account", what, limit, above];
}

/** A number as the page writes it. */
export function count(value: number): string {
  return value.toLocaleString("en");
}
