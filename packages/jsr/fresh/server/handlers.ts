import type { Context } from "./context.ts";

const methods = ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS"] as const;

/** The methods that a route may handle. */
export type Method = typeof methods[number];

/** Whether a route may handle a request's method. */
export function isMethod(method: string): method is Method {
  return methods.some((known) => known === method);
}

/** A handler's wish that its page be rendered, with data for it. */
export interface PageResponse<Data> {
  data: Data;
  headers?: HeadersInit;
  status?: number;
}

/** Renders the route's page with the given data, status (200) and headers. */
export function page<Data>(
  data?: Data,
  options?: { headers?: HeadersInit; status?: number },
): PageResponse<Data> {
  return {
    data: data as Data,
    headers: options?.headers,
    status: options?.status,
  };
}

/** Answers a request, or prepares the data of the page. */
export type HandlerFn<Data, State> = (
  ctx: Context<State>,
) => Response | PageResponse<Data> | Promise<Response | PageResponse<Data>>;

/** A handler for each method. */
export type HandlerByMethod<Data, State> = {
  [M in Method]?: HandlerFn<Data, State>;
};

/** One handler for every method, or one each. */
export type RouteHandler<Data, State> =
  | HandlerFn<Data, State>
  | HandlerByMethod<Data, State>;

/** The data that a route's handlers give its page. */
export type RouteData<Handler> = Handler extends (...values: never[]) => infer Result
  ? DataOf<Awaited<Result>>
  : Handler extends { [M in Method]?: ByMethod<infer Data> } ? Data
  : never;

// With one type variable for all methods, types that are written twice become one.
type ByMethod<Data> = (
  ...values: never[]
) => Response | PageResponse<Data> | Promise<Response | PageResponse<Data>>;

type DataOf<Result> = Result extends PageResponse<infer Data> ? Data : never;
