import { SessionWatch } from "../accounts/sessions.ts";
import type { Core } from "../core.ts";
import { entryLog } from "../observability/logging.ts";
import { OpenIdSignIn } from "./oidc.ts";
import { Provider } from "./provider.ts";

/** How people sign in besides passwords, and what follows when a session ends. */
export interface SignInServices {
  readonly sessionWatch: SessionWatch;
  /** Sign-in with an OpenID Connect provider; undefined: none is set. */
  readonly oidc: OpenIdSignIn | undefined;
}

/** Opens sign-in with the provider of the settings, if there is one, and watches for sessions that end. */
export async function startSignIn(core: Core): Promise<SignInServices> {
  const { oidc } = core.config;
  return {
    sessionWatch: watchSessions(core),
    oidc: oidc && new OpenIdSignIn(core, oidc, await Provider.open(oidc)),
  };
}

function watchSessions(core: Core): SessionWatch {
  const log = entryLog("accounts");
  return new SessionWatch(
    core.accounts,
    () => core.ownApp,
    (error) => log({ level: "error", message: "Could not look for ended sessions", error }),
  );
}
