/**
 * Requests of live pages that only the server of the page's socket can answer: what a page follows comes from one
 * source and in one order, over its socket and in answer to these requests. Behind a proxy any server receives such
 * a request; it checks who asks, and has the server of the socket answer over the bus.
 *
 * @module
 */
import { HttpError } from "fresh";
import { z } from "zod";
import type { PageResponse } from "@/realtime/cluster/bus/servers_over_bus.ts";
import type { Cluster } from "@/realtime/cluster/cluster.ts";
import { isSocketId, serverNumberOf } from "@/realtime/protocol/socket_id.ts";
import type { Services } from "@/server/services.ts";
import type { Inspection } from "@/shared/inspection.ts";
import type { OnlineRows } from "@/shared/large_channel.ts";
import type { OnlineList } from "@/shared/online.ts";
import { knownPerson } from "@/server/people/known_person.ts";
import { limitsSchema } from "@/server/accounts/account_fields.ts";
import { isWithin } from "@/shared/permissions.ts";
import { onlineKey } from "@/shared/counted.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";
import { maxUserIdLength } from "@/realtime/protocol/member.ts";
import type { PersonSnapshot } from "@/shared/person.ts";
import { countedChannel, readRowsRequest, rowsRequestText } from "./counted_view.ts";
import { noSuchPersonText } from "./request.ts";
import { personSnapshot } from "./person_view.ts";
import { type Rejection, rejectionFor } from "./rejection.ts";
import { refuseUnreachableSocket } from "./socket_claim.ts";

/** What the reader is limited to; absent for who is not, as the release before asks. */
const limits = limitsSchema.optional();

/** A kind of request, by which servers of several releases know it. */
export interface PageRequest<Input, Answer> {
  readonly name: string;
  readonly input: z.ZodType<Input>;
  /** The answer of the server of the socket. @throws {HttpError} for what it refuses */
  answer(services: Services, input: Input): Answer | Promise<Answer>;
}

function pageRequest<Input, Answer>(
  name: string,
  input: z.ZodType<Input>,
  answer: PageRequest<Input, Answer>["answer"],
): PageRequest<Input, Answer> {
  return { name, input, answer };
}

/** Everyone in a counted channel, for a page that starts following changes. */
export const onlineListRequest = pageRequest(
  "online-list",
  z.object({ channel: z.string().max(300).nullable(), limits }),
  async ({ counted, firstAppUser, liveView }, { channel, limits = null }): Promise<OnlineList> => {
    const visible = counted.filter((one) => isWithin(limits, one));
    const { key, alert, recovery } = countedChannel({ counted: visible }, channel);
    const isShown = (key: string) => visible.some((one) => one.key === key);
    return {
      ...await liveView.publisherOf(key).snapshot(),
      alert: alert.view,
      health: await liveView.health.measure(),
      ...isShown(onlineKey) && { topPages: await liveView.topPages.current() },
      recovery: recovery.shown,
      counted: visible.length > 1 ? liveView.totals({ isShown }) : undefined,
      hasAppUsers: firstAppUser.hasCome,
    };
  },
);

/** Rows of the online table of a counted channel, for a page that is not sent all of it. */
export const onlineRowsRequest = pageRequest(
  "online-rows",
  z.object({ channel: z.string().max(300), query: z.string().max(10_000) }),
  ({ counted, liveView }, { channel, query }): Promise<OnlineRows> => {
    const request = readRowsRequest({ searchParams: new URLSearchParams(query) });
    if (!request) throw new HttpError(422, rowsRequestText);
    return liveView.publisherOf(countedChannel({ counted }, channel).key).rows(request, request);
  },
);

const inspectedChannel = { appId: z.string().max(300), channel: z.string().max(300) };

/** The events of a channel so far; with `isRecorded`, the server begins to record them. */
export const inspectionRequest = pageRequest(
  "inspection",
  z.object({ ...inspectedChannel, isRecorded: z.boolean().default(false) }),
  ({ inspector }, { appId, channel, isRecorded }): Inspection => {
    const opened = inspector.open({ appId, channel }, { isRecorded });
    if (opened === "gone") throw new HttpError(404, text`This app no longer exists.`);
    if (opened !== "full") return opened;
    throw new HttpError(
      503,
      text`Too many channels are being inspected. Close one of their pages first.`,
    );
  },
);

const keptEvent = z.object({
  line: z.object({ name: z.string(), bytes: z.number() }),
  data: z.string(),
});

/** An event that passed by in an inspection, with its data; null when it is not kept. */
export const inspectedEventRequest = pageRequest(
  "inspected-event",
  z.object({ ...inspectedChannel, inspection: z.uuid(), number: z.int().min(1) }),
  ({ inspector }, { inspection, number, ...target }): z.infer<typeof keptEvent> | null =>
    inspector.find(target, inspection, number) ?? null,
);

