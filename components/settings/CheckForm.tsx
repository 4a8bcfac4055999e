import { href } from "../../shared/address.ts";
import { Button } from "../forms/Button.tsx";
import { CsrfField } from "../forms/CsrfField.tsx";

/** The button that runs the connection check. */
export function CheckForm({ csrfToken, label }: { csrfToken: string; label: string }) {
  return (
    <form method="post" action={href("/admin/settings/check")}>
      <CsrfField csrfToken={csrfToken} />
      <Button>{label}</Button>
    </form>
  );
}
