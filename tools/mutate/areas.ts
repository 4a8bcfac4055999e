import { accounts } from "./areas/accounts.ts";
import { audit } from "./areas/audit.ts";
import { activity } from "./areas/activity.ts";
import { alert } from "./areas/alert.ts";
import { api } from "./areas/api.ts";
import { bus } from "./areas/bus.ts";
import { browser } from "./areas/browser.ts";
import { channels } from "./areas/channels.ts";
import { check } from "./areas/check.ts";
import { cluster } from "./areas/cluster.ts";
import { commands } from "./areas/commands.ts";
import { config } from "./areas/config.ts";
import { connections } from "./areas/connections.ts";
import { database } from "./areas/database.ts";
import { embed } from "./areas/embed.ts";
import { history } from "./areas/history.ts";
import { http } from "./areas/http.ts";
import { inspector } from "./areas/inspector.ts";
import { leader } from "./areas/leader.ts";
import { middleware } from "./areas/middleware.ts";
import { network } from "./areas/network.ts";
import { observability } from "./areas/observability.ts";
import { online } from "./areas/online.ts";
import { onlineLists } from "./areas/online_lists.ts";
import { people } from "./areas/people.ts";
import { presence } from "./areas/presence.ts";
import { protocol } from "./areas/protocol.ts";
import { routes } from "./areas/routes.ts";
import { shared } from "./areas/shared.ts";
import { wallboard } from "./areas/wallboard.ts";
import { timing } from "./areas/timing.ts";
import { webhooks } from "./areas/webhooks.ts";
import type { Mutation } from "./mutation.ts";

/** Every mutation, by the area that `deno task mutate` takes. */
export const areas: Readonly<Record<string, readonly Mutation[]>> = {
  channels,
  presence,
  cluster,
  bus,
  leader,
  timing,
  connections,
  protocol,
  commands,
  api,
  webhooks,
  network,
  accounts,
  http,
  browser,
  shared,
  config,
  online: [...online, ...onlineLists],
  people,
  audit,
  inspector,
  wallboard,
  embed,
  routes,
  middleware,
  database,
  activity,
  alert,
  history,
  check,
  observability,
};
