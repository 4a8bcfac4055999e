import { connectionAt, guideAddresses } from "@/server/apps/app_connection.ts";
import type { AppView } from "@/server/apps/app_registry.ts";
import { guidesFor } from "@/server/apps/guides/guides.ts";
import type { ConnectView } from "@/components/connect/ConnectPage.tsx";
import type { State } from "./state.ts";
import { appText } from "@/components/channels/channel_text.ts";
import { liveCount } from "./counted_view.ts";
import { publicOrigin } from "./request.ts";

/** The data of the page that connects an app. @param sent the outcome of a form */
export async function connectView(
  state: State,
  page: URL,
  app: AppView,
  sent: Pick<ConnectView, "refused"> & { done?: string; isRevealed?: boolean } = {},
): Promise<ConnectView> {
  const { apps, appStatuses, config } = state;
  const { done = "", isRevealed = false, refused } = sent;
  const addresses = guideAddresses(config.appUrl, localOrigin(state, page));
  const addressId = page.searchParams.get("at");
  const current = addresses.find(({ id }) => id === addressId) ?? addresses[0];
  const secret = isRevealed ? apps.secretOf(app.id) : null;
  const connection = connectionAt(app, secret, current.url);
  return {
    app: named(app),
    connection,
    isRevealed,
    refused,
    done,
    apps: apps.list().map(named),
    isReadOnly: apps.isReadOnly,
    addresses: addresses.map(({ id, label }) => ({
      id,
      label,
      isCurrent: id === current.id,
      path: `/admin/settings/connect?app=${encodeURIComponent(app.id)}&at=${id}`,
    })),
    guides: guidesFor(connection),
    status: await appStatuses.of(app.id),
    settings: liveCount(state, page).settings,
  };
}

/** An app with its name in the reader's language, as long as no admin has given it one. */
function named(app: AppView): AppView {
  return { ...app, name: appText(app.name) };
}

/** Where the page is, as its reader sees it: a proxy may have passed the request on as http. */
function localOrigin({ config }: State, page: URL): string {
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(page.hostname);
  return isLocal ? page.origin : publicOrigin(config, page);
}
