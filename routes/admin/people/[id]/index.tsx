import { page } from "fresh";
import { type Outcome, PersonPage } from "../../../../components/people/PersonPage.tsx";
import { removalRefusals } from "../../../../components/people/removal_text.ts";
import { define } from "../../../../state.ts";
import PersonStatus from "../../../../islands/PersonStatus.tsx";
import { personFromUrl } from "../../../../http/person_from_url.ts";
import { personView } from "../../../../http/person_view.ts";

const done: Record<string, string> = {
  disconnected: "All open pages have been disconnected.",
  blocked: "All open pages have been disconnected, and there is no way back in.",
  unblocked: "This guest is let in again.",
  sent: "The message has been sent.",
};

/** One person: what is known of them, and what an admin can do. */
export const handler = define.handlers({
  async GET(ctx) {
    const person = await personFromUrl(ctx.url, ctx.state);
    ctx.state.title = person.name;
    return page({
      ...personView(ctx.state, person, ctx.url),
      outcome: outcomeOf(ctx.url.searchParams),
    });
  },
});

/** What the address says came of an action, by words that it knows. */
function outcomeOf(address: URLSearchParams): Outcome | undefined {
  for (
    const [name, tone, words] of [
      ["done", "success", done],
      ["problem", "error", removalRefusals],
    ] as const
  ) {
    const word = address.get(name) ?? "";
    if (Object.hasOwn(words, word)) return { tone, words: (words as Record<string, string>)[word] };
  }
}

export default define.page<typeof handler>(({ data }) => (
  <PersonPage
    {...data}
    mark={<PersonStatus settings={data.settings} id={data.person.id} initial={data.isOnline} />}
  />
));
