import { href } from "@/shared/address.ts";
import { Button } from "../page/Button.tsx";
import { CsrfField } from "../page/CsrfField.tsx";

/** The button that runs the connection check. */
export function CheckForm({ csrfToken, label }: { csrfToken: string; label: string }) {
  return (
    <form method="post" action={href("/admin/settings/check")}>
      <CsrfField csrfToken={csrfToken} />
      <Button>{label}</Button>
    </form>
  );
}
