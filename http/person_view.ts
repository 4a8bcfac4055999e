import { usesExternalServer } from "@/server/config/client_options.ts";
import { personChange, personTypeText } from "@/components/people/person_texts.ts";
import type { PersonView } from "@/components/people/PersonPage.tsx";
import type { Services } from "@/server/services.ts";
import { may } from "@/shared/permissions.ts";
import { href, personPath, userPath } from "@/shared/address.ts";
import type { PersonSnapshot, ShownActivity } from "@/shared/person.ts";
import type { UserActivity } from "@/shared/online.ts";
import { activityText } from "@/components/online_table/page_text.ts";
import type { State } from "./state.ts";
import { channelSettings, liveCount, visibleCounted } from "./counted_view.ts";
import { type KnownPerson, personHistory } from "@/server/people/known_person.ts";
import { whyUnreachable } from "@/server/people/send_message.ts";
import { disconnectOptions } from "@/server/people/disconnect.ts";
import type { Context } from "fresh";
import type { Confirmation } from "@/components/page/ConfirmPage.tsx";
import { requireConfirmation } from "./confirmation.tsx";

/** The data of a person's page at a URL, for the signed-in reader. */
export async function personView(
  state: State,
  person: KnownPerson,
  page: URL,
): Promise<PersonView> {
  const { id, kind, account, isBlocked } = person;
  const role = state.session?.user.role;
  return {
    csrfToken: state.csrfToken,
    person: {
      id,
      kind,
      isBlocked,
      type: personTypeText(person),
      account: account && {
        email: account.email,
        isDisabled: account.disabled,
        path: href(userPath(account.id)),
      },
    },
    first: await personSnapshot(state, person),
    settings: { ...liveCount(state, page).settings, ...followedSettings(state) },
    isFollowed: !usesExternalServer(state.config.pusher),
    isViewer: id === state.session?.user.id,
    disconnectOptions: may(role, "act") ? disconnectOptions(state, person) : null,
    mayManage: may(role, "manage"),
  };
}

/** How a person's page follows changes: by the users online, or the first channel that a limited reader may see. */
function followedSettings(state: State) {
  const followed = visibleCounted(state).find(({ isOwn }) => isOwn);
  return followed && channelSettings(followed);
}

/** What changes on a person's page, without what only the server may know. */
export async function personSnapshot(
  services: Services,
  person: KnownPerson,
): Promise<PersonSnapshot> {
  const { name, detail, url, presence, channels, lastSeenAt } = person;
  const { activity, visits } = await personHistory(services, person);
  const at = Date.now();
  return {
    at,
    name,
    detail,
    url,
    channels,
    lastSeenAt,
    presence: presence && {
      since: presence.since,
      connections: presence.connections,
      ...presence.pages && {
        pages: presence.pages.map(({ activity, ...page }) => ({ ...page, ...shown(activity, at) })),
      },
      ...presence.tabs && {
        tabs: presence.tabs.flatMap((tab) => shown(tab, at).activity ?? []),
      },
      ...shown(presence.activity, at),
    },
    activity: activity.map(personChange),
    visits,
    unreachable: await whyUnreachable(services, person),
  };
}

/** Whether a person or a tab is active, in words; nothing where it is not known. */
function shown(activity: UserActivity | undefined, at: number): { activity?: ShownActivity } {
  return activity ? { activity: { ...activity, text: activityText(activity, at) } } : {};
}

/** An action of an admin on a person; see {@link answerPersonAction}. */
interface PersonAction {
  /** Why it is refused before it is confirmed; null when it is not. */
  refusal: string | null;
  confirmation: Confirmation;
  /** The names of the form's fields. */
  fields?: readonly string[];
  /** @returns why it was refused; null when it is done. */
  act: () => Promise<string | null>;
  /** How the URL of the person's page names the outcome. */
  done: string;
  /** The path of the page that follows, where the person has none any more. */
  next?: string;
}

/**
 * Answers the form of an action on a person: asks for confirmation, acts, and redirects to the person's
 * page with the outcome.
 */
export async function answerPersonAction(
  ctx: Context<State>,
  person: KnownPerson,
  { refusal, confirmation, fields = [], act, done, next }: PersonAction,
): Promise<Response> {
  const back = personPath(person.id);
  if (refusal) return ctx.redirect(href(`${back}?problem=${refusal}`), 303);
  const question = await requireConfirmation(ctx, confirmation, { fields, back });
  if (question) return question;
  const problem = await act();
  if (problem) return ctx.redirect(href(`${back}?problem=${problem}`), 303);
  return ctx.redirect(href(next ?? `${back}?done=${done}`), 303);
}