/** What changes on the page of a person. */
export const personRequest = pageRequest(
  "person",
  z.object({ id: z.string().max(maxUserIdLength), limits }),
  async (services, { id, limits }): Promise<PersonSnapshot> => {
    const person = await knownPerson(services, id, limits);
    if (!person) throw new HttpError(404, noSuchPersonText());
    return await personSnapshot(services, person);
  },
);

const kinds = [
  personRequest,
  onlineListRequest,
  onlineRowsRequest,
  inspectionRequest,
  inspectedEventRequest,
];

/** How a request of a limited reader is sent on: a server of the release before would answer it in full. */
function limitedName({ name }: { name: string }): string {
  return `limited-${name}`;
}

/** Answers a request that another server received. A kind that this release does not know is not found. */
export async function answerOtherServer(
  services: Services,
  name: string,
  input: unknown,
): Promise<PageResponse> {
  const kind = kinds.find((kind) => [kind.name, limitedName(kind)].includes(name)) as
    | PageRequest<unknown, unknown>
    | undefined;
  const parsed = kind?.input.safeParse(input);
  if (!kind || !parsed?.success) return refused(new HttpError(404));
  return await answerHere(services, kind, parsed.data);
}

async function answerHere<Input>(
  services: Services,
  kind: PageRequest<Input, unknown>,
  input: Input,
): Promise<PageResponse> {
  try {
    return { status: 200, body: JSON.stringify(await kind.answer(services, input)) };
  } catch (error) {
    if (error instanceof HttpError) return refused(error);
    throw error;
  }
}

function refused({ message, status }: HttpError): PageResponse {
  return { status, body: JSON.stringify(rejectionFor(status, message)) };
}

/** What a request says of the page that sent it. */
interface Asking {
  services: Services;
  request: Request;
}

/** The cluster and the socket of a page that is connected to another server; undefined for all others. */
function remotePage({ services: { cluster }, request }: Asking): {
  cluster: Cluster;
  socket: string;
} | undefined {
  const socket = request.headers.get("x-socket-id");
  if (!cluster || socket === null || !isSocketId(socket)) return undefined;
  const number = serverNumberOf(socket);
  return number === 0 || number === cluster.number ? undefined : { cluster, socket };
}

/** Has the server of the page's socket answer; 503 with `Retry-After` when that does not. */
export async function answerPage<Input extends object>(
  asking: Asking,
  kind: PageRequest<Input, unknown>,
  input: Input,
): Promise<Response> {
  const other = remotePage(asking);
  const isLimited = "limits" in input && input.limits;
  const name = isLimited ? limitedName(kind) : kind.name;
  const answer = other
    ? await other.cluster.bus.others.page(other.socket, name, input)
    : await answerHere(asking.services, kind, input);
  if (!answer) return refuseUnreachableSocket();
  const headers = { "content-type": "application/json" };
  const body = answer.status === 200 ? answer.body : inReadersLanguage(answer.body);
  return new Response(body, { status: answer.status, headers });
}

/** A refusal in the language of the reader: another server, which does not know that, refuses in English. */
function inReadersLanguage(body: string): string {
  const refusal: Rejection = JSON.parse(body);
  return JSON.stringify({ ...refusal, message: longText(refusal.message) });
}

/**
 * An event of an inspection, wherever that is: at the server of the page's socket, or for a page without script, at
 * any of them.
 */
export async function findInspectedEvent(
  asking: Asking,
  input: z.infer<typeof inspectedEventRequest.input>,
): Promise<z.infer<typeof keptEvent> | null> {
  const { services } = asking;
  const here = await inspectedEventRequest.answer(services, input);
  if (here || !services.cluster) return here;
  const { others } = services.cluster.bus;
  const answers = await others.pages(inspectedEventRequest.name, input);
  const remoteEvent = answers.flatMap(({ status, body }) =>
    status === 200 ? JSON.parse(body) : null
  )
    .find((event) => event !== null);
  return keptEvent.nullable().parse(remoteEvent ?? null);
}

/**
 * The events that are shown in the HTML of a channel's page. One without script asks to have them recorded; another
 * server may do so already, when the page is loaded again.
 */
export async function firstInspection(
  services: Services,
  { isRecorded, ...channel }: z.infer<typeof inspectionRequest.input>,
): Promise<Inspection> {
  const target = { ...channel, isRecorded: false };
  const here = await inspectionRequest.answer(services, target);
  if (here.isOpen || !isRecorded) return here;
  const answers = await services.cluster?.bus.others.pages(inspectionRequest.name, target) ?? [];
  const open = answers.filter(({ status }) => status === 200)
    .map(({ body }): Inspection => JSON.parse(body)).find(({ isOpen }) => isOpen);
  return open ?? await inspectionRequest.answer(services, { ...target, isRecorded: true });
}
