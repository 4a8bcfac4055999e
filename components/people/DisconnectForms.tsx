import type { ComponentChildren } from "preact";
import { href, personPath } from "@/shared/address.ts";
import { Button, Field } from "../page/fields.tsx";
import { CsrfField } from "../page/elements.tsx";
import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import type { DisconnectFailure, DisconnectFailures } from "@/server/people/disconnect.ts";
import { longestBlockReason } from "@/shared/limits.ts";
import type { PersonKind } from "@/shared/online.ts";
import type { ShownPerson } from "./PersonPage.tsx";
import { text } from "@/shared/language.ts";
import { keyText, longText } from "@/shared/long_text.ts";

/** A form with a button for an action on a person, which asks first. */
function ActionForm({ csrfToken, path, confirmation, field, children }: {
  csrfToken: string;
  path: string;
  confirmation: Confirmation;
  field?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <form class="form" method="post" action={href(path)} {...confirmAttributes(confirmation)}>
      <CsrfField csrfToken={csrfToken} />
      <p class="field-hint">{children}</p>
      {field}
      <div>
        <Button kind={confirmation.danger ? "danger" : "quiet"}>{confirmation.action}</Button>
      </div>
    </form>
  );
}

/** What a person of an app is told who is blocked there. */
export function BlockReasonField() {
  return (
    <Field
      id="block-reason"
      name="reason"
      label={text`Reason`}
      hint={text`Optional, at most ${longestBlockReason} characters. Your app gets it, to show to them.`}
      autoComplete="off"
      maxLength={longestBlockReason}
      required={false}
    />
  );
}

/** Why a person cannot be disconnected or blocked. */
export function disconnectFailures(): Record<DisconnectFailure, string> {
  return {
    yourself: text`You can't disconnect yourself. Sign out instead.`,
    last_admin: text`You can't remove the only admin.`,
    admins_only: text`Only admins can block people who can see this page.`,
    limited: text`You can block people only if you may see all channels of their app.`,
    not_online: text`This person has no open tabs.`,
    too_many_blocked: text`As many people of this app are blocked as can be. Unblock one first.`,
    invalid_reason: text`The reason was too long: at most ${longestBlockReason} characters.`,
    other_server: text`Connections on an external Pusher server can't be closed from here.`,
    not_found: text`This user no longer exists.`,
  };
}

/** The confirmation of disconnecting a person, who can rejoin. */
export function disconnectConfirmation(name: string): Confirmation {
  return {
    question: text`Disconnect ${name}?`,
    text: text`All their open tabs disconnect now. They can rejoin by reloading.`,
    action: text`Disconnect`,
    danger: true,
  };
}

/** The confirmation of disconnecting a person and blocking them or disabling the account. */
export function blockConfirmation(name: string, kind: PersonKind): Confirmation {
  return {
    question: text`Disconnect and block ${name}?`,
    text: `${text`All their open tabs disconnect now.`} ${longText(blockConsequences[kind])}`,
    action: text`Disconnect and block`,
    danger: true,
  };
}

const blockConsequences: Record<PersonKind, string> = {
  guest: keyText("They stay blocked unless they clear their cookies."),
  user: keyText("Their account is disabled: they can't sign in until an admin enables it."),
  foreign: keyText("Their ID can't join or sign in until an admin unblocks it."),
};

const blockHints: Record<PersonKind, string> = {
  guest: keyText(
    "Also blocks this browser. A guest who clears cookies can return as a new guest.",
  ),
  user: keyText("Blocking disables their account: they can't sign in until an admin enables it."),
  foreign: keyText("Also refuses their ID in your app's presence channels and at sign-ins."),
};

/** The confirmation of unblocking a guest, or a person of the operator's own app. */
export function unblockConfirmation(name: string): Confirmation {
  return {
    question: text`Unblock ${name}?`,
    text: text`They'll be counted the next time they load a page.`,
    action: text`Unblock`,
  };
}

/** The forms that disconnect, block or unblock a person, or why that is not possible. */
export function DisconnectForms({ csrfToken, person, name, options, isOnline }: {
  csrfToken: string;
  person: ShownPerson;
  name: string;
  /** As of the HTML: whether the person is online changes. */
  options: DisconnectFailures;
  isOnline: boolean;
}) {
  const { id, kind, isBlocked, account } = person;
  const { block } = options;
  const isLater = options.disconnect === null || options.disconnect === "not_online";
  const disconnect = !isLater ? options.disconnect : isOnline ? null : "not_online";
  const action = (path: string) => ({ csrfToken, path: `${personPath(id)}/${path}` });
  if (!isLater && disconnect === block && disconnect !== null) {
    return <p class="soft">{disconnectFailures()[disconnect]}</p>;
  }
  if (isBlocked) {
    return (
      <ActionForm {...action("unblock")} confirmation={unblockConfirmation(name)}>
        {kind === "guest" ? text`This guest is blocked.` : text`This person is blocked.`}
      </ActionForm>
    );
  }
  return (
    <div class="columns">
      {disconnect
        ? <p class="soft">{disconnectFailures()[disconnect]}</p>
        : (
          <ActionForm {...action("disconnect")} confirmation={disconnectConfirmation(name)}>
            {text`They can rejoin by reloading the page.`}
          </ActionForm>
        )}
      {account?.isDisabled
        ? <p class="soft">{text`This account is disabled and can't sign in.`}</p>
        : block
        ? <p class="soft">{disconnectFailures()[block]}</p>
        : (
          <ActionForm
            {...action("block")}
            confirmation={blockConfirmation(name, kind)}
            field={kind === "foreign" && <BlockReasonField />}
          >
            {longText(blockHints[kind])}
          </ActionForm>
        )}
    </div>
  );
}
