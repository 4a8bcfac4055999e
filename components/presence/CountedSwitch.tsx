import { href } from "@/shared/address.ts";
import { CsrfField } from "../page/CsrfField.tsx";

/** The switch with which an admin is counted in this browser, or only watches. */
export function CountedSwitch({ isCounted, csrfToken }: {
  isCounted: boolean;
  csrfToken: string;
}) {
  return (
    <form method="post" action={href("/admin/online/counted")}>
      <CsrfField csrfToken={csrfToken} />
      <button
        class="switch"
        type="submit"
        name="counted"
        value={isCounted ? "no" : "yes"}
        role="switch"
        aria-checked={isCounted}
      >
        Count me
      </button>
    </form>
  );
}
