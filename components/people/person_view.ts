import type { DisconnectOptions } from "@/server/people/disconnect.ts";
import type { KnownPerson } from "@/server/people/known_person.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";

/** The data of a person's page. */
export interface PersonView {
  csrfToken: string;
  person: KnownPerson;
  isOnline: boolean;
  /** Whether the person is in another counted channel than that of the users online. */
  isElsewhere: boolean;
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
