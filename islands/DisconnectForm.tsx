import "@/components/page/every_page.ts";
import { ActionForm } from "@/components/people/ActionForm.tsx";
import { disconnectConfirmation, disconnectRefusals } from "@/components/people/disconnect_text.ts";
import { useIsOnline } from "@/components/presence/use_is_online.ts";
import { usePresence } from "@/components/presence/shared_presence.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { personPath } from "@/shared/address.ts";

interface Props {
  settings: ClientSettings;
  id: string;
  name: string;
  csrfToken: string;
  /** Whether the person is online in the HTML. */
  initial: boolean;
  /** Whether the person is in another counted channel in the HTML; these are not followed. */
  isElsewhere: boolean;
}

/** The form that disconnects a person, while they are online, live. */
export default function DisconnectForm(
  { settings, id, name, csrfToken, initial, isElsewhere }: Props,
) {
  const isMember = useIsOnline(usePresence(settings), id, initial);
  const isOnline = isElsewhere || isMember;
  if (!isOnline) return <p class="soft">{disconnectRefusals.not_online}</p>;
  return (
    <ActionForm
      csrfToken={csrfToken}
      path={`${personPath(id)}/disconnect`}
      confirmation={disconnectConfirmation(name)}
    >
      They can rejoin by reloading the page.
    </ActionForm>
  );
}
