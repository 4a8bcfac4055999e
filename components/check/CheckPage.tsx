import { href } from "@/shared/address.ts";
import { stepDocsPath } from "@/shared/docs.ts";
import { Button, Notice } from "../page/fields.tsx";
import { Card, CsrfField, TableHead, Time } from "../page/elements.tsx";
import { Link } from "../page/links.tsx";
import type { ComponentChildren } from "preact";
import type { Finding, Report } from "@/server/check/run_check.ts";
import { text } from "@/shared/language.ts";
import { longText, richText } from "@/shared/long_text.ts";

/** The button that runs the connection check, with what it does. */
export function CheckForm({ csrfToken, label }: { csrfToken: string; label: string }) {
  return (
    <>
      <p class="soft">
        {longText(
          "Connects to this URL the way a browser would and tells you what to fix. Takes a few ",
          "seconds.",
        )}
      </p>
      <form method="post" action={href("/admin/settings/check")}>
        <CsrfField csrfToken={csrfToken} />
        <Button>{label}</Button>
      </form>
    </>
  );
}

const stateLook: Record<Finding["state"], string> = {
  "ok": "good",
  "failed": "bad",
  "skipped": "soft",
};

function stateText(): Record<Finding["state"], string> {
  return { ok: "OK", failed: text`Failed`, skipped: text`Skipped` };
}

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
      <h1>{text`Connection check`}</h1>
      {isRunning && <Notice tone="warning">{text`Check running. Reload in a moment.`}</Notice>}
      <Card id="check" title={address}>
        <CheckForm csrfToken={csrfToken} label={report ? text`Run again` : text`Run check`} />
        {report && <Findings report={report} />}
      </Card>
      <p>
        <Link path="/admin/settings/server">{text`Back to the server`}</Link>
      </p>
    </>
  );
}

function Findings({ report }: { report: Report }) {
  return (
    <>
      <Notice tone={report.ok ? "success" : "error"}>{report.summary}</Notice>
      <table class="table check-findings">
        <TableHead columns={[text`Step`, text`Result`, text`Found`]} />
        <tbody>
          {report.findings.map((finding) => (
            <tr key={finding.step}>
              <th scope="row">
                <h3>{finding.title}</h3>
              </th>
              <td>
                <span class={stateLook[finding.state]}>{stateText()[finding.state]}</span>
              </td>
              <td>
                <div class="stack tight">
                  <p>{finding.found}</p>
                  {finding.change && <Change {...finding} change={finding.change} />}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft">{richText`Last checked ${<Time at={report.at} />}.`}</p>
    </>
  );
}

function Change({ change, step, title }: { change: string; step: string; title: string }) {
  return (
    <div class="notice notice-error stack tight">
      <h4>{text`How to fix`}</h4>
      {change.split("\n").map((line) => <p key={line}>{withCode(line)}</p>)}
      <p>
        <a href={href(stepDocsPath(step))}>
          {text`Documentation`}
          <span class="visually-hidden">{`: ${title}`}</span>
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
