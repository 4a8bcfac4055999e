import { HttpError, type PageProps } from "fresh";
export default (p: PageProps) => (
  <b>
    E0:{p.error instanceof HttpError ? p.error.status : "?"}:{String(
      (p.error as Error).message,
    )}:{String(p.route)}
  </b>
);
