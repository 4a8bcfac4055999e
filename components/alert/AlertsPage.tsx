import { Notice } from "../page/fields.tsx";
import { Link } from "../page/links.tsx";
import { DeliveriesCard, type DeliveryRow, type ReceiverRow, ReceiversCard } from "./Receivers.tsx";
import { type RuleRow, RulesCard } from "./Rules.tsx";

/** What the page of the alerts shows. */
export interface AlertsView {
  rules: RuleRow[];
  receivers: ReceiverRow[];
  /** Newest first. */
  deliveries: DeliveryRow[];
  /** The result of the last action, as a sentence; empty for none. */
  done: string;
}

/** The rules, whom they tell, and what became of the last messages. */
export function AlertsPage({ view: { rules, receivers, deliveries, done } }: { view: AlertsView }) {
  return (
    <>
      <p>
        <Link path="/admin/settings">Settings</Link>
      </p>
      <h1>Alerts</h1>
      {done && <Notice tone="success">{done}</Notice>}
      <RulesCard rules={rules} />
      <ReceiversCard receivers={receivers} />
      <DeliveriesCard deliveries={deliveries} />
    </>
  );
}
