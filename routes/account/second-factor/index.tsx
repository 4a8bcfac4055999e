import { page } from "fresh";
import { RecoveryCodes } from "@/components/accounts/SecondFactor.tsx";
import {
  SecondFactorPage,
  type SecondFactorView,
} from "@/components/accounts/SecondFactorPage.tsx";
import { sessionOf, textField } from "@/http/request.ts";
import {
  type OrCodes,
  recoveryCodesAnswer,
  refuseSecondFactor,
  secondFactorView,
} from "@/http/second_factor_view.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";
import PasskeyButton from "@/islands/PasskeyButton.tsx";
import { setUpCodes } from "@/server/people/second_factor.ts";

/**
 * The page of one's own second factor, where one-time codes are set up. The recovery codes are in the answer to that
 * and nowhere else.
 */
export const handler = define.handlers({
  GET: async (ctx) => page<OrCodes<SecondFactorView>>(await secondFactorView(ctx)),
  async POST(ctx) {
    const { state } = ctx;
    const result = await setUpCodes(state, sessionOf(state), {
      sealed: textField(state.input, "setup"),
      code: textField(state.input, "code"),
      current: textField(state.input, "current"),
    });
    if (!result.ok) return await refuseSecondFactor(ctx, result);
    return recoveryCodesAnswer(ctx, result.value, "/account");
  },
});

export default define.page<typeof handler>(({ data }) =>
  "codes" in data
    ? <RecoveryCodes codes={data.codes} path={data.returnTo} label={text`Back to your account`} />
    : (
      <SecondFactorPage
        view={data.view}
        passkeyButton={
          <PasskeyButton
            kind="create"
            label={text`Add passkey`}
            options={data.view.newPasskey.options}
          />
        }
      />
    )
);
