import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { Button } from "../page/Button.tsx";
import { CsrfField } from "../page/CsrfField.tsx";
import { type Confirmation, confirmAttributes } from "../page/confirmation.ts";

/** A form with a button for an action on a person, which asks first. */
export function ActionForm({ csrfToken, path, confirmation, children }: {
  csrfToken: string;
  path: string;
  confirmation: Confirmation;
  children: ComponentChildren;
}) {
  return (
    <form class="form" method="post" action={href(path)} {...confirmAttributes(confirmation)}>
      <CsrfField csrfToken={csrfToken} />
      <p class="field-hint">{children}</p>
      <div>
        <Button kind={confirmation.danger ? "danger" : "quiet"}>{confirmation.action}</Button>
      </div>
    </form>
  );
}
