import { href } from "@/shared/address.ts";
import { text } from "@/shared/language.ts";
import { numberText } from "@/shared/text.ts";
import type { ChannelRow } from "@/shared/channel_list.ts";
import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import { Button, Field } from "../page/fields.tsx";
import { appText } from "./channel_text.ts";
import { CsrfField } from "../page/elements.tsx";

/** An event that was refused. */
export interface EventDraft {
  event: string;
  data: string;
  /** What is wrong, with which field. */
  error: { field: "event" | "data"; message: string };
}

/** The confirmation of a test event. */
export function testEventConfirmation({ app, name, isCache }: ChannelRow): Confirmation {
  const cacheNote = isCache
    ? ` ${text`It replaces the event that the channel keeps for new subscribers.`}`
    : "";
  const note = text`Every subscriber in ${
    appText(app)
  } receives the event as if your server had sent it.`;
  return {
    question: text`Send to ${name}?`,
    text: note + cacheNote,
    action: text`Send event`,
  };
}

/** The form for a test event. With script it is sent without leaving the page. */
export function TestEventForm({ csrfToken, channel, draft, maxBytes }: {
  csrfToken: string;
  channel: ChannelRow;
  draft?: EventDraft;
  /** What the data may have, in bytes. */
  maxBytes: number;
}) {
  const { appId, name } = channel;
  const dataError = draft?.error.field === "data" ? draft.error.message : undefined;
  return (
    <form
      class="form test-event"
      method="post"
      action={href("/admin/channels/channel")}
      data-fetch
      {...confirmAttributes(testEventConfirmation(channel))}
    >
      <CsrfField csrfToken={csrfToken} />
      <input type="hidden" name="app" value={appId} />
      <input type="hidden" name="name" value={name} />
      <Field
        id="test-event"
        name="event"
        label={text`Event`}
        value={draft?.event}
        hint={text`The name that your clients listen for.`}
        error={draft?.error.field === "event" ? draft.error.message : undefined}
        autoComplete="off"
        maxLength={200}
      />
      <div class="field">
        <label for="test-data">{text`Data`}</label>
        <textarea
          id="test-data"
          name="data"
          rows={4}
          spellcheck={false}
          aria-invalid={dataError ? "true" : undefined}
          aria-describedby="test-data-note"
        >
          {draft?.data ?? "{}"}
        </textarea>
        <p class={dataError ? "field-error" : "field-hint"} id="test-data-note">
          {dataError ?? text`JSON or any text, up to ${numberText(maxBytes)} bytes.`}
        </p>
      </div>
      <div>
        <Button>{text`Send event`}</Button>
      </div>
      <p data-outcome role="status"></p>
    </form>
  );
}
