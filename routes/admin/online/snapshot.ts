import { answerPage, onlineListRequest } from "@/http/page_requests.ts";
import { channelOfQuery } from "@/http/counted_view.ts";
import { readerLimits } from "@/http/request.ts";
import { define } from "@/http/state.ts";

/** Everyone in a counted channel, and what a page shows beside, for a page that starts following changes. */
export const handler = define.handlers({
  async GET({ req: request, state: services, url }) {
    const { key: channel } = channelOfQuery(services, url);
    const listRequest = { channel, ...readerLimits(services) };
    return await answerPage({ services, request }, onlineListRequest, listRequest);
  },
});
