import { href } from "../../shared/address.ts";
import { Button } from "../forms/Button.tsx";
import { CsrfField } from "../forms/CsrfField.tsx";

/** The button that begins a check of the public address. */
export function CheckForm({ csrfToken, words }: { csrfToken: string; words: string }) {
  return (
    <form method="post" action={href("/admin/settings/check")}>
      <CsrfField csrfToken={csrfToken} />
      <Button>{words}</Button>
    </form>
  );
}
