import { answerPage, personRequest } from "@/http/page_requests.ts";
import { readerLimits } from "@/http/request.ts";
import { define } from "@/http/state.ts";
import { pathOf, personIdOf } from "@/shared/address.ts";

/** What changes on the page of a person, for a page that follows it. */
export const handler = define.handlers({
  async GET({ req: request, state: services, url }) {
    const asked = { id: personIdOf(pathOf(url)), ...readerLimits(services) };
    return await answerPage({ services, request }, personRequest, asked);
  },
});
