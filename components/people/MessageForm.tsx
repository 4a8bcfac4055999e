import { href } from "@/shared/address.ts";
import { Button } from "../page/Button.tsx";
import { type Confirmation, confirmAttributes } from "../page/confirmation.ts";
import { CsrfField } from "../page/CsrfField.tsx";
import { longestMessage } from "@/shared/limits.ts";

/** A message that was refused. */
export interface Draft {
  text: string;
  error: string;
}

/** The confirmation of a message to everyone; one to a person needs none. */
export const messageToAllConfirmation: Confirmation = {
  question: "Send to everyone?",
  text:
    "It appears at once in all tabs with pages of Rollcall, and in apps that show such messages, with your name.",
  action: "Send message",
};

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
      {...(isToAll && confirmAttributes(messageToAllConfirmation))}
    >
      <CsrfField csrfToken={csrfToken} />
      <div class="field">
        <label for="message-text">Message</label>
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
            `Up to ${longestMessage} characters. Only people online now will see it.`}
        </p>
      </div>
      <div>
        <Button>Send message</Button>
      </div>
      <p data-outcome role="status"></p>
    </form>
  );
}
