import { page } from "fresh";
import { MessageToAll } from "@/components/people/MessageForm.tsx";
import { define, type State } from "@/http/state.ts";
import { requireOnlineChannel } from "@/http/counted_view.ts";
import { may } from "@/shared/permissions.ts";
import { answerMessage } from "@/http/answer_message.tsx";
import { messageReach, whyUnreachable } from "@/server/people/send_message.ts";
import { text } from "@/shared/language.ts";

/** Sends a message to everyone online. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = text`Message everyone`;
    requireOnlineChannel(ctx.state);
    return page({
      reach: await messageReach(ctx.state, ctx.state.session?.user.id),
      unreachable: await whyUnreachable(ctx.state, null),
      isSent: ctx.url.searchParams.get("done") === "sent",
    });
  },
  async POST(ctx) {
    ctx.state.title = text`Message everyone`;
    requireOnlineChannel(ctx.state);
    const reach = await messageReach(ctx.state, ctx.state.session?.user.id);
    const unreachable = await whyUnreachable(ctx.state, null);
    return await answerMessage(ctx, {
      to: null,
      back: "/admin/messages",
      renderDraft: (draft) => (
        <MessageToAll
          csrfToken={ctx.state.csrfToken}
          reach={reach}
          unreachable={unreachable}
          mayManage={mayManage(ctx.state)}
          draft={draft}
        />
      ),
    });
  },
});

function mayManage({ session }: State): boolean {
  return may(session?.user.role, "manage");
}

export default define.page<typeof handler>(({ data, state }) => (
  <MessageToAll csrfToken={state.csrfToken} mayManage={mayManage(state)} {...data} />
));
