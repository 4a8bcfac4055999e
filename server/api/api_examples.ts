import type { Guide, GuideFile } from "@/shared/connect.ts";
import { apiCalls, type ApiRoute, eventsCall } from "./api_calls.ts";
import { frameOf } from "./event_frames.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** An example of a call: what is sent, and what can be answered with the scope names. */
interface ApiExample {
  query?: Record<string, string>;
  body?: unknown;
  answer: unknown;
}

const head = { as_of: "2026-11-27T12:00:00.000Z", state: "live" };

/** Examples by the paths of the calls. */
export const apiExamples: Record<string, ApiExample> = {
  "/api/v1/online": {
    query: { limit: "100" },
    answer: {
      ...head,
      users: 2,
      guests: 0,
      active: 1,
      connections: 3,
      people: [{
        id: "7",
        name: "Ann Ek",
        detail: "ann@example.com",
        url: "https://shop.example.com/users/7",
        app: "1",
        online_since: "2026-11-27T11:48:10.000Z",
        connections: 2,
        status: "idle",
        idle_since: "2026-11-27T11:57:30.000Z",
        page: null,
        device: "desktop",
      }],
      next: "7",
    },
  },
  "/api/v1/people/status": {
    body: { ids: ["7", "8"] },
    answer: {
      ...head,
      people: [
        {
          id: "7",
          online: true,
          status: "idle",
          online_since: "2026-11-27T11:48:10.000Z",
          last_seen: "2026-11-27T12:00:00.000Z",
        },
        {
          id: "8",
          online: false,
          status: null,
          online_since: null,
          last_seen: "2026-11-26T17:05:00.000Z",
        },
      ],
    },
  },
  "/api/v1/history": {
    query: { range: "day" },
    answer: {
      ...head,
      range: "day",
      interval_seconds: 900,
      points: [{ at: "2026-11-27T12:00:00.000Z", most: 5, guests: 3, fewest: 1, most_active: 1 }],
    },
  },
  "/api/v1/days": {
    query: { from: "2026-11-01", until: "2026-12-01" },
    answer: {
      ...head,
      time_zone: "Europe/Berlin",
      record: { users: 1204, guests: 310, at: "2026-11-12T18:05:00.000Z" },
      days: [{
        day: "2026-11-26",
        starts_at: "2026-11-25T23:00:00.000Z",
        day_seconds: 86400,
        recorded_seconds: 86400,
        peak: 318,
        peak_at: "2026-11-26T18:40:12.000Z",
        average: 96.4,
        people: 1240,
        visits: 1873,
        median_visit_seconds: 190,
        p90_visit_seconds: 1380,
      }],
    },
  },
  "/api/v1/activity": {
    query: { limit: "50" },
    answer: {
      ...head,
      entries: [{
        at: "2026-11-27T11:48:10.000Z",
        id: "7",
        name: "Ann Ek",
        change: "joined",
        reason: null,
      }],
      next: "1795780090000-41",
    },
  },
  "/api/v1/messages": {
    body: { text: "We restart in five minutes." },
    answer: { ...head, to: null },
  },
  "/api/v1/marks": {
    body: { text: "Deployed 4.2.0", at: "2026-11-27T12:00:00.000Z" },
    answer: {
      id: "m2a1mVn0QkqvXb8nJkPq4A",
      at: "2026-11-27T12:00:00.000Z",
      text: "Deployed 4.2.0",
    },
  },
};

/** The calls, each with the code to copy. @param address of this installation */
export function apiGuides(address: string): Guide[] {
  const guides = apiCalls.map((call): Guide => {
    const example = apiExamples[call.path];
    const query = example.query ? `?${new URLSearchParams(example.query)}` : "";
    const url = address + call.path + query;
    return {
      ...headOf(call),
      files: [
        curl(url, example),
        php(url, example),
        node(url, example),
        { name: text`Answer`, language: "js", text: JSON.stringify(example.answer, null, 2) },
      ],
    };
  });
  return [...guides, { ...headOf(eventsCall), files: eventFiles(address + eventsCall.path) }];
}

function headOf({ method, path, scope, summary }: ApiRoute): Omit<Guide, "files"> {
  return {
    id: path.replaceAll(/[^a-z]+/g, "-").slice(1),
    title: `${method} ${path}`,
    intro: text`${longText(summary)}. Needs the scope ${scope}.`,
  };
}

function eventFiles(url: string): GuideFile[] {
  const left = { at: head.as_of, id: "7", app: "1", seconds: 751, reason: "closed" };
  return [
    {
      name: text`Shell`,
      language: "sh",
      text: `curl --no-buffer "${url}" \\\n  -H "Authorization: Bearer TOKEN"`,
    },
    { name: "PHP", language: "php", text: phpEvents.replace("URL", url) },
    { name: "Node", language: "js", text: nodeEvents.replace("URL", url) },
    {
      name: text`Answer`,
      language: "js",
      text: frameOf("left", left, "5f0c9f3b8a1d4e72-12").trim(),
    },
  ];
}

const phpEvents = `<?php
$context = stream_context_create(['http' => [
    'header' => 'Authorization: Bearer TOKEN',
    'timeout' => 60,
]]);
$stream = fopen('URL', 'r', false, $context);
while (($line = fgets($stream)) !== false) {
    if (str_starts_with($line, 'event: ')) $event = trim(substr($line, 7));
    if (str_starts_with($line, 'data: ')) echo $event, ' ', substr($line, 6);
}`;

const nodeEvents = `const response = await fetch("URL", {
  headers: { Authorization: "Bearer TOKEN" },
});
let text = "";
for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
  const events = (text + part).split("\\n\\n");
  text = events.pop();
  for (const event of events) {
    const [, name, data] = /event: (.*)[^]*?\\ndata: (.*)/.exec(event) ?? [];
    if (name) console.log(name, JSON.parse(data));
  }
}`;

function curl(url: string, { body }: ApiExample): GuideFile {
  const lines = [`curl "${url}"`, '-H "Authorization: Bearer TOKEN"'];
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`);
  }
  return { name: text`Shell`, language: "sh", text: lines.join(" \\\n  ") };
}

function php(url: string, { body }: ApiExample): GuideFile {
  const options = body === undefined ? ["    'header' => 'Authorization: Bearer TOKEN',"] : [
    "    'method' => 'POST',",
    "    'header' => ['Authorization: Bearer TOKEN', 'Content-Type: application/json'],",
    `    'content' => '${JSON.stringify(body)}',`,
  ];
  const lines = [
    "<?php",
    "$context = stream_context_create(['http' => [",
    ...options,
    "]]);",
    `$answer = json_decode(file_get_contents('${url}', false, $context), true);`,
  ];
  return { name: "PHP", language: "php", text: lines.join("\n") };
}

function node(url: string, { body }: ApiExample): GuideFile {
  const options = body === undefined ? ['  headers: { Authorization: "Bearer TOKEN" },'] : [
    '  method: "POST",',
    '  headers: { Authorization: "Bearer TOKEN", "Content-Type": "application/json" },',
    `  body: JSON.stringify(${JSON.stringify(body)}),`,
  ];
  const lines = [
    `const response = await fetch("${url}", {`,
    ...options,
    "});",
    "const answer = await response.json();",
  ];
  return { name: "Node", language: "js", text: lines.join("\n") };
}
