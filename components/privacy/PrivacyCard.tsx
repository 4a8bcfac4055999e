import { Card, CsrfField } from "../page/elements.tsx";
import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import { Button } from "../page/fields.tsx";
import { href, personPath, userPath } from "@/shared/address.ts";
import type { ForgetFailure } from "@/server/people/privacy.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** Why a person cannot be forgotten. */
export function forgetFailures(): Record<ForgetFailure, string> {
  return { has_account: text`To forget a person with an account, delete the account.` };
}

/** The confirmation of forgetting a person. */
export function forgetConfirmation(
  name: string,
  isBlocked: boolean,
): Confirmation {
  return {
    question: text`Forget ${name}?`,
    text: [
      longText(
        "Their activity, names, and messages are deleted for good. The admin log keeps what was ",
        "done, to “a removed person”.",
      ),
      ...isBlocked ? [text`Their block ends.`] : [],
      text`Backups that exist keep all of it.`,
    ].join(" "),
    action: text`Forget`,
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
    <Card id="privacy" title={text`Stored data`}>
      <div class="columns">
        <form class="form" method="post" action={href(`${path}/export`)}>
          <CsrfField csrfToken={csrfToken} />
          <p class="field-hint">
            {text`All that is stored about this person, as a JSON file.`}
          </p>
          <div>
            <Button kind="quiet">{text`Export`}</Button>
          </div>
        </form>
        {failure
          ? (
            <p class="soft">
              {forgetFailures()[failure]} <a href={href(userPath(id))}>{text`Manage account`}</a>
            </p>
          )
          : (
            <form
              class="form"
              method="post"
              action={href(`${path}/forget`)}
              {...confirmAttributes(forgetConfirmation(name, isBlocked))}
            >
              <CsrfField csrfToken={csrfToken} />
              <p class="field-hint">
                {isOnline
                  ? longText(
                    "This person is online. Disconnect them first, or their leave will be recorded ",
                    "again.",
                  )
                  : text`Deletes all of it. The admin log keeps “a removed person”.`}
              </p>
              <div>
                <Button kind="danger">{text`Forget`}</Button>
              </div>
            </form>
          )}
      </div>
    </Card>
  );
}
