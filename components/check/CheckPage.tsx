import { href } from "@/shared/address.ts";
import { stepDocsPath } from "@/shared/docs.ts";
import { Button, Notice } from "../page/fields.tsx";
import { Card, CsrfField, Time } from "../page/elements.tsx";
import { Link } from "../page/links.tsx";
import type { ComponentChildren } from "preact";
import type { Finding, Report } from "@/server/check/run_check.ts";

/** The button that runs the connection check. */
export function CheckForm({ csrfToken, label }: { csrfToken: string; label: string }) {
  return (
    <form method="post" action={href("/admin/settings/check")}>
      <CsrfField csrfToken={csrfToken} />
      <Button>{label}</Button>
    </form>
  );
}

const stateLook: Record<Finding["state"], string> = {
  "ok": "good",
  "failed": "bad",
  "skipped": "soft",
};

const stateText: Record<Finding["state"], string> = {
  "ok": "OK",
  "failed": "Failed",
  "skipped": "Skipped",
};

/** The connection check, and the report of the last one. */
export function CheckPage({ csrfToken, address, report, isRunning }: {
  csrfToken: string;
  address: string;
  report: Report | null;
  /** Whether a check is running. */
  isRunning: boolean;
}) {
  return (
    <>
      <h1>Connection check</h1>
      {isRunning && <Notice tone="warning">Check running. Reload in a moment.</Notice>}
      <Card id="check" title={address}>
        <p class="soft">
          Connects to this URL the way a browser would and tells you what to fix. Takes a few
          seconds.
        </p>
        <CheckForm csrfToken={csrfToken} label={report ? "Run again" : "Run check"} />
        {report && <Findings report={report} />}
      </Card>
      <p>
        <Link path="/admin/settings/server">Back to the server</Link>
      </p>
    </>
  );
}

function Findings({ report }: { report: Report }) {
  return (
    <>
      <Notice tone={report.ok ? "success" : "error"}>{report.summary}</Notice>
      <ol class="list rows check-findings">
        {report.findings.map((finding) => (
          <li key={finding.step} class={`row check-${finding.state}`}>
            <span class={stateLook[finding.state]}>{stateText[finding.state]}</span>
            <h3>{finding.title}</h3>
            <div class="anywhere check-found">
              <p>{finding.found}</p>
              {finding.change && <Change {...finding} text={finding.change} />}
            </div>
          </li>
        ))}
      </ol>
      <p class="soft">
        Last checked <Time at={report.at} />.
      </p>
    </>
  );
}

function Change({ text, step, title }: { text: string; step: string; title: string }) {
  return (
    <div class="notice notice-error stack tight">
      <h4>How to fix</h4>
      {text.split("\n").map((line) => <p key={line}>{withCode(line)}</p>)}
      <p>
        <a href={href(stepDocsPath(step))}>
          Documentation<span class="visually-hidden">{` of: ${title}`}</span>
        </a>
      </p>
    </div>
  );
}

/** Marks the parts in backticks as code. */
function withCode(line: string): ComponentChildren[] {
  return line.split("`")
    .map((part, index) => index % 2 === 0 ? part : <code key={index}>{part}</code>);
}
