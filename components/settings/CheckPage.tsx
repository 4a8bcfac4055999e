import type { ComponentChildren } from "preact";
import { href } from "../../shared/address.ts";
import type { Finding, Report } from "../../check/report.ts";
import { Card } from "../frame/Card.tsx";
import { CheckForm } from "./CheckForm.tsx";
import { Notice } from "../frame/Notice.tsx";
import { Time } from "../frame/Time.tsx";

const stateText: Record<Finding["state"], string> = {
  "ok": "OK",
  "failed": "Failed",
  "skipped": "Skipped",
};

/** The check of the public address, and what came of the last one. */
export function CheckPage({ csrfToken, address, report, isRunning }: {
  csrfToken: string;
  address: string;
  report: Report | null;
  /** Whether one goes on now. */
  isRunning: boolean;
}) {
  return (
    <>
      <h1>Check of the public address</h1>
      {isRunning && (
        <Notice tone="warning">A check is under way. Load this page again in a moment.</Notice>
      )}
      <Card id="check" title={address}>
        <p class="soft">
          The server goes out through this address and back to itself, as a page in a browser does,
          and says where the way ends and what to change. It takes a few seconds.
        </p>
        <CheckForm csrfToken={csrfToken} words={report ? "Check again" : "Check now"} />
        {report && <Findings report={report} />}
      </Card>
      <p>
        <a href={href("/admin/settings")}>Back to the settings</a>
      </p>
    </>
  );
}

function Findings({ report }: { report: Report }) {
  return (
    <>
      <Notice tone={report.ok ? "success" : "error"}>{report.summary}</Notice>
      <ol class="check-findings">
        {report.findings.map((finding) => (
          <li key={finding.step} class={`check-${finding.state}`}>
            <span class="check-state">{stateText[finding.state]}</span>
            <h3>{finding.title}</h3>
            <div class="check-found">
              <p>{finding.found}</p>
              {finding.change && <Change text={finding.change} />}
            </div>
          </li>
        ))}
      </ol>
      <p class="soft">
        Checked at <Time at={report.at} />.
      </p>
    </>
  );
}

function Change({ text }: { text: string }) {
  return (
    <div class="check-change">
      <h4>What to change</h4>
      {text.split("\n").map((line) => <p key={line}>{withCode(line)}</p>)}
    </div>
  );
}

/** What stands in backticks is to be typed as it is. */
function withCode(line: string): ComponentChildren[] {
  return line.split("`")
    .map((part, index) => index % 2 === 0 ? part : <code key={index}>{part}</code>);
}
