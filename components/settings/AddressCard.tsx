import { href } from "../../shared/address.ts";
import type { Report } from "../../check/report.ts";
import { Card } from "../frame/Card.tsx";
import { CheckForm } from "./CheckForm.tsx";
import { Time } from "../frame/Time.tsx";

/** The public address, and whether the way through it was found right. */
export function AddressCard({ csrfToken, address, report }: {
  csrfToken: string;
  address: string;
  /** Of the last check. */
  report: Report | null;
}) {
  return (
    <Card id="address" title="Public address">
      <p class="address">{address}</p>
      {report && (
        <p class="soft">
          <a href={href("/admin/settings/check")}>Checked</a> at <Time at={report.at} />:{" "}
          {report.summary}
        </p>
      )}
      <CheckForm csrfToken={csrfToken} words="Check the public address" />
    </Card>
  );
}
