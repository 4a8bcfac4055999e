/**
 * Puts the application together: opens the services, and lists what happens to a request, in order. It has no
 * listener: `cli/serve.ts` and `dev.ts` import it and listen.
 *
 * The steps are in `http/`, and the order between them is the point of this file. Sockets are answered before
 * Fresh is asked, and the HTTP API branches off next, as they are signed and take no part in cookies. Probes,
 * the check of the public address and embeds follow: they need no session, and have to answer when the
 * database does not; then site tags, which visitors of other sites ask, and the API for other programs, which
 * bearer tokens open. Only then is the body read, the visitor identified and the CSRF token checked, and the
 * route runs.
 *
 * The promise: no route runs before the visitor is known, and none that changes anything before its CSRF
 * token is checked, because both are steps here and no concern of a route. Error pages are installed twice,
 * so that a fault in an early step has a page too.
 *
 * The trade-off: most requests pass steps that have no effect on them. In return, one list tells all that can
 * happen, and a step that is for few requests looks at the path itself.
 *
 * Services are opened once, before the first request, and are the state of every request: a route takes them
 * from `ctx.state`.
 *
 * @module
 */
import { staticFiles } from "fresh";
import { pathOf, setBasePath } from "@/shared/address.ts";
import { define, type State } from "@/http/state.ts";
import { configOrExit } from "@/server/process/lifecycle.ts";
import { provideCsrfToken, requireCsrfToken } from "@/http/csrf.ts";
import {
  answerEmbeds,
  countRequests,
  findClientAddress,
  identifyVisitor,
  limitSignIns,
  redirectMovedPaths,
  refuseFullSignIns,
  speakChosenLanguage,
  speakLanguage,
  takeTurns,
} from "@/http/steps.ts";
import { errorPages } from "@/http/error_pages.tsx";
import { assignRequestId } from "@/http/request_id.ts";
import { readInput, requireInput } from "@/http/input.ts";
import { answerApi } from "@/http/api_requests.ts";
import { answerSites } from "@/http/site_requests.ts";
import { answerProbes } from "@/http/probes.ts";
import { compressAnswers, compressedFiles } from "@/http/compress_answers.ts";
import { answerCheck } from "@/http/check_requests.ts";
import { answerSockets, refuseUnroutable } from "@/http/early_answers.ts";
import { contentPolicy, securityHeaders } from "@/http/security_headers.ts";
import { startLogging } from "@/server/observability/logging.ts";
import { keepQueriesOutOfTraces } from "@/server/observability/traces.ts";
import { answerOtherServer } from "@/http/page_requests.ts";
import { PrefixedApp } from "@/http/prefixed_app.ts";
import { openServices, type Services } from "@/server/services.ts";
import { keepDebuggerClosed, logUncaughtErrors } from "@/server/process/uncaught_errors.ts";
import { orExit, whyNotOpened } from "@/server/process/start_failure.ts";

keepDebuggerClosed();
logUncaughtErrors();
keepQueriesOutOfTraces();

/** The services of this process. */
export const services = await open(configOrExit());
setBasePath(services.config.basePath);
services.cluster?.bus.servePages((name, input) => answerOtherServer(services, name, input));

/** State that middleware sets before {@link provideServices}. */
type EarlierState = keyof Services | "clientAddress" | "requestId";

const provideServices = define.middleware((ctx) => {
  const initial = {
    session: null,
    visitor: null,
    isObserver: false,
    isBlocked: false,
    title: "Rollcall",
    csrfToken: "",
    input: {},
    inputFault: null,
  };
  Object.assign(ctx.state, services, initial satisfies Omit<State, EarlierState>);
  return ctx.next();
});

/** The HTTP API. Its requests are signed, so they need no cookies and CSRF tokens. */
const answerServers = define.middleware((ctx) =>
  services.httpApi.handles(pathOf(ctx.url)) ? services.httpApi.answer(ctx.req) : ctx.next()
);

/**
 * The application, without a listener: what happens to a request, in order.
 */
export const app = new PrefixedApp<State>(
  { basePath: services.config.basePath },
  refuseUnroutable(services),
  answerSockets(services),
)
  .use(countRequests(services))
  .use(findClientAddress(services))
  .use(takeTurns)
  .use(assignRequestId)
  .use(answerServers)
  .use(securityHeaders(services.config))
  .use(compressAnswers)
  .use(answerProbes(services))
  .use(answerCheck(services))
  .use(speakLanguage)
  .use(answerEmbeds(services))
  .use(answerSites(services))
  .use(answerApi(services))
  .use(refuseFullSignIns(services))
  .use(redirectMovedPaths)
  .use(compressedFiles())
  .use(staticFiles())
  .use(contentPolicy(services.config))
  .use(provideServices)
  .use(errorPages)
  .use(readInput)
  .use(limitSignIns)
  .use(identifyVisitor)
  .use(speakChosenLanguage)
  .use(provideCsrfToken)
  // Again, so that error pages of the steps below have a visitor, and the cookies set above.
  .use(errorPages)
  .use(requireInput)
  .use(requireCsrfToken)
  .fsRoutes();

function open(config: Services["config"]): Promise<Services> {
  startLogging(config.log);
  return orExit(openServices(config), config, whyNotOpened);
}
