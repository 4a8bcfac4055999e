import { apiAuthentication } from "./chapters/api_authentication.ts";
import { apiChannels } from "./chapters/api_channels.ts";
import { apiEvents } from "./chapters/api_events.ts";
import { authRoutes } from "./chapters/auth_routes.ts";
import { caching } from "./chapters/caching.ts";
import { clientEvents } from "./chapters/client_events.ts";
import { closing } from "./chapters/closing.ts";
import { connection } from "./chapters/connection.ts";
import { encryption } from "./chapters/encryption.ts";
import { limits } from "./chapters/limits.ts";
import { liveness } from "./chapters/liveness.ts";
import { names } from "./chapters/names.ts";
import { presence } from "./chapters/presence.ts";
import { quietMembers } from "./chapters/quiet_members.ts";
import { signatures } from "./chapters/signatures.ts";
import { signingIn } from "./chapters/signing_in.ts";
import { subscribing } from "./chapters/subscribing.ts";
import { subscriptionCounts } from "./chapters/subscription_counts.ts";
import { watching } from "./chapters/watching.ts";
import { webhooks } from "./chapters/webhooks.ts";

/** Every chapter, in the order of the document. */
export const chapters = [
  connection,
  liveness,
  closing,
  subscribing,
  names,
  signatures,
  authRoutes,
  presence,
  quietMembers,
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
