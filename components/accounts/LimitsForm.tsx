import type { User } from "@/server/accounts/accounts.ts";
import { href, userPath } from "@/shared/address.ts";
import { may } from "@/shared/permissions.ts";
import { Button, Notice } from "../page/fields.tsx";
import { Card, CsrfField } from "../page/elements.tsx";
import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** What a user can be limited to: a part of what is served. */
export interface LimitChoice {
  /** As `limitName` writes it. */
  name: string;
  label: string;
  isChosen: boolean;
}

/** An app, or its counted channels one by one. */
export interface LimitGroup {
  /** The name of the app; empty for what is served no more. */
  app: string;
  choices: LimitChoice[];
}

/** With what the names of the fields begin that choose a part. */
export const limitField = "limit:";

/** The confirmation of a change of what a user may see. */
export function limitsConfirmation(name: string): Confirmation {
  return {
    question: text`Change what ${name} may see?`,
    text: longText(
      "As a viewer or moderator, they see only what is chosen. If that is less than ",
      "before, they're signed out everywhere.",
    ),
    action: text`Change what they see`,
  };
}

/** What a user may see as a viewer or moderator: everything, or chosen apps and counted channels. */
export function LimitsCard({ csrfToken, user, groups, problem }: {
  csrfToken: string;
  user: User;
  groups: readonly LimitGroup[];
  /** Why the last choice was refused; empty if it was not. */
  problem: string;
}) {
  if (may(user.role, "manage")) {
    return (
      <Card id="limits" title={text`May see`}>
        <p class="soft">
          {text`${user.name} is an admin and sees everything. Change the role to limit what they see.`}
        </p>
      </Card>
    );
  }
  const isLimited = user.limits !== null || problem !== "";
  return (
    <Card id="limits" title={text`May see`}>
      {problem && <Notice tone="error">{problem}</Notice>}
      <p class="soft">{hintFor(user)}</p>
      <form
        class="form"
        method="post"
        action={href(`${userPath(user.id)}/limits`)}
        {...confirmAttributes(limitsConfirmation(user.name))}
      >
        <CsrfField csrfToken={csrfToken} />
        <LimitsFields
          legend={text`What ${user.name} may see`}
          groups={groups}
          isLimited={isLimited}
        />
        <div>
          <Button kind="quiet">{text`Change what they see`}</Button>
        </div>
      </form>
    </Card>
  );
}

/** The fields that say what an account may see. */
export function LimitsFields({ legend, groups, isLimited }: {
  legend: string;
  groups: readonly LimitGroup[];
  isLimited: boolean;
}) {
  return (
    <fieldset class="limits">
      <legend class="visually-hidden">{legend}</legend>
      <label class="check">
        <input type="radio" name="sees" value="all" checked={!isLimited} />
        {text`Everything`}
      </label>
      <label class="check">
        <input type="radio" name="sees" value="some" checked={isLimited} />
        {text`Only some apps and channels`}
      </label>
      <div class="columns limits-choices">
        {groups.map(({ app, choices }) => (
          <fieldset key={app} class="stack tight">
            <legend dir="auto">{app || text`No longer served or counted`}</legend>
            {choices.map(({ name, label, isChosen }) => (
              <label key={name} class="check">
                <input
                  type="checkbox"
                  name={limitField + name}
                  value="on"
                  checked={isChosen}
                />
                <bdi>{label}</bdi>
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}

function hintFor({ role }: User): string {
  if (!may(role, "view")) return text`Holds once they are a viewer or moderator.`;
  return longText(
    "What isn't chosen doesn't exist for them, except for the number online in presence-chart: ",
    "every signed-in user sees it, on Home and at the foot of other pages.",
  );
}
