import { Link } from "./links.tsx";

const titles: Record<number, string> = {
  403: "Access denied",
  404: "Page not found",
  419: "Page expired",
  503: "Temporarily unavailable",
};

/** The heading of the page of a status. */
export function errorTitle(status: number): string {
  return titles[status] ?? (status < 500 ? "Request failed" : "Something went wrong");
}

interface Props {
  status: number;
  message: string;
  /** The id of the request in the server's log, where an operator finds the cause of a fault. */
  requestId: string;
}

/** The page of an error. It has no details but `message`. */
export function ErrorPage({ status, message, requestId }: Props) {
  return (
    <section class="stack error-page" aria-labelledby="error-title">
      <p class="error-status">{status}</p>
      <h1 id="error-title">{errorTitle(status)}</h1>
      <p>{message}</p>
      {status >= 500 && <p class="soft">Request ID: {requestId}</p>}
      <p>
        <Link class="button" path="/">Go to the home page</Link>
      </p>
    </section>
  );
}
