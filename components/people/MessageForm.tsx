import { href } from "@/shared/address.ts";
import { Button, Notice } from "../page/fields.tsx";
import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import { Card, CsrfField } from "../page/elements.tsx";
import { longestMessage } from "@/shared/limits.ts";
import type { MessageReach } from "@/server/people/send_message.ts";
import { countText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";
import { richText } from "@/shared/long_text.ts";
import type { ComponentChildren } from "preact";

/** A message that was refused. */
export interface Draft {
  text: string;
  error: string;
}

/** The confirmation of a message to everyone; one to a person needs none. */
export function messageToAllConfirmation(): Confirmation {
  return {
    question: text`Send to everyone?`,
    text:
      text`It appears at once in all tabs with pages of Rollcall, and in apps that show such messages, with your name.`,
    action: text`Send message`,
  };
}

/** The form for a message. With script it is sent without leaving the page. */
export function MessageForm({ csrfToken, path, isToAll = false, draft }: {
  csrfToken: string;
  /** The path that the form is sent to. */
  path: string;
  /** Whether it goes to everyone, which is confirmed first. */
  isToAll?: boolean;
  draft?: Draft;
}) {
  return (
    <form
      class="form"
      method="post"
      action={href(path)}
      data-fetch
      {...(isToAll && confirmAttributes(messageToAllConfirmation()))}
    >
      <CsrfField csrfToken={csrfToken} />
      <div class="field">
        <label class="visually-hidden" for="message-text">{text`Message`}</label>
        <textarea
          id="message-text"
          name="text"
          rows={3}
          maxLength={longestMessage}
          required
          aria-invalid={draft ? "true" : undefined}
          aria-describedby="message-note"
        >
          {draft?.text}
        </textarea>
        <p class={draft ? "field-error" : "field-hint"} id="message-note">
          {draft?.error ??
            (isToAll
              ? text`Up to ${longestMessage} characters. Only people online now will see it.`
              : text`Up to ${longestMessage} characters. Arrives only while they are online.`)}
        </p>
      </div>
      <div>
        <Button>{text`Send message`}</Button>
      </div>
      <p data-outcome role="status"></p>
    </form>
  );
}

/** The page with the form for a message to everyone. */
export function MessageToAll({ csrfToken, reach, unreachable, mayManage, draft, isSent = false }: {
  csrfToken: string;
  /** Who can see the message; null while that is not known. */
  reach: MessageReach | null;
  /** Why messages are not available, as a sentence; null when they are. */
  unreachable: string | null;
  /** Whether the reader may connect an app. */
  mayManage: boolean;
  /** A message that was refused. */
  draft?: Draft;
  isSent?: boolean;
}) {
  return (
    <>
      <p>
        <a href={href("/admin/online")}>{text`Live view`}</a>
      </p>
      {isSent && <Notice tone="success">{text`Message sent.`}</Notice>}
      <Card id="message" title={text`Message everyone`} level={1}>
        <Reach reach={reach} mayManage={mayManage} />
        {unreachable === null
          ? <MessageForm csrfToken={csrfToken} path="/admin/messages" isToAll draft={draft} />
          : <p class="notice notice-warning">{unreachable}</p>}
      </Card>
    </>
  );
}

/** Who sees a message at once, and what users of the operator's app need to see it. */
function Reach({ reach, mayManage }: { reach: MessageReach | null; mayManage: boolean }) {
  return (
    <p class="soft">
      {ownText(reach)} {text`You won't see it on this page.`}
      {reach?.external !== 0 && (
        <>
          {" "}
          {externalText(reach, <code>MessageSent</code>)}
          {mayManage && (
            <>
              {" "}
              <a href={href("/admin/settings/connect#about-messages")}>
                {text`Add the lines that show it`}
              </a>.
            </>
          )}
        </>
      )}
    </p>
  );
}

/** Who is on Rollcall's own pages. */
function ownText(reach: MessageReach | null): string {
  if (!reach) return text`Everyone on Rollcall's pages sees this right away, guests included.`;
  if (reach.own === 0) return text`No one else is on Rollcall's pages right now.`;
  const others = countText(reach.own, "other person", "other people");
  return reach.own === 1
    ? text`${others} on Rollcall's pages sees this right away.`
    : text`${others} on Rollcall's pages see this right away.`;
}

/** Who is in the operator's app. @param event the name of what the app has to show */
function externalText(reach: MessageReach | null, event: ComponentChildren) {
  if (!reach) return richText`Users of your app see it only if your app shows ${event}.`;
  const users = countText(reach.external, "user");
  return reach.external === 1
    ? richText`The ${users} of your app sees it only if your app shows ${event}.`
    : richText`The ${users} of your app see it only if your app shows ${event}.`;
}
