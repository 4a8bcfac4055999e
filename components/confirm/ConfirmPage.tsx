import { href } from "../../shared/address.ts";
import { Button } from "../forms/Button.tsx";
import { Card } from "../frame/Card.tsx";
import type { Confirmation } from "./confirmation.ts";
import { TokenField } from "../forms/TokenField.tsx";

/** The page that asks before something is done, for browsers that run no script. */
export function ConfirmPage({ csrfToken, confirmation, path, fields, back }: {
  csrfToken: string;
  confirmation: Confirmation;
  /** Where the form is sent to. */
  path: string;
  /** What the form held. */
  fields: Record<string, string>;
  /** Where `Cancel` leads. */
  back: string;
}) {
  const { question, text, action, danger } = confirmation;
  return (
    <div class="narrow">
      <Card id="confirm" title={question} level={1}>
        <p>{text}</p>
        <form class="confirm-buttons" method="post" action={href(path)}>
          <TokenField csrfToken={csrfToken} />
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="confirmed" value="yes" />
          <a class="button button-quiet" href={href(back)}>Cancel</a>
          <Button kind={danger ? "danger-solid" : "main"}>{action}</Button>
        </form>
      </Card>
    </div>
  );
}
