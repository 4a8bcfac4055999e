import { numberText } from "@/shared/number_text.ts";
import type { TestOutcome } from "@/server/alert/alert_webhook.ts";

/** What the receiver of an alert's webhook answered to a test. Its text is shown as it is. */
export function AlertTest({ outcome }: { outcome: TestOutcome }) {
  if (!outcome.ok) {
    return (
      <div class="notice notice-error alert-test" role="alert">
        <p>
          <b>No answer.</b> {outcome.reason}
        </p>
      </div>
    );
  }
  const { status, milliseconds, beginning } = outcome;
  const isAccepted = status >= 200 && status < 300;
  return (
    <div
      class={`notice notice-${isAccepted ? "success" : "warning"} alert-test`}
      role="status"
    >
      <p>
        <b>{isAccepted ? "Test delivered." : "The receiver refused the test."}</b> Status {status}
        {" "}
        after {numberText(milliseconds)} ms
        {beginning === "" ? ", without text." : ". It answered:"}
      </p>
      {beginning !== "" && <pre tabIndex={0} aria-label="Beginning of the answer">{beginning}</pre>}
    </div>
  );
}
