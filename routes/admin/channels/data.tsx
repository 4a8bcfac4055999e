import { page } from "fresh";
import { z } from "zod";
import { audit } from "@/server/audit/audit.ts";
import { EventDataPage } from "@/components/channels/EventsTable.tsx";
import { askedChannel } from "@/http/channel_view.ts";
import { findInspectedEvent } from "@/http/page_requests.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { listedKind } from "@/server/channels/listed_channels.ts";
import { href } from "@/shared/address.ts";
import type { EventData } from "@/shared/inspection.ts";
import { define } from "@/http/state.ts";

const askedEvent = z.object({
  inspection: z.uuid(),
  number: z.coerce.number().int().min(1),
});

/** The data of an event that passed by, which the admin log records. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/admin/channels"), 303),
  async POST(ctx) {
    const { input } = ctx.state;
    const asked = askedChannel(ctx.state, { app: input.app, name: input.name });
    const { app, appId, channel } = asked;
    const event = askedEvent.safeParse(input);
    if (!event.success) return refuse(422, "invalid", "inspection and number name no event.");
    const keptEvent = await findInspectedEvent(
      { services: ctx.state, request: ctx.req },
      { appId, channel, ...event.data },
    );
    if (keptEvent) {
      const target = { id: `channel:${channel}`, name: channel };
      const { name, bytes } = keptEvent.line;
      await audit(ctx.state, "channel_event_read", target, { app, event: name, bytes });
    }
    const data = keptEvent?.data ?? null;
    if (wantsJson(ctx.req)) return Response.json({ data } satisfies EventData);
    ctx.state.title = channel;
    return page({ channel: asked, kind: listedKind(channel), data });
  },
});

export default define.page<typeof handler>(({ data }) => <EventDataPage {...data} />);
