import { href } from "@/shared/address.ts";
import { Button } from "./Button.tsx";
import { Card } from "./Card.tsx";
import { PersonFields, type PersonInput } from "./PersonFields.tsx";
import { CsrfField } from "./CsrfField.tsx";

/** The form that creates the first admin. The link to it is on the server's console. */
export function SetupForm({ csrfToken, token, ...person }: {
  csrfToken: string;
  /** The one-time token of the link. */
  token: string;
} & PersonInput) {
  return (
    <div class="narrow">
      <Card id="setup" title="Welcome to Rollcall" level={1}>
        <p class="soft">Create your admin account. This link works only once.</p>
        <form class="form" method="post" action={href("/setup")}>
          <CsrfField csrfToken={csrfToken} />
          <input type="hidden" name="token" value={token} />
          <PersonFields prefix="setup" isFocused {...person} />
          <Button>Create account</Button>
        </form>
      </Card>
    </div>
  );
}
