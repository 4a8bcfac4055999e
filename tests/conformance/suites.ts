import { apiAuthentication } from "./suites/api_authentication.ts";
import { apiChannels } from "./suites/api_channels.ts";
import { apiEvents } from "./suites/api_events.ts";
import { authRoutes } from "./suites/auth_routes.ts";
import { caching } from "./suites/caching.ts";
import { clientEvents } from "./suites/client_events.ts";
import { closing } from "./suites/closing.ts";
import { connection } from "./suites/connection.ts";
import { encryption } from "./suites/encryption.ts";
import { limits } from "./suites/limits.ts";
import { liveness } from "./suites/liveness.ts";
import { memberUpdates } from "./suites/member_updates.ts";
import { names } from "./suites/names.ts";
import { presence } from "./suites/presence.ts";
import { quietMembers } from "./suites/quiet_members.ts";
import { signatures } from "./suites/signatures.ts";
import { signingIn } from "./suites/signing_in.ts";
import { subscribing } from "./suites/subscribing.ts";
import { subscriptionCounts } from "./suites/subscription_counts.ts";
import { watching } from "./suites/watching.ts";
import { webhooks } from "./suites/webhooks.ts";

/** Every suite, in the order of the document. */
export const suites = [
  connection,
  liveness,
  closing,
  subscribing,
  names,
  signatures,
  authRoutes,
  presence,
  quietMembers,
  memberUpdates,
  clientEvents,
  subscriptionCounts,
  caching,
  encryption,
  signingIn,
  watching,
  apiAuthentication,
  apiEvents,
  apiChannels,
  webhooks,
  limits,
];

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
