import type { ClientSettings } from "../shared/client_settings.ts";
import type { State } from "../state.ts";
import { liveCount } from "./live_count.ts";
import type { KnownPerson } from "../people/known_person.ts";
import { whyUnreachable } from "../people/message.ts";
import { type DisconnectOptions, disconnectOptions } from "../people/disconnect.ts";

/** The data of a person's page. */
export interface PersonView {
  csrfToken: string;
  person: KnownPerson;
  isOnline: boolean;
  /** The time of this data, in milliseconds since 1970. */
  now: number;
  /** How the page connects, to follow changes. */
  settings: ClientSettings;
  /** Whether the person is the admin who views the page. */
  isViewer: boolean;
  disconnectOptions: DisconnectOptions;
  /** Why a message cannot be delivered; null when it can. */
  unreachable: string | null;
}

/** The data of a person's page at a URL, for the signed-in admin. */
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
