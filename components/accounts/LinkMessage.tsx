import { href } from "@/shared/address.ts";
import { Button } from "../page/Button.tsx";
import { Card } from "../page/Card.tsx";
import { CsrfField } from "../page/CsrfField.tsx";

/** What the page of a link says that cannot be used. */
export function LinkMessage({ title, text, signOut }: {
  title: string;
  text: string;
  /** The CSRF token of the form that signs the reader out, where that is what helps. */
  signOut?: string;
}) {
  return (
    <div class="narrow">
      <Card id="link" title={title} level={1}>
        <p>{text}</p>
        {signOut === undefined
          ? (
            <p>
              <a href={href("/sign-in")}>Sign in</a>
            </p>
          )
          : (
            <form method="post" action={href("/sign-out")}>
              <CsrfField csrfToken={signOut} />
              <Button kind="quiet">Sign out</Button>
            </form>
          )}
      </Card>
    </div>
  );
}
