import { STATUS_CODE } from "@std/http/status";
import { HttpError, page } from "fresh";
import type { PersonInput } from "@/components/page/fields.tsx";
import { SetupForm } from "@/components/page/SignInForm.tsx";
import { define } from "@/http/state.ts";
import { signInNewUser } from "@/http/session_cookies.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { textField } from "@/http/request.ts";
import { logOf } from "@/server/observability/logging.ts";
import { text } from "@/shared/language.ts";

function usedUp(): HttpError {
  return new HttpError(
    403,
    text`This setup link has expired or was already used. Check the server console for a new one.`,
  );
}

/** Creates the first admin, for the setup link that the server prints when it starts. */
export const handler = define.handlers({
  async GET(ctx) {
    const token = ctx.url.searchParams.get("token") ?? "";
    if (!await ctx.state.accounts.checkSetupToken(token)) throw usedUp();
    ctx.state.title = text`Setup`;
    return page<PersonInput & { token: string }>({ token });
  },
  async POST(ctx) {
    const { accounts, input } = ctx.state;
    const token = textField(input, "token");
    const name = textField(input, "name");
    const email = textField(input, "email");
    const password = textField(input, "password");
    const created = await accounts.createFirstAdmin(token, { name, email, password });
    if (created.ok) {
      logOf("audit").info("The first admin was created", { user: created.value.id });
      return await signInNewUser(ctx, { email, password }, "/admin/online");
    }
    logOf("accounts").warn("A setup was refused", { reason: created.reason });
    if (created.reason !== "invalid") throw usedUp();
    if (wantsJson(ctx.req)) {
      return refuse(STATUS_CODE.UnprocessableEntity, created.reason, created.message);
    }
    ctx.state.title = text`Setup`;
    return page<PersonInput & { token: string }>({ token, name, email, refusal: created }, {
      status: STATUS_CODE.UnprocessableEntity,
    });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <SetupForm csrfToken={state.csrfToken} {...data} />
));
