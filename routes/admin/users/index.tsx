import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import type { Role } from "../../../accounts/accounts.ts";
import { roleSchema } from "../../../accounts/input.ts";
import { refused } from "../../../accounts/result.ts";
import { AddUserForm } from "../../../components/AddUserForm.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { type PersonInput } from "../../../components/PersonFields.tsx";
import { UsersTable } from "../../../components/UsersTable.tsx";
import { define } from "../../../define.ts";
import { refuse, wantsJson } from "../../../middleware/refusal.ts";
import { logOf } from "../../../observability/logging.ts";

/** What the page says after an action; the address names it by the first word. */
const outcomes: Record<string, string> = {
  added: "The user has been added.",
  role: "The role has been changed.",
  password: "The password has been reset. The user is signed out everywhere.",
  disable: "The user has been disabled; all connections are closed.",
  enable: "The user can sign in again.",
};

const problems: Record<string, string> = {
  last_admin: "This is the last admin: there has to be one.",
  not_found: "There is no such user any more.",
  invalid: "That was not accepted. A password has at least 10 characters.",
};

/** The list of users, and adding one. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = "Users";
    const done = ctx.url.searchParams.get("done") ?? "";
    const problem = ctx.url.searchParams.get("problem") ?? "";
    return page({
      users: await ctx.state.accounts.list(),
      done: Object.hasOwn(outcomes, done) ? outcomes[done] : "",
      problem: Object.hasOwn(problems, problem) ? problems[problem] : "",
      added: {} as PersonInput & { role?: Role },
    });
  },
  async POST(ctx) {
    const { accounts, input, session } = ctx.state;
    const name = String(input.name ?? "");
    const email = String(input.email ?? "");
    const password = String(input.password ?? "");
    const role = roleSchema.safeParse(input.role);
    const result = role.success
      ? await accounts.add({ name, email, password, role: role.data })
      : refused("invalid", "A role is user or admin", "role");
    logOf("audit").info("An admin added a user", {
      admin: session?.user.id,
      user: result.ok ? result.value.id : undefined,
      role: role.data,
      outcome: result.ok ? "done" : result.reason,
    });
    if (result.ok) return ctx.redirect("/admin/users?done=added", 303);
    if (wantsJson(ctx.req)) {
      return refuse(STATUS_CODE.UnprocessableEntity, result.reason, result.message);
    }
    ctx.state.title = "Users";
    const users = await accounts.list();
    return page({
      users,
      done: "",
      problem: "",
      added: { name, email, role: role.data, refusal: result },
    }, {
      status: STATUS_CODE.UnprocessableEntity,
    });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <>
    {data.done && <Notice tone="success">{data.done}</Notice>}
    {data.problem && <Notice tone="error">{data.problem}</Notice>}
    <UsersTable
      csrfToken={state.csrfToken}
      users={data.users}
      viewerId={state.session?.user.id ?? ""}
    />
    <AddUserForm csrfToken={state.csrfToken} {...data.added} />
  </>
));
