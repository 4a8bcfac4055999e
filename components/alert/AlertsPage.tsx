import { AlertCard, type ShownAlert } from "./AlertCard.tsx";
import { Notice } from "../page/fields.tsx";
import { ExternalServerNotice } from "../settings/SettingsFrame.tsx";
import { DeliveriesCard, type DeliveryRow, type ReceiverRow, ReceiversCard } from "./Receivers.tsx";
import { type RuleRow, RulesCard } from "./Rules.tsx";
import { text } from "@/shared/language.ts";

/** What the page of the alerts shows. */
export interface AlertsView {
  /** Whether the pages connect to an external Pusher server. */
  usesExternalServer: boolean;
  /** The alert of the live view. */
  alert: ShownAlert;
  rules: RuleRow[];
  receivers: ReceiverRow[];
  /** Newest first. */
  deliveries: DeliveryRow[];
  /** The result of the last action, as a sentence; empty for none. */
  done: string;
}

/** The alert of the live view, the rules, whom they tell, and what became of the last messages. */
export function AlertsPage({ csrfToken, view }: { csrfToken: string; view: AlertsView }) {
  const { alert, rules, receivers, deliveries, done, usesExternalServer } = view;
  return (
    <>
      <h1>{text`Alerts`}</h1>
      {done && <Notice tone="success">{done}</Notice>}
      {usesExternalServer ? <ExternalServerNotice of={text`Alerts`} /> : (
        <>
          <AlertCard csrfToken={csrfToken} {...alert} />
          <RulesCard rules={rules} />
          <ReceiversCard receivers={receivers} />
          <DeliveriesCard deliveries={deliveries} />
        </>
      )}
    </>
  );
}
