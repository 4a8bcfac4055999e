import type { DisconnectOptions } from "@/server/people/disconnect.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Person } from "@/shared/online.ts";
import type { PersonMoment } from "@/shared/person.ts";

/** The result of an action, as a sentence. */
export interface Outcome {
  tone: "success" | "error";
  text: string;
}

/** Who a person is: what stays while the page is open. */
export interface ShownPerson extends Pick<Person, "id" | "kind"> {
  /** What the person is, and what that is called. */
  type: { name: string; text: string };
  /** Of a user, with the path of its page. */
  account: { email: string; isDisabled: boolean; path: string } | null;
  /** Whether it is a guest whom an admin blocked. */
  isBlocked: boolean;
}

/** The data of a person's page. */
export interface PersonView {
  csrfToken: string;
  person: ShownPerson;
  /** What changes, as it is in the HTML. */
  first: PersonMoment;
  /** How the page connects, to follow changes. */
  settings: ClientSettings;
  /** Whether the server knows who is online: not with an external Pusher server. */
  isFollowed: boolean;
  /** Whether the person is the admin who views the page. */
  isViewer: boolean;
  disconnectOptions: DisconnectOptions;
  outcome?: Outcome;
}
