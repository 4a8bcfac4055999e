import { z } from "zod";
import { apiPath, standsAlone } from "@/shared/api.ts";
import { version } from "@/shared/version.ts";
import { type ApiCall, apiCalls, type ApiRoute, eventsCall } from "./api_calls.ts";

/** The path of the description. It needs no token, as programs that read it have none. */
export const openApiPath = `${apiPath}/openapi.json`;

/** The statuses of errors, which have one form. */
const errors: Record<number, string> = {
  400: "A parameter or the body is invalid; the message names the field",
  401: "There is no token, or one that is invalid or revoked",
  403: "The scope of the token is too small",
  404: "The token reads no such counted channel",
  429: "Too many requests; Retry-After says when to try again",
  503: "The database or another server is not available right now",
};

/** Further ones of messages. */
const messageErrors: Record<number, string> = {
  404: "The token is of another app or channel, or the person is unknown",
  409: "The person is offline, or has no page of Rollcall that could show a message",
};

const errorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string() }),
});

/** The OpenAPI description of all calls, made of the schemas that check them. @param server the path of the app */
export function openApi(server: string) {
  return {
    openapi: "3.1.0",
    info: { title: "Rollcall", version, description: "Who is online, for other programs." },
    servers: [{ url: server }],
    security: [{ token: [] }],
    paths: Object.fromEntries(
      [...apiCalls, eventsCall]
        .map((call) => [call.path, { [call.method.toLowerCase()]: operation(call) }]),
    ),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Error: schemaOf(errorSchema) },
    },
  };
}

function operation(call: ApiCall | ApiRoute) {
  const { input, method, path, scope, summary } = call;
  const answer = "answer" in call ? json(schemaOf(call.answer)) : eventStream;
  return {
    operationId: path.slice(apiPath.length + 1).replaceAll("/", "_"),
    summary,
    description: `Needs a token with the scope ${scope}${standsAlone(scope) ? "" : " or more"}.`,
    ...method === "GET" ? { parameters: parametersOf(input) } : { requestBody: bodyOf(input) },
    responses: {
      200: { description: summary, ...answer },
      ...Object.fromEntries(
        Object.entries(scope === "messages" ? { ...errors, ...messageErrors } : errors).map((
          [status, description],
        ) => [
          status,
          { description, ...json({ $ref: "#/components/schemas/Error" }) },
        ]),
      ),
    },
  };
}

/** OpenAPI describes no single events: docs/api.md does. */
const eventStream = { content: { "text/event-stream": { schema: { type: "string" } } } };

function parametersOf(input: z.ZodType) {
  return Object.entries(schemaOf(input).properties ?? {}).map(([name, property]) => {
    const { description, ...schema } = property as z.core.JSONSchema.JSONSchema;
    return { name, in: "query", ...description !== undefined && { description }, schema };
  });
}

function bodyOf(input: z.ZodType) {
  return { required: true, ...json(schemaOf(input)) };
}

function json(schema: object) {
  return { content: { "application/json": { schema } } };
}

function schemaOf(schema: z.ZodType): z.core.JSONSchema.JSONSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: "input", override: shorten });
  return described;
}

/** Leaves out what the type or the format says already. */
function shorten({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format?.startsWith("date")) delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
