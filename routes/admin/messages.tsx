import { page } from "fresh";
import { MessageToAll } from "../../components/messages/MessageToAll.tsx";
import { define } from "../../state.ts";
import { answerMessage } from "../../http/answer_message.tsx";
import { whyUnreachable } from "../../people/message.ts";

const title = "Message everyone";

/** Sends a message to everyone online. */
export const handler = define.handlers({
  GET(ctx) {
    ctx.state.title = title;
    return page({
      unreachable: whyUnreachable(ctx.state, null),
      isSent: ctx.url.searchParams.get("done") === "sent",
    });
  },
  POST(ctx) {
    ctx.state.title = title;
    return answerMessage(ctx, {
      to: null,
      back: "/admin/messages",
      renderDraft: (draft) => (
        <MessageToAll
          csrfToken={ctx.state.csrfToken}
          unreachable={whyUnreachable(ctx.state, null)}
          draft={draft}
        />
      ),
    });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <MessageToAll csrfToken={state.csrfToken} {...data} />
));
