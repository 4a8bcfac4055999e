import { page } from "fresh";
import { FindPage } from "@/components/find/FindPage.tsx";
import { find, readFindText } from "@/http/find_view.ts";
import { define } from "@/http/state.ts";
import { maxFindLength } from "@/shared/find.ts";

/** What is found for a text, for readers without script. A text that is too long is searched for by its beginning. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = "Search";
    const asked = ctx.url.searchParams.get("q") ?? "";
    const text = readFindText(ctx.url) ?? asked.trim().slice(0, maxFindLength);
    return page({ text, found: await find(ctx.state, text) });
  },
});

export default define.page<typeof handler>(({ data }) => <FindPage {...data} />);
