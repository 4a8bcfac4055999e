import type { Guide, GuideFile } from "@/shared/connect.ts";
import { apiCalls } from "./api_calls.ts";

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
      points: [{ at: "2026-11-27T12:00:00.000Z", most: 2, fewest: 1, most_active: 1 }],
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
};

/** The calls, each with the code to copy. @param address of this installation */
export function apiGuides(address: string): Guide[] {
  return apiCalls.map((call) => {
    const example = apiExamples[call.path];
    const query = example.query ? `?${new URLSearchParams(example.query)}` : "";
    const url = address + call.path + query;
    return {
      id: call.path.replaceAll(/[^a-z]+/g, "-").slice(1),
      title: `${call.method} ${call.path}`,
      intro: `${call.summary}. Needs the scope ${call.scope}.`,
      files: [
        curl(url, example),
        php(url, example),
        node(url, example),
        { name: "Answer", language: "js", text: JSON.stringify(example.answer, null, 2) },
      ],
    } satisfies Guide;
  });
}

function curl(url: string, { body }: ApiExample): GuideFile {
  const lines = [`curl "${url}"`, '-H "Authorization: Bearer TOKEN"'];
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`);
  }
  return { name: "Shell", language: "sh", text: lines.join(" \\\n  ") };
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
