import { Link } from "./Link.tsx";
import { href } from "@/shared/address.ts";
import { Button } from "./Button.tsx";
import { Card } from "./Card.tsx";
import type { Confirmation } from "./confirmation.ts";
import { CsrfField } from "./CsrfField.tsx";

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
  const { question, text, action, danger } = confirmation;
  return (
    <div class="narrow">
      <Card id="confirm" title={question} level={1}>
        <p>{text}</p>
        <form class="confirm-buttons" method="post" action={href(path)}>
          <CsrfField csrfToken={csrfToken} />
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="confirmed" value="yes" />
          <Link class="button button-quiet" path={back}>Cancel</Link>
          <Button kind={danger ? "danger-solid" : "main"}>{action}</Button>
        </form>
      </Card>
    </div>
  );
}
