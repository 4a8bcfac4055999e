import { href } from "../../shared/address.ts";

const titles: Record<number, string> = {
  403: "You may not see this",
  404: "Nothing here",
  419: "This page has expired",
};

/** The heading of the page for a status. */
export function errorTitle(status: number): string {
  return titles[status] ?? (status < 500 ? "That did not work" : "Something went wrong");
}

interface Props {
  status: number;
  message: string;
  /** By which the log has the request. */
  requestId: string;
}

/** The content of the page that tells of an error. It never says more than `message` does. */
export function ErrorPage({ status, message, requestId }: Props) {
  return (
    <section class="error-page" aria-labelledby="error-title">
      <p class="error-status">{status}</p>
      <h1 id="error-title">{errorTitle(status)}</h1>
      <p>{message}</p>
      <p class="error-request">Request {requestId}</p>
      <p>
        <a class="button" href={href("/")}>Go to the start</a>
      </p>
    </section>
  );
}
