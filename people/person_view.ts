import type { State } from "../define.ts";
import type { KnownPerson } from "./known_person.ts";
import { whyUnreachable } from "./message.ts";
import { type RemovalOptions, removalOptions } from "./removal.ts";

/** What an admin sees of a person, and can do. */
export interface PersonView {
  csrfToken: string;
  person: KnownPerson;
  /** Whether it is the admin who looks at the page. */
  isViewer: boolean;
  removal: RemovalOptions;
  /** Why a message would not arrive; null when it would. */
  unreachable: string | null;
}

/** The view of a person for the admin who asks. */
export function personView(state: State, person: KnownPerson): PersonView {
  return {
    csrfToken: state.csrfToken,
    person,
    isViewer: person.id === state.session?.user.id,
    removal: removalOptions(state, person),
    unreachable: whyUnreachable(state, person),
  };
}
