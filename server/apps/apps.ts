import { installationSecrets, storeOwnSecret } from "../config/installation_secrets.ts";
import type { Core } from "../core.ts";
import { entryLog } from "../observability/logging.ts";
import { adminChannel } from "../presence/channels.ts";
import { HttpApi } from "@/realtime/api/http_api.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
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
  const { accounts, broadcast, cluster, config, database, realtime, served } = core;
  const firstAppUser = await openFirstAppUser(core);
  const appStatuses = new AppStatuses({
    realtime,
    firstAppUser,
    ownAppId: served.own.id,
    accountsOf: (ids) => accounts.findAll(ids),
    // Pages of other servers show it too.
    isWatched: () => cluster !== undefined || core.ownApp.isOccupied(adminChannel),
    publish: () => broadcast(adminChannel, "AppsChanged", {}),
    remote: cluster && ((appId) => cluster.bus.others.appStatuses(appId)),
    clock: systemClock,
  });
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
    apps: new AppRegistry({
      database,
      served,
      storeOwnSecret: (secret) => storeOwnSecret(config, database, secret),
      readOwnSecret: async () => (await installationSecrets(config, database)).apps[0].secret,
      changed: appsChanged,
      stored: () => cluster?.bus.changes.changed("apps"),
    }),
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

async function openFirstAppUser(core: Core): Promise<FirstAppUser> {
  const { accounts, cluster, database, realtime } = core;
  return await FirstAppUser.open({
    database,
    realtime,
    clock: systemClock,
    log: entryLog("server"),
    accountsOf: (ids) => accounts.findAll(ids),
    stored: () => cluster?.bus.changes.changed("first_app_user"),
    async came() {
      const admins = (await accounts.list()).filter(({ role }) => role === "admin");
      for (const { id } of admins) core.allServers.reconnectUser(id);
    },
  });
}
