import type { ClientSettings } from "../shared/client_settings.ts";
import type { State } from "../state.ts";
import { liveCount } from "./live_count.ts";
import type { KnownPerson } from "../people/known_person.ts";
import { whyUnreachable } from "../people/message.ts";
import { type DisconnectOptions, disconnectOptions } from "../people/disconnect.ts";

/** What an admin sees of a person, and can do. */
export interface PersonView {
  csrfToken: string;
  person: KnownPerson;
  isOnline: boolean;
  /** When all this is so, in milliseconds since 1970. */
  now: number;
  /** How the page hears of changes. */
  settings: ClientSettings;
  /** Whether it is the admin who looks at the page. */
  isViewer: boolean;
  disconnectOptions: DisconnectOptions;
  /** Why a message would not arrive; null when it would. */
  unreachable: string | null;
}

/** The view of a person for the admin who asks for `page`. */
export function personView(state: State, person: KnownPerson, page: URL): PersonView {
  return {
    csrfToken: state.csrfToken,
    person,
    isOnline: person.presence !== null,
    now: Date.now(),
    settings: liveCount(state, page).settings,
    isViewer: person.id === state.session?.user.id,
    disconnectOptions: disconnectOptions(state, person),
    unreachable: whyUnreachable(state, person),
  };
}
