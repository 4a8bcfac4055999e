import { href } from "@/shared/address.ts";
import type { Report } from "@/server/check/report.ts";
import { Card } from "../page/Card.tsx";
import { CheckForm } from "../check/CheckForm.tsx";
import { Time } from "../page/Time.tsx";

/** The public URL, and the result of the last connection check. */
export function AddressCard({ csrfToken, address, report }: {
  csrfToken: string;
  address: string;
  /** The report of the last check; null before the first one. */
  report: Report | null;
}) {
  return (
    <Card id="address" title="Public URL">
      <p class="address">{address}</p>
      {report && (
        <p class="soft">
          <a href={href("/admin/settings/check")}>Last checked</a> <Time at={report.at} />:{" "}
          {report.summary}
        </p>
      )}
      <CheckForm csrfToken={csrfToken} label="Run check" />
    </Card>
  );
}
