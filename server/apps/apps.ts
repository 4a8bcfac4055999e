import { installationSecrets, storeOwnSecret } from "../config/installation_secrets.ts";
import type { Core } from "../core.ts";
import { entryLog } from "../observability/logging.ts";
import { HttpApi } from "@/realtime/api/http_api.ts";
import { AppRegistry } from "./app_registry.ts";
import { AppStatuses } from "./app_statuses.ts";
import { FirstAppUser } from "./first_app_user.ts";

/** What is known of the apps, and how it is changed. */
export type Apps = Awaited<ReturnType<typeof startApps>>;

/**
 * Opens what is known of the apps, how their clients fare, and their HTTP API.
 *
 * @param changed is called after apps were added, changed or removed.
 */
export async function startApps(core: Core, changed: () => void) {
  const { cluster, config, database, realtime, served } = core;
  const firstAppUser = await FirstAppUser.open(core, entryLog("server"));
  const appStatuses = new AppStatuses(core, firstAppUser);
  const ownSecret = {
    read: async () => (await installationSecrets(config, database)).apps[0].secret,
    store: (secret: string) => storeOwnSecret(config, database, secret),
  };
  function appsChanged() {
    changed();
    appStatuses.forgetOthers(served.all.map(({ id }) => id));
  }
  function readSettings() {
    served.reload();
    appsChanged();
  }
  return {
    /** The apps that are served, and how admins change them. */
    apps: new AppRegistry(core, ownSecret, appsChanged),
    /** How the clients of each app fare. */
    appStatuses,
    /** Whether an app has had a user, so that admins who watch are not counted. */
    firstAppUser,
    /** Serves the apps that the settings have now, on this server. */
    readSettings,
    /** The same on all servers. */
    reloadApps() {
      readSettings();
      void cluster?.bus.changes.changed("settings");
    },
    /** Pusher's HTTP API. */
    httpApi: new HttpApi({
      appOf: (id) => realtime.appApi(id),
      log: entryLog("http"),
      rejected: (rejection, app) => appStatuses.rejected(rejection, app),
    }),
  };
}
