import { STATUS_CODE } from "@std/http/status";
import { HttpError, page } from "fresh";
import {
  RecoveryCodes,
  SecondFactorPage,
  type SecondFactorView,
} from "@/components/accounts/SecondFactor.tsx";
import { sessionOf, textField } from "@/http/request.ts";
import { type OrCodes, refuseSecondFactor } from "@/http/second_factor_view.ts";
import { define } from "@/http/state.ts";
import { removeSecondFactor, replaceRecoveryCodes } from "@/server/people/second_factor.ts";
import { href } from "@/shared/address.ts";

/** Makes new recovery codes, which are in the answer only, or turns one's own one-time codes off. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/account/second-factor"), 303),
  async POST(ctx) {
    const { params: { action }, state } = ctx;
    const session = sessionOf(state);
    const current = textField(state.input, "current");
    if (action === "remove") {
      const result = await removeSecondFactor(state, session, current);
      if (result.ok) return ctx.redirect(href("/account?done=second-factor"), 303);
      return await refuseSecondFactor(ctx, result);
    }
    if (action !== "codes") throw new HttpError(404);
    const result = await replaceRecoveryCodes(state, session, current);
    if (!result.ok) return await refuseSecondFactor(ctx, result);
    state.title = "Recovery codes";
    const codes = { codes: result.value, returnTo: "/account" };
    return page<OrCodes<SecondFactorView>>(codes, { status: STATUS_CODE.Created });
  },
});

export default define.page<typeof handler>(({ data }) =>
  "codes" in data
    ? <RecoveryCodes codes={data.codes} path={data.returnTo} label="Back to your account" />
    : <SecondFactorPage view={data.view} />
);
