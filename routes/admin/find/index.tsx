import { page } from "fresh";
import { FindPage } from "@/components/find/FindPage.tsx";
import { find, readFindText } from "@/http/find_view.ts";
import { define } from "@/http/state.ts";
import { maxFindLength } from "@/shared/find.ts";
import { text } from "@/shared/language.ts";

/** What is found for a text, for readers without script. A text that is too long is searched for by its beginning. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = text`Search`;
    const asked = ctx.url.searchParams.get("q") ?? "";
    const sought = readFindText(ctx.url) ?? asked.trim().slice(0, maxFindLength);
    return page({ sought, found: await find(ctx.state, sought) });
  },
});

export default define.page<typeof handler>(({ data }) => <FindPage {...data} />);
