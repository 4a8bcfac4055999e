import { Link } from "./links.tsx";
import { text } from "@/shared/language.ts";

/** The heading of the page of a status. */
export function errorTitle(status: number): string {
  switch (status) {
    case 403:
      return text`Access denied`;
    case 404:
      return text`Page not found`;
    case 419:
      return text`Page expired`;
    case 503:
      return text`Temporarily unavailable`;
    default:
      return status < 500 ? text`Request failed` : text`Something went wrong`;
  }
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
      {status >= 500 && <p class="soft">{text`Request ID: ${requestId}`}</p>}
      <p>
        <Link class="button" path="/">{text`Go to the home page`}</Link>
      </p>
    </section>
  );
}
