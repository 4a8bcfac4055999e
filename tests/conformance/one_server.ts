const itself = "a limit of each server, for its own memory and CPU";

/** Rules of one server, and why they are not proved over several; all others hold over several, too. */
export const ofOneServer: Readonly<Record<string, string>> = {
  "close.4100": itself,
  "close.503": itself,
  "limit.address": itself,
  "api-auth.403-quota": itself,
  "limit.subscriptions":
    "its proof counts answers, and one that has to come from Redis is not sent to a client that left before",
  "subscription-count.large":
    "each server states its subscribers at most once a second, so not every number is sent",
};
