import { Link } from "./links.tsx";
import { href } from "@/shared/address.ts";
import { Button } from "./fields.tsx";
import { Card, CsrfField } from "./elements.tsx";
import { text } from "@/shared/language.ts";

/** A question before an action: a dialog with script, a page without. */
export interface Confirmation {
  /** Such as `Disconnect Ben?`. */
  question: string;
  /** The consequences. */
  text: string;
  /** The label of the button that confirms. */
  action: string;
  /** Whether the action takes something away. */
  danger?: boolean;
}

/** The attributes of a form that asks before it is sent; see `components/page/confirm.ts`. */
export function confirmAttributes({ question, text, action, danger }: Confirmation) {
  return {
    "data-confirm": question,
    "data-confirm-text": text,
    "data-confirm-action": action,
    "data-confirm-danger": danger ? "" : undefined,
  };
}

/** The page that asks for confirmation in browsers without script. */
export function ConfirmPage({ csrfToken, confirmation, path, fields, back }: {
  csrfToken: string;
  confirmation: Confirmation;
  /** The path that the form is sent to. */
  path: string;
  /** The fields of the form to confirm. */
  fields: Record<string, string>;
  /** The path of `Cancel`. */
  back: string;
}) {
  const { question, action, danger } = confirmation;
  return (
    <div class="alone">
      <Card id="confirm" title={question} level={1}>
        <p>{confirmation.text}</p>
        <form class="confirm-buttons" method="post" action={href(path)}>
          <CsrfField csrfToken={csrfToken} />
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="confirmed" value="yes" />
          <Link class="button button-quiet" path={back}>{text`Cancel`}</Link>
          <Button kind={danger ? "danger-solid" : "main"}>{action}</Button>
        </form>
      </Card>
    </div>
  );
}
