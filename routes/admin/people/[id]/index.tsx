import { page } from "fresh";
import type { Outcome } from "@/components/people/PersonPage.tsx";
import { disconnectFailures } from "@/components/people/DisconnectForms.tsx";
import { define } from "@/http/state.ts";
import Person from "@/islands/Person.tsx";
import { personFromUrl } from "@/http/request.ts";
import { personView } from "@/http/person_view.ts";

const done: Record<string, string> = {
  disconnected: "Disconnected.",
  blocked: "Disconnected and blocked.",
  unblocked: "Unblocked.",
  sent: "Message sent.",
};

/** A person: what is known of them, and what an admin can do. */
export const handler = define.handlers({
  async GET(ctx) {
    const person = await personFromUrl(ctx.url, ctx.state);
    ctx.state.title = person.name;
    return page({
      ...await personView(ctx.state, person, ctx.url),
      outcome: outcomeOf(ctx.url.searchParams),
    });
  },
});

/** The outcome of an action that the URL names. */
function outcomeOf(parameters: URLSearchParams): Outcome | undefined {
  for (
    const [name, tone, texts] of [
      ["done", "success", done],
      ["problem", "error", disconnectFailures],
    ] as const
  ) {
    const outcome = parameters.get(name) ?? "";
    if (Object.hasOwn(texts, outcome)) {
      return { tone, text: (texts as Record<string, string>)[outcome] };
    }
  }
}

export default define.page<typeof handler>(({ data }) => <Person {...data} />);
