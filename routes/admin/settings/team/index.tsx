import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import { refused, roleSchema } from "@/server/accounts/account_fields.ts";
import { audit } from "@/server/audit/audit.ts";
import { href } from "@/shared/address.ts";
import { blockProblems } from "@/components/accounts/BlockedPeople.tsx";
import { UsersPage } from "@/components/accounts/UsersPage.tsx";
import { define } from "@/http/state.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { outcomeOf, textField } from "@/http/request.ts";
import { usersView } from "@/http/users_view.ts";
import PersonStatus from "@/islands/PersonStatus.tsx";
import { text } from "@/shared/language.ts";
import { keyText, longText } from "@/shared/long_text.ts";

const outcomes = {
  revoked: keyText("Invitation revoked."),
  blocked: keyText("Blocked."),
  unblocked: keyText("Unblocked."),
  deleted: keyText("Deleted the user."),
};

const problems = { ...blockProblems, not_found: keyText("This user no longer exists.") };

/** Lists, searches and adds users. */
export const handler = define.handlers({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const user = await ctx.state.accounts.find(searchParams.get("user") ?? "");
    const added = searchParams.get("done") === "added" && user ? text`Added ${user.name}.` : "";
    const done = longText(outcomeOf(ctx.url, outcomes) ?? added);
    const problem = longText(outcomeOf(ctx.url, problems, "problem") ?? "");
    return page(await usersView(ctx.state, ctx.url, { done, problem }));
  },
  async POST(ctx) {
    const { accounts, input } = ctx.state;
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
      return ctx.redirect(href(`/admin/settings/team?done=added&user=${result.value.id}`), 303);
    }
    const status = STATUS_CODE.UnprocessableEntity;
    if (wantsJson(ctx.req)) return refuse(status, result.reason, result.message);
    const refusedUser = { name, email, role: role.data, refusal: result };
    const problem = text`The user was not added: ${result.message}`;
    return page(await usersView(ctx.state, ctx.url, { refusedUser, problem }), { status });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <UsersPage csrfToken={state.csrfToken} view={data} status={PersonStatus} />
));
