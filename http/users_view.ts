import type { BlockedPeopleView } from "@/components/accounts/BlockedPeople.tsx";
import type { UsersView } from "@/components/accounts/UsersPage.tsx";
import { listBlockedGuests } from "@/server/accounts/guest.ts";
import { searchUsers } from "@/server/accounts/users.ts";
import { usesExternalServer } from "@/server/config/client_options.ts";
import { onlineChannel } from "@/server/presence/channels.ts";
import { accountsById } from "@/server/presence/identity.ts";
import type { State } from "./state.ts";
import type { Failure, User } from "@/server/accounts/accounts.ts";
import { userIdSchema } from "@/server/accounts/account_fields.ts";
import type { ManageUserView } from "@/components/accounts/ManageUserPage.tsx";
import { HttpError } from "fresh";
import type { AccountView } from "@/components/accounts/AccountPage.tsx";
import { liveCount } from "./counted_view.ts";
import { sessionOf } from "./request.ts";
import { text } from "@/shared/language.ts";
import { languageNames } from "@/server/language/languages.ts";
import {
  type LimitChoice,
  limitField,
  type LimitGroup,
} from "@/components/accounts/LimitsForm.tsx";
import {
  type Limit,
  limitName,
  limitNamed,
  type Limits,
  limitsOf,
  may,
  type Reader,
} from "@/shared/permissions.ts";

/** How many blocked guests, and how many blocked people of apps, the page lists. */
const maxBlocked = 100;

/** The data of the page of the team at a URL, with the outcome of a form that was submitted. */
export async function usersView(
  state: State,
  url: URL,
  sent: Partial<UsersView> = {},
): Promise<UsersView> {
  state.title = text`Team`;
  const { accounts, database, ownApp } = state;
  const { searchParams } = url;
  const invites = await accounts.links.invites();
  const creators = await accountsById(
    (ids) => accounts.findAll(ids),
    invites.map(({ createdBy }) => createdBy),
  );
  return {
    viewerId: sessionOf(state).user.id,
    settings: liveCount(state, url).settings,
    list: searchUsers(await accounts.list(), {
      query: searchParams.get("q"),
      page: searchParams.get("page"),
    }),
    online: new Set(ownApp.presence.of(onlineChannel).userIds),
    blocked: await listBlockedGuests(database, maxBlocked),
    blockedPeople: usesExternalServer(state.config.pusher)
      ? undefined
      : await blockedPeopleView(state),
    invites: invites.map((invite) => ({
      ...invite,
      creator: creators.get(invite.createdBy)?.name ?? null,
      sees: limitTexts(state, invite),
    })),
    limits: limitGroups(state, sent.refusedInvite?.limits ?? null),
    sendsMail: state.mailer !== undefined,
    done: "",
    problem: "",
    ...sent,
  };
}

async function blockedPeopleView(
  { accounts, apps, blockedPeople }: State,
): Promise<BlockedPeopleView> {
  const people = await blockedPeople.list(maxBlocked);
  const blockers = await accountsById(
    (ids) => accounts.findAll(ids),
    people.map(({ blockedBy }) => blockedBy),
  );
  return {
    apps: apps.list(),
    people: people.map((person) => ({
      ...person,
      blocker: blockers.get(person.blockedBy)?.name ?? null,
    })),
    total: blockedPeople.size,
  };
}

/**
 * The user whose id is in a URL.
 *
 * @throws {HttpError} 404 when no user has it.
 */
export async function userFromUrl(
  { accounts }: State,
  { id }: Record<string, string>,
): Promise<User> {
  const user = userIdSchema.safeParse(id).success ? await accounts.find(id) : null;
  if (!user) throw new HttpError(404, text`This user doesn't exist.`);
  return user;
}

/** The data of the page of a user's account, with the outcome of a form that was submitted. */
export async function manageUserView(
  state: State,
  user: User,
  sent: { done?: string; problem?: string; limitsProblem?: string } = {},
): Promise<ManageUserView> {
  state.title = user.name;
  return {
    user,
    isViewer: user.id === state.session?.user.id,
    resetLink: await state.accounts.links.resetLink(user.id),
    limits: limitGroups(state, user.limits),
    sendsMail: state.mailer !== undefined,
    secondFactor: await state.accounts.secondFactors.of(user.id),
    done: sent.done ?? "",
    problem: sent.problem ?? "",
    limitsProblem: sent.limitsProblem ?? "",
  };
}

/** What a user can be limited to: each app and each counted channel, and what was chosen before. */
function limitGroups({ apps, counted }: State, limits: Limits): LimitGroup[] {
  const chosen = new Set(limits?.map(limitName));
  const choiceOf = (limit: Limit, label: string): LimitChoice => {
    const name = limitName(limit);
    return { name, label, isChosen: chosen.has(name) };
  };
  const groups = apps.list().map(({ id, name: app }) => ({
    app,
    choices: [
      choiceOf({ app: id, channel: null }, text`All channels`),
      ...counted.filter(({ appId }) => appId === id)
        .map(({ channel }) => choiceOf({ app: id, channel }, channel)),
    ],
  }));
  const offered = new Set(groups.flatMap(({ choices }) => choices.map(({ name }) => name)));
  const others = (limits ?? []).filter((limit) => !offered.has(limitName(limit)))
    .map((limit) => choiceOf(limit, limitName(limit)));
  return others.length === 0 ? groups : [...groups, { app: "", choices: others }];
}

/** What is chosen in the form of a user's limits. */
export function chosenLimits(input: State["input"]): Limits {
  if (input.sees === "all") return null;
  return Object.keys(input).filter((name) => name.startsWith(limitField))
    .map((name) => limitNamed(name.slice(limitField.length)));
}

/** What a viewer or moderator is limited to, in words; null where nothing is. */
function limitTexts(state: State, reader: Reader): string[] | null {
  if (!may(reader.role, "view") || limitsOf(reader) === null) return null;
  return limitGroups(state, reader.limits).flatMap(({ app, choices }) =>
    choices.filter(({ isChosen }) => isChosen)
      .map(({ label }) => app === "" ? label : text`${label} of ${app}`)
  );
}

/** The data of the page of one's own account, with the outcome of a form that was submitted. */
export async function accountView(
  state: State,
  sent: { done?: string; name?: string; refusal?: Failure } = {},
): Promise<AccountView> {
  state.title = text`Your account`;
  const { id, user } = sessionOf(state);
  const { secondFactors } = state.accounts;
  const hasPassword = await state.accounts.hasPassword(user.id);
  const sessions = await state.accounts.openSessions(user.id);
  const connected = await state.allServers.sessionIds(sessions.map((session) => session.id));
  return {
    csrfToken: state.csrfToken,
    name: sent.name ?? user.name,
    email: user.email,
    role: user.role,
    language: user.language ?? "",
    languages: languageNames(),
    limits: limitTexts(state, user),
    hasPassword,
    sessions: sessions
      .map((session) => ({
        ...session,
        isThis: session.id === id,
        isOpen: connected.has(session.id),
      }))
      .sort((one, other) => Number(other.isThis) - Number(one.isThis)),
    secondFactor: {
      present: await secondFactors.of(user.id),
      hasPassword,
      isRequired: secondFactors.isRequired,
    },
    done: sent.done ?? "",
    refusal: sent.refusal,
  };
}
