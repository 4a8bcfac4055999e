import { href } from "../../shared/address.ts";
import { Button } from "./Button.tsx";
import { Card } from "../frame/Card.tsx";
import { PersonFields, type PersonInput } from "./PersonFields.tsx";
import { TokenField } from "./TokenField.tsx";

/** The form that creates the first admin, reached by the link that the console printed. */
export function SetupForm({ csrfToken, token, ...person }: {
  csrfToken: string;
  /** The one-time token of the link. */
  token: string;
} & PersonInput) {
  return (
    <div class="narrow">
      <Card id="set-up" title="Welcome to Rollcall" level={1}>
        <p class="soft">Create the first admin. The link that brought you here works once.</p>
        <form class="form" method="post" action={href("/setup")}>
          <TokenField csrfToken={csrfToken} />
          <input type="hidden" name="token" value={token} />
          <PersonFields prefix="set-up" {...person} />
          <Button>Create admin</Button>
        </form>
      </Card>
    </div>
  );
}
