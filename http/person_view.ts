import type { PersonPageProps } from "../components/people/PersonPage.tsx";
import type { ClientSettings } from "../shared/client_settings.ts";
import type { State } from "../state.ts";
import { liveCount } from "./live_count.ts";
import type { KnownPerson } from "../people/known_person.ts";
import { whyUnreachable } from "../people/message.ts";
import { removalOptions } from "../people/removal.ts";

/** What an admin's page shows of a person, and what it needs to follow changes. */
export interface PersonView extends PersonPageProps {
  isOnline: boolean;
  settings: ClientSettings;
}

/** The view of a person for the admin who requests `page`. */
export function personView(state: State, person: KnownPerson, page: URL): PersonView {
  return {
    csrfToken: state.csrfToken,
    person,
    isOnline: person.presence !== null,
    now: Date.now(),
    settings: liveCount(state, page).settings,
    isViewer: person.id === state.session?.user.id,
    removal: removalOptions(state, person),
    unreachable: whyUnreachable(state, person),
  };
}
