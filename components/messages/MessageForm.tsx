import { href } from "../../shared/address.ts";
import { Button } from "../forms/Button.tsx";
import { type Confirmation, confirming } from "../confirm/confirmation.ts";
import { TokenField } from "../forms/TokenField.tsx";
import { longestMessage } from "../../shared/limits.ts";

/** What the form starts with after it was refused. */
export interface Draft {
  text: string;
  /** Why it was not sent. */
  error: string;
}

/** What is asked before a message is sent; null: to everybody. */
export function messageConfirmation(to: string | null): Confirmation {
  return {
    question: `Send this message to ${to ?? "everybody"}?`,
    text: `It appears at once on ${to === null ? "all" : "their"} open pages, with your name.`,
    action: "Send message",
  };
}

/** The form for a message. With script it is sent from the page and says there what came of it. */
export function MessageForm({ csrfToken, path, to, draft }: {
  csrfToken: string;
  /** Where it is sent to. */
  path: string;
  /** The name of the receiver; null: everybody. */
  to: string | null;
  draft?: Draft;
}) {
  return (
    <form
      class="form"
      method="post"
      action={href(path)}
      data-fetch
      {...confirming(messageConfirmation(to))}
    >
      <TokenField csrfToken={csrfToken} />
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
          {draft?.error ?? `At most ${longestMessage} characters. It is not kept for later.`}
        </p>
      </div>
      <div>
        <Button>Send message</Button>
      </div>
      <p data-outcome role="status"></p>
    </form>
  );
}
