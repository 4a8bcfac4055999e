import { Card, CsrfField } from "../page/elements.tsx";
import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import { Button } from "../page/fields.tsx";
import { href, personPath } from "@/shared/address.ts";
import type { ForgetFailure } from "@/server/people/privacy.ts";

/** Why a person cannot be forgotten. */
export const forgetFailures: Record<ForgetFailure, string> = {
  has_account: "To forget a person with an account, delete the account.",
};

/** The confirmation of forgetting a person. */
export function forgetConfirmation(
  name: string,
  isBlocked: boolean,
): Confirmation {
  return {
    question: `Forget ${name}?`,
    text:
      "Their activity, names, and messages are deleted for good. The admin log keeps what was " +
      `done, to “a removed person”.${isBlocked ? " Their block ends." : ""} Backups that exist ` +
      "keep all of it.",
    action: "Forget",
    danger: true,
  };
}

/** The forms that export what is stored of a person, and forget it. They need no script. */
export function PrivacyCard({ csrfToken, person, failure }: {
  csrfToken: string;
  person: { id: string; name: string; isOnline: boolean; isBlocked: boolean };
  /** Why the person cannot be forgotten. */
  failure: ForgetFailure | null;
}) {
  const { id, name, isBlocked, isOnline } = person;
  const path = personPath(id);
  return (
    <Card id="privacy" title="Stored data">
      <div class="columns">
        <form class="form" method="post" action={href(`${path}/export`)}>
          <CsrfField csrfToken={csrfToken} />
          <p class="field-hint">
            All that is stored about this person, as a JSON file.
          </p>
          <div>
            <Button kind="quiet">Export</Button>
          </div>
        </form>
        {failure ? <p class="soft">{forgetFailures[failure]}</p> : (
          <form
            class="form"
            method="post"
            action={href(`${path}/forget`)}
            {...confirmAttributes(forgetConfirmation(name, isBlocked))}
          >
            <CsrfField csrfToken={csrfToken} />
            <p class="field-hint">
              {isOnline
                ? "This person is online. Disconnect them first, or their leave will be recorded again."
                : "Deletes all of it. The admin log keeps “a removed person”."}
            </p>
            <div>
              <Button kind="danger">Forget</Button>
            </div>
          </form>
        )}
      </div>
    </Card>
  );
}
