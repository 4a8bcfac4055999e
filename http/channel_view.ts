import { HttpError } from "fresh";
import type { EventDraft } from "@/components/channels/TestEventForm.tsx";
import type { ChannelView } from "@/components/channels/ChannelPage.tsx";
import { usesExternalServer } from "@/server/config/client_options.ts";
import { channelStatus } from "@/server/channels/channel_status.ts";
import type { Target } from "@/server/channels/inspector.ts";
import { inspectorChannel } from "@/server/presence/channels.ts";
import { timeSlices } from "@/server/live_view/sorted_people.ts";
import type { AppApi } from "@/realtime/api/app_api.ts";
import { isReserved } from "@/realtime/app_config.ts";
import { channelName } from "@/realtime/protocol/incoming.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { type ChannelStatus, readMemberQuery } from "@/shared/channel_list.ts";
import { text } from "@/shared/language.ts";
import { may, maySee } from "@/shared/permissions.ts";
import { sessionOf } from "./request.ts";
import type { State } from "./state.ts";
import { liveCount } from "./counted_view.ts";
import { firstInspection } from "./page_requests.ts";

/** A channel that an address or a form names, and its app. */
export interface AskedChannel extends Target {
  /** The name of the app. */
  app: string;
  api: AppApi;
}

/**
 * The channel that the fields `app` and `name` name, occupied or not.
 *
 * @throws {HttpError} 404 when there is no such app, the name is malformed or reserved, or the reader may not see it.
 */
export function askedChannel(
  state: State,
  { app: appId, name }: { app: unknown; name: unknown },
): AskedChannel {
  const { apps, realtime } = state;
  const app = typeof appId === "string" ? apps.find(appId) : null;
  const api = app && realtime.appApi(app.id);
  if (!app || !api) throw new HttpError(404, text`This app no longer exists.`);
  const channel = channelName.safeParse(name);
  if (
    !channel.success || isReserved(api.settings, channel.data) ||
    !maySee(sessionOf(state).user, { appId: app.id, channel: channel.data })
  ) {
    throw new HttpError(404, text`There is no channel of this name.`);
  }
  return { appId: app.id, app: app.name, channel: channel.data, api };
}

/** A channel as it is now, with the members that the query of an address asks for. */
export function statusOf(
  { accounts, memberSearches, pusherApp, realtime }: State,
  { appId, app, channel }: AskedChannel,
  parameters: URLSearchParams,
): Promise<ChannelStatus> {
  return channelStatus(
    {
      realtime,
      searches: memberSearches,
      accountsOf: (ids) => accounts.findAll(ids),
      ownAppId: pusherApp.id,
      pause: timeSlices(systemClock),
    },
    { id: appId, name: app },
    { name: channel, query: readMemberQuery(parameters), at: Date.now() },
  );
}

/** The data of a channel's page. @throws {HttpError} 503 when too many channels are inspected. */
export async function channelView(
  state: State,
  url: URL,
  asked: AskedChannel,
  sent: { draft?: EventDraft; isSent?: boolean; isRecorded?: boolean } = {},
): Promise<ChannelView> {
  const isLive = !usesExternalServer(state.config.pusher);
  return {
    channel: await statusOf(state, asked, url.searchParams),
    inspected: isLive
      ? {
        settings: liveCount(state, url).settings,
        pagesChannel: inspectorChannel(asked).replace(/^private-/, ""),
        first: await firstInspection(state, {
          appId: asked.appId,
          channel: asked.channel,
          isRecorded: sent.isRecorded ?? false,
        }),
      }
      : null,
    listsJoins: url.searchParams.get("joins") === "yes",
    mayManage: may(state.session?.user.role, "manage"),
    maxBytes: asked.api.settings.maxEventBytes,
    draft: sent.draft,
    isSent: sent.isSent ?? false,
  };
}
