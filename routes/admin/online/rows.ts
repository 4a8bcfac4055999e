import {
  channelOfQuery,
  readRowsRequest,
  rowsLimit,
  rowsRequestText,
} from "@/http/counted_view.ts";
import { answerPage, onlineRowsRequest } from "@/http/page_requests.ts";
import { refuse } from "@/http/rejection.ts";
import { define } from "@/http/state.ts";

/** Rows of the online table of a counted channel, for pages that are not sent all of it. */
export const handler = define.handlers({
  async GET({ req: request, state: services, url }) {
    if (!readRowsRequest(url)) return refuse(422, "invalid_rows", rowsRequestText);
    const { key: channel } = channelOfQuery(services, url);
    const rowsRequest = { channel, query: url.searchParams.toString() };
    const answer = () => answerPage({ services, request }, onlineRowsRequest, rowsRequest);
    return await rowsLimit.run(services.visitor?.id ?? "", answer);
  },
});
