import { HttpError } from "fresh";
import { publicOrigin, sessionOf, textField } from "@/http/request.ts";
import { recoveryCodesAnswer, refuseSecondFactor } from "@/http/second_factor_view.ts";
import { define } from "@/http/state.ts";
import {
  addPasskey,
  removePasskey,
  removeSecondFactor,
  replaceRecoveryCodes,
} from "@/server/people/second_factor.ts";
import { href } from "@/shared/address.ts";

/** Adds and removes passkeys, makes new recovery codes, which are in the answer only, or turns all of it off. */
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
    if (action === "remove-passkey") {
      const id = textField(state.input, "id");
      const result = await removePasskey(state, session, { id, current });
      if (result.ok) return ctx.redirect(href("/account?done=passkey-removed"), 303);
      return await refuseSecondFactor(ctx, result);
    }
    if (action !== "codes" && action !== "passkey") throw new HttpError(404);
    const result = action === "passkey"
      ? await addPasskey(state, session, {
        sealed: textField(state.input, "new-passkey"),
        response: textField(state.input, "response"),
        name: textField(state.input, "name"),
        origin: publicOrigin(state.config, ctx.url),
        current,
      })
      : await replaceRecoveryCodes(state, session, current);
    if (!result.ok) return await refuseSecondFactor(ctx, result);
    if (result.value.length === 0) return ctx.redirect(href("/account?done=passkey"), 303);
    return recoveryCodesAnswer(ctx, result.value, "/account");
  },
});

export { default } from "./index.tsx";
