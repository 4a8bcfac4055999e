import { forgetConfirmation } from "@/components/privacy/PrivacyCard.tsx";
import { define } from "@/http/state.ts";
import { answerPersonAction } from "@/http/person_view.ts";
import { personFromUrl } from "@/http/request.ts";
import { forgetFailure, forgetPerson } from "@/server/people/privacy.ts";

/** Deletes all that is stored of a person. Who is offline has no page any more: the admin log follows. */
export const handler = define.handlers({
  async POST(ctx) {
    const person = await personFromUrl(ctx.url, ctx.state);
    return await answerPersonAction(ctx, person, {
      refusal: forgetFailure(person),
      confirmation: forgetConfirmation(person.name, person.isBlocked),
      act: () => forgetPerson(ctx.state, person),
      done: "forgotten",
      ...!person.presence && { next: "/admin/activity/admins?action=person_forgotten" },
    });
  },
});
