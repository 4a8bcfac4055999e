import type { AccountView } from "./account_view.ts";
import { NameCard } from "./NameCard.tsx";
import { PasswordCard } from "./PasswordCard.tsx";
import { SessionsCard } from "./SessionsCard.tsx";
import { Notice } from "../page/Notice.tsx";

/** The page of one's own account: name, password and open sessions. */
export function AccountPage({ view }: { view: AccountView }) {
  const { csrfToken, done, refusal } = view;
  return (
    <>
      <h1>Your account</h1>
      {done && <Notice tone="success">{done}</Notice>}
      {refusal && <Notice tone="error">{refusal.message}</Notice>}
      <div class="account-forms">
        <NameCard {...view} />
        <PasswordCard csrfToken={csrfToken} email={view.email} refusal={refusal} />
      </div>
      <SessionsCard csrfToken={csrfToken} sessions={view.sessions} />
    </>
  );
}
