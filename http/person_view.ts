import { onlineKey } from "@/shared/counted.ts";
import type { PersonView } from "@/components/people/person_view.ts";
import type { State } from "./state.ts";
import { liveCount } from "./live_count.ts";
import type { KnownPerson } from "@/server/people/known_person.ts";
import { whyUnreachable } from "@/server/people/message.ts";
import { disconnectOptions } from "@/server/people/disconnect.ts";

/** The data of a person's page at a URL, for the signed-in admin. */
export async function personView(
  state: State,
  person: KnownPerson,
  page: URL,
): Promise<PersonView> {
  return {
    csrfToken: state.csrfToken,
    person,
    isOnline: person.presence !== null,
    isElsewhere: person.channels.some((channel) => channel !== onlineKey),
    now: Date.now(),
    settings: liveCount(state, page).settings,
    isViewer: person.id === state.session?.user.id,
    disconnectOptions: disconnectOptions(state, person),
    unreachable: await whyUnreachable(state, person),
  };
}
