import { usesExternalServer } from "@/server/config/client_settings.ts";
import { personChange, personTypeText } from "@/components/people/person_texts.ts";
import type { PersonView } from "@/components/people/person_view.ts";
import type { Services } from "@/server/services.ts";
import { userPath } from "@/shared/address.ts";
import type { PersonMoment } from "@/shared/person.ts";
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
  const { id, kind, account, isBlocked } = person;
  return {
    csrfToken: state.csrfToken,
    person: {
      ...{ id, kind, isBlocked },
      type: personTypeText(person),
      account: account && {
        email: account.email,
        isDisabled: account.disabled,
        path: userPath(account.id),
      },
    },
    first: await personMoment(state, person),
    settings: liveCount(state, page).settings,
    isFollowed: !usesExternalServer(state.config.pusher),
    isViewer: id === state.session?.user.id,
    disconnectOptions: disconnectOptions(state, person),
  };
}

/** What changes on a person's page, without what only the server may know. */
export async function personMoment(
  services: Pick<Services, "allServers" | "config">,
  person: KnownPerson,
): Promise<PersonMoment> {
  const { name, detail, url, presence, channels, lastSeenAt, activity } = person;
  const at = Date.now();
  return {
    ...{ at, name, detail, url, channels, lastSeenAt },
    presence: presence && {
      since: presence.since,
      connections: presence.connections,
      ...presence.pages && { pages: [...presence.pages] },
    },
    activity: activity.map(personChange),
    unreachable: await whyUnreachable(services, person),
  };
}
