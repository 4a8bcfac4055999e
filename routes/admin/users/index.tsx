import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import type { Role, User } from "../../../accounts/accounts.ts";
import { roleSchema } from "../../../accounts/input.ts";
import { refused } from "../../../accounts/result.ts";
import { audit } from "../../../people/audit.ts";
import { href } from "../../../shared/address.ts";
import { onlineChannel } from "../../../channels.ts";
import { AddUserForm } from "../../../components/users/AddUserForm.tsx";
import { BlockedGuests } from "../../../components/users/BlockedGuests.tsx";
import { Notice } from "../../../components/frame/Notice.tsx";
import type { PersonInput } from "../../../components/forms/PersonFields.tsx";
import { addConfirmation } from "../../../components/users/user_confirmations.ts";
import { UsersTable } from "../../../components/users/UsersTable.tsx";
import { define, type State } from "../../../state.ts";
import { requireConfirmation } from "../../../http/confirmation.tsx";
import { refuse, wantsJson } from "../../../http/refusal.ts";
import { textField } from "../../../http/text_field.ts";
import { searchUsers } from "../../../accounts/user_search.ts";
import { listBlockedGuests } from "../../../accounts/blocked_guests.ts";

/** What the page shows after an action, by the `done` of its URL. */
const outcomes: Record<string, (name: string) => string> = {
  added: (name) => `Added ${name}.`,
  role: (name) => `Changed ${name}'s role.`,
  password: (name) => `Reset ${name}'s password and signed them out everywhere.`,
  disable: (name) => `Disabled ${name}.`,
  enable: (name) => `Enabled ${name}.`,
};

/** What the page shows after a refused action, by the `problem` of its URL. */
const problems: Record<string, string> = {
  last_admin: "You can't remove the only admin.",
  yourself: "You can't disable your own account.",
  not_found: "This user no longer exists.",
  invalid: "Password must be at least 10 characters.",
};

/** How many blocked guests the page lists. */
const maxBlockedGuests = 100;

/** Lists, searches and adds users. */
export const handler = define.handlers({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const problem = searchParams.get("problem") ?? "";
    const view = await usersView(ctx.state, searchParams);
    return page({
      ...view,
      done: doneText(searchParams, view.all),
      problem: Object.hasOwn(problems, problem) ? problems[problem] : "",
      added: {} as PersonInput & { role?: Role },
    });
  },
  async POST(ctx) {
    const { accounts, input } = ctx.state;
    const question = await requireConfirmation(ctx, addConfirmation, {
      fields: ["name", "email", "password", "role"],
      back: "/admin/users",
    });
    if (question) return question;
    const name = textField(input, "name");
    const email = textField(input, "email");
    const password = textField(input, "password");
    const role = roleSchema.safeParse(input.role);
    const result = role.success
      ? await accounts.add(
        { name, email, password, role: role.data },
        (transaction, user) =>
          audit(ctx.state, "user_added", user, { email: user.email, role: user.role }, transaction),
      )
      : refused("invalid", "Choose a role.", "role");
    if (result.ok) {
      return ctx.redirect(href(`/admin/users?done=added&user=${result.value.id}`), 303);
    }
    if (wantsJson(ctx.req)) {
      return refuse(STATUS_CODE.UnprocessableEntity, result.reason, result.message);
    }
    return page({
      ...await usersView(ctx.state, ctx.url.searchParams),
      done: "",
      problem: "",
      added: { name, email, role: role.data, refusal: result },
    }, {
      status: STATUS_CODE.UnprocessableEntity,
    });
  },
});

async function usersView(state: State, parameters: URLSearchParams) {
  state.title = "Users";
  const all = await state.accounts.list();
  return {
    all,
    list: searchUsers(all, { query: parameters.get("q"), page: parameters.get("page") }),
    online: new Set(state.ownApp.presence(onlineChannel).userIds),
    blocked: await listBlockedGuests(state.database, maxBlockedGuests),
  };
}

function doneText(parameters: URLSearchParams, users: User[]): string {
  const done = parameters.get("done") ?? "";
  const user = users.find(({ id }) => id === parameters.get("user"));
  return Object.hasOwn(outcomes, done) && user ? outcomes[done](user.name) : "";
}

export default define.page<typeof handler>(({ data, state }) => (
  <>
    {data.done && <Notice tone="success">{data.done}</Notice>}
    {data.problem && <Notice tone="error">{data.problem}</Notice>}
    <UsersTable
      csrfToken={state.csrfToken}
      list={data.list}
      online={data.online}
      viewerId={state.session?.user.id ?? ""}
    />
    <BlockedGuests guests={data.blocked} />
    <AddUserForm csrfToken={state.csrfToken} {...data.added} />
  </>
));
