import { find, readFindText } from "@/http/find_view.ts";
import { define } from "@/http/state.ts";
import { maxFindLength } from "@/shared/find.ts";
import { refuse } from "@/http/rejection.ts";

/** What is found for a text, for the search dialog. */
export const handler = define.handlers({
  async GET({ state, url }) {
    const text = readFindText(url);
    if (text !== null) return Response.json(await find(state, text));
    return refuse(422, "invalid_search", `q must have up to ${maxFindLength} characters.`);
  },
});
