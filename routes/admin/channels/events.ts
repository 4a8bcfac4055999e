import { askedChannel } from "@/http/channel_view.ts";
import { answerPage, inspectionRequest } from "@/http/page_requests.ts";
import { define } from "@/http/state.ts";

/** The events of a channel so far, for a page that has joined to receive later ones. */
export const handler = define.handlers({
  async GET({ req: request, state: services, url: { searchParams } }) {
    const { appId, channel } = askedChannel(services, {
      app: searchParams.get("app"),
      name: searchParams.get("name"),
    });
    const asked = { appId, channel, isRecorded: false };
    return await answerPage({ services, request }, inspectionRequest, asked);
  },
});
