/** The length of a password, in characters. */
export const passwordLength = { minimum: 10, maximum: 256 };

/** The maximum length of a search, in UTF-16 units. */
export const longestQuery = 100;

/** The maximum number of active links, and of revoked ones that are remembered. */
export const mostWallboardLinks = 100;

/** The maximum number of embeds. */
export const mostEmbeds = 100;

/** The maximum number of origins that may frame an embed. */
export const mostEmbedOrigins = 20;

/** The maximum number of API tokens. */
export const mostApiTokens = 100;

/** The most marks that are kept, and the most characters of one. */
export const mostMarks = 1_000;
export const longestMark = 200;

/** The maximum number of apps that admins can have at a time. */
export const mostApps = 100;

/** The maximum length of a message, in UTF-16 units. */
export const longestMessage = 500;

/** The maximum number of blocked people of an app. */
export const mostBlockedPeople = 10_000;

/** The maximum number of blocked guests; above that, the one blocked first is unblocked. */
export const mostBlockedGuests = 10_000;

/** The maximum length of the reason that a blocked person is told, in UTF-16 units. */
export const longestBlockReason = 200;

/** The longest time for which a lost server must stay lost before a rule is told, in seconds. */
export const longestServerHold = 30;

/** The longest time for which a number must hold before the alert begins or ends, in seconds. */
export const longestAlertHold = 3_600;

/** That time where none was set, in seconds. */
export const usualAlertHold = 60;
/** The maximum number of invitations that are open at a time. */
export const mostInvites = 100;

/** How long a link that an admin makes for an account works, in hours. */
export const accountLinkHours = 24;

/** The maximum length of a name, in UTF-16 units. */
export const longestName = 100;

/** The maximum number of channels that have a live view, history, log and alert. */
export const mostCountedChannels = 20;

/** Apps and channels that one account is limited to. */
export const mostLimits = 200;

/** The maximum number of site tags. */
export const mostSiteTags = 100;

/** Receivers of alerts. */
export const mostAlertReceivers = 20;

/** Addresses that one receiver of alerts can have. */
export const mostAlertAddresses = 10;

/** A record below it is too small for its fall to be news. */
export const leastRecord = 10;

/** Rules of alerts besides the first one of each counted channel. */
export const mostAlertRules = 50;

/** How long the condition of such a rule may have to hold, in seconds. */
export const longestRuleHold = 86_400;
