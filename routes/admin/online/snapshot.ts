import { answerPage, onlineListRequest } from "@/http/page_requests.ts";
import { define } from "@/http/state.ts";

/** Everyone in a counted channel, and what a page shows beside, for a page that starts following changes. */
export const handler = define.handlers({
  async GET({ req: request, state: services, url }) {
    const channel = url.searchParams.get("channel");
    return await answerPage({ services, request }, onlineListRequest, { channel });
  },
});
