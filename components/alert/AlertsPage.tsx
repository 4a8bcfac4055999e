import { Notice } from "../page/fields.tsx";
import { Link } from "../page/links.tsx";
import { DeliveriesCard, type DeliveryRow, type ReceiverRow, ReceiversCard } from "./Receivers.tsx";

/** What the page of the alerts shows. */
export interface AlertsView {
  receivers: ReceiverRow[];
  /** Newest first. */
  deliveries: DeliveryRow[];
  /** The result of the last action, as a sentence; empty for none. */
  done: string;
}

/** Whom alerts are told, and what became of the last messages. */
export function AlertsPage({ view: { receivers, deliveries, done } }: { view: AlertsView }) {
  return (
    <>
      <p>
        <Link path="/admin/settings">Settings</Link>
      </p>
      <h1>Alerts</h1>
      {done && <Notice tone="success">{done}</Notice>}
      <ReceiversCard receivers={receivers} />
      <DeliveriesCard deliveries={deliveries} />
    </>
  );
}
