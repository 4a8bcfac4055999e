import { channelOfQuery } from "../../../http/counted_channel.ts";
import { refuse } from "../../../http/refusal.ts";
import { readRowsRequest, rowsLimit, rowsRequestText } from "../../../http/rows_request.ts";
import { define } from "../../../state.ts";

/** Rows of the online table of a counted channel, for pages that are not sent all of it. */
export const handler = define.handlers({
  async GET(ctx) {
    const { state, url } = ctx;
    const request = readRowsRequest(url);
    if (!request) return refuse(422, "invalid_rows", rowsRequestText);
    const publisher = state.liveView.publisherOf(channelOfQuery(state, url).key);
    const ask = () => publisher.rows(request, request);
    return Response.json(await rowsLimit.run(state.visitor?.id ?? "", ask));
  },
});
