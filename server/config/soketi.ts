/** Soketi's settings of its default app, without their prefix, and the field of each in a list. */
export const soketiVariables = {
  ID: "id",
  KEY: "key",
  SECRET: "secret",
  ENABLED: "enabled",
  MAX_CONNS: "maxConnections",
  ENABLE_CLIENT_MESSAGES: "enableClientMessages",
  USER_AUTHENTICATION: "enableUserAuthentication",
  MAX_BACKEND_EVENTS_PER_SEC: "maxBackendEventsPerSecond",
  MAX_CLIENT_EVENTS_PER_SEC: "maxClientEventsPerSecond",
  MAX_READ_REQ_PER_SEC: "maxReadRequestsPerSecond",
  WEBHOOKS: "webhooks",
};

/**
 * A list with the default app of Soketi's settings, as JSON; undefined unless they have an id, key or
 * secret.
 */
export function soketiAppList(
  environment: Record<string, string | undefined>,
): string | undefined {
  const given = Object.entries(soketiVariables).map(([name, field]) => [
    field,
    environment[`SOKETI_DEFAULT_APP_${name}`]?.trim() || undefined,
  ]);
  const app = Object.fromEntries(given);
  return app.id ?? app.key ?? app.secret ? JSON.stringify([app]) : undefined;
}
