import { z } from "zod";
import {
  appId,
  appKey,
  appSecret,
  hostName,
  integer,
  listenAddress,
  networks,
  webhookAddresses,
  webhookEvents,
  webhookInclude,
} from "./schemas.ts";
import { maxFileBytes, type Setting } from "./setting.ts";

/** The apps that clients connect as, the external server, and the names that Reverb has for these. */
export const pusherSettings = {
  PUSHER_APP_ID: {
    group: "Pusher apps",
    schema: appId.optional(),
    otherwise: "generated at the first start",
    about: "The ID of the app that clients connect as. It is in the URLs of the HTTP API.",
  },
  PUSHER_APP_KEY: {
    group: "Pusher apps",
    schema: appKey.optional(),
    otherwise: "generated at the first start",
    about: "The public key of that app. It is in the URLs of sockets.",
  },
  PUSHER_APP_SECRET: {
    group: "Pusher apps",
    schema: appSecret.optional(),
    secret: true,
    otherwise: "generated at the first start",
    about:
      "The secret of that app, which your server and Rollcall sign with. Secrets from public " +
      "examples are refused.",
  },
  APPS_FILE: {
    group: "Pusher apps",
    schema: z.string().optional(),
    example: "/etc/rollcall/apps.json",
    about: "A JSON file that lists several apps, each with its own limits: " +
      "[Several apps](apps.md).",
  },
  APPS: {
    group: "Pusher apps",
    schema: z.string().max(maxFileBytes, `at most ${maxFileBytes} characters`).optional(),
    secret: true,
    about: "The same JSON list in the variable itself. Give one of the two.",
  },
  WEBHOOK_URL: {
    group: "Pusher apps",
    schema: webhookAddresses.optional(),
    secret: true,
    example: "https://app.example.com/webhooks/pusher",
    about: "URLs, separated by commas, that receive the [webhooks](webhooks.md) of the " +
      "[default app](apps.md#the-default-app), unless a list of apps has webhooks for it.",
  },
  WEBHOOK_EVENT_TYPES: {
    group: "Pusher apps",
    schema: webhookEvents.optional(),
    otherwise: "Pusher's events",
    example: "member_added,member_removed,member_updated",
    about: "The names of the [events](webhooks.md#events), separated by commas, that the URLs in " +
      "`WEBHOOK_URL` receive.",
  },
  WEBHOOK_INCLUDE: {
    group: "Pusher apps",
    schema: webhookInclude.optional(),
    otherwise: "Pusher's fields only",
    example: "details,names",
    about: "What joins and leaves also tell the URLs in `WEBHOOK_URL`: `details`, `names` or " +
      "both, separated by commas; see [webhooks](webhooks-reference.md#what-a-webhook-receives).",
  },
  ALERT_WEBHOOK_NETWORKS: {
    group: "Pusher apps",
    schema: networks.default([]),
    example: "10.1.2.0/24",
    about:
      "Addresses and networks, separated by commas, that are not public and that messages to " +
      "[receivers of alerts](alerts.md#receivers) may be sent to. Without it, an admin cannot make " +
      "Rollcall call machines of its own network.",
  },
  PUSHER_HOST: {
    group: "External Pusher server",
    schema: hostName.optional(),
    example: "pusher.example.com",
    about: "Another server that speaks the Pusher protocol. Rollcall's own pages connect there " +
      "instead; `PUSHER_APP_KEY` and `PUSHER_APP_SECRET` are then that server's and have to be " +
      "given. In your app's settings, the same name means Rollcall. So Rollcall's own address is " +
      "ignored here.",
  },
  PUSHER_PORT: {
    group: "External Pusher server",
    schema: integer(1, 65535).optional(),
    otherwise: "80 or 443, by `PUSHER_SCHEME`",
    about: "That server's port.",
  },
  PUSHER_SCHEME: {
    group: "External Pusher server",
    schema: z.enum(["http", "https"], "http or https").default("https"),
    about: "That server's scheme.",
  },
  PUSHER_APP_CLUSTER: {
    group: "External Pusher server",
    schema: z.string().regex(/^[a-z0-9-]{1,32}$/, "a cluster name such as eu").optional(),
    example: "eu",
    about: "A cluster of the hosted Pusher service for Rollcall's own pages to connect to. " +
      "Ignored without `PUSHER_APP_KEY` and `PUSHER_APP_SECRET`, if it is `self`, or if `REVERB_*` " +
      "is set. Laravel's default `mt1` is ignored too, unless the key is one of that service.",
  },
  REVERB_APP_ID: {
    group: "From Laravel Reverb",
    schema: appId.optional(),
    about: "Reverb's name for `PUSHER_APP_ID`. Give one of them, or both with the same value.",
  },
  REVERB_APP_KEY: {
    group: "From Laravel Reverb",
    schema: appKey.optional(),
    about: "Reverb's name for `PUSHER_APP_KEY`. Give one of them, or both with the same value.",
  },
  REVERB_APP_SECRET: {
    group: "From Laravel Reverb",
    schema: appSecret.optional(),
    secret: true,
    about: "Reverb's name for `PUSHER_APP_SECRET`. Give one of them, or both with the same value.",
  },
  REVERB_HOST: {
    group: "From Laravel Reverb",
    schema: hostName.optional(),
    example: "rollcall.example.com",
    about: "The public host name of Rollcall; never another server's. Without `APP_URL`, " +
      "a host with a dot in its name is the public URL.",
  },
  REVERB_PORT: {
    group: "From Laravel Reverb",
    schema: integer(1, 65535).optional(),
    otherwise: "80 or 443, by `REVERB_SCHEME`",
    about:
      "The port of that address. If `REVERB_HOST` is this machine, such as `localhost`, it is " +
      "also the port to listen on, unless `PORT` or `REVERB_SERVER_PORT` is given.",
  },
  REVERB_SCHEME: {
    group: "From Laravel Reverb",
    schema: z.enum(["http", "https"], "http or https").default("https"),
    about: "The scheme of that address.",
  },
  REVERB_SERVER_HOST: {
    group: "From Laravel Reverb",
    schema: listenAddress.optional(),
    otherwise: "`HOST`",
    about: "Reverb's name for `HOST`, which is read if that is not given.",
  },
  REVERB_SERVER_PORT: {
    group: "From Laravel Reverb",
    schema: integer(0, 65535).optional(),
    otherwise: "`PORT`",
    about: "Reverb's name for `PORT`, which is read if that is not given.",
  },
} satisfies Record<string, Setting>;
