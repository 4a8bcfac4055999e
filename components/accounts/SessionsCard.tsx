import { href } from "@/shared/address.ts";
import { clientText } from "@/shared/client_text.ts";
import type { OwnSession } from "./account_view.ts";
import { Button } from "../page/Button.tsx";
import { Card } from "../page/Card.tsx";
import { Fact } from "../page/Fact.tsx";
import { CsrfField } from "../page/CsrfField.tsx";
import { Time } from "../page/Time.tsx";
import { countText } from "@/shared/number_text.ts";

/** Where one is signed in, with buttons that end sessions. */
export function SessionsCard(
  { csrfToken, sessions }: { csrfToken: string; sessions: readonly OwnSession[] },
) {
  return (
    <Card
      id="sessions"
      title="Where you're signed in"
      aside={sessions.length > 1 && (
        <form method="post" action={href("/account/sessions/end")}>
          <CsrfField csrfToken={csrfToken} />
          <Button kind="danger">Sign out everywhere else</Button>
        </form>
      )}
    >
      <p class="soft">
        {countText(sessions.length, "session")}. Each ends 7 days after signing in.
      </p>
      <ul class="sessions">
        {sessions.map((session) => (
          <SessionItem key={session.id} csrfToken={csrfToken} session={session} />
        ))}
      </ul>
    </Card>
  );
}

function SessionItem({ csrfToken, session }: { csrfToken: string; session: OwnSession }) {
  const { id, userAgent, address, signedInAt, lastSeenAt, isThis, isOpen } = session;
  const client = clientText(userAgent);
  return (
    <li>
      <div class="session-client">
        <b>{client}</b>
        {isThis && <span class="badge status-live">This session</span>}
        {!isThis && isOpen && <span class="badge status-live">Open now</span>}
      </div>
      <dl class="session-facts">
        <Fact name="Signed in">
          <Time at={signedInAt} />
        </Fact>
        {!isThis && !isOpen && (
          <Fact name="Last seen">
            <Time at={lastSeenAt} />
          </Fact>
        )}
        {address && <Fact name="Address">{address}</Fact>}
      </dl>
      {!isThis && (
        <form method="post" action={href(`/account/sessions/${encodeURIComponent(id)}/end`)}>
          <CsrfField csrfToken={csrfToken} />
          <Button kind="quiet">
            Sign out <span class="visually-hidden">{client}</span>
          </Button>
        </form>
      )}
    </li>
  );
}
