import { personView } from "@/http/person_view.ts";
import { personFromUrl } from "@/http/request.ts";
import { define } from "@/http/state.ts";

/** What the page of a person shows, for the live view, which shows it beside the list. */
export const handler = define.handlers({
  async GET({ state, url }) {
    return Response.json(await personView(state, await personFromUrl(url, state), url));
  },
});
