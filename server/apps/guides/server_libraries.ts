import type { AppConnection, Guide } from "@/shared/connect.ts";
import { text } from "@/shared/language.ts";
import { doubleQuoted, singleQuoted } from "./pusher_js_options.ts";

/** The libraries of Pusher for servers: how each is constructed, and sends an event. */
export function serverLibrariesGuide(connection: AppConnection): Guide {
  return {
    id: "server-libraries",
    title: text`Server libraries`,
    intro: text`Send events from your server with Pusher's own libraries.` + pathNote(connection),
    files: [
      { name: "send.mjs", language: "js", text: nodeProgram(connection) },
      { name: "send.php", language: "php", text: phpProgram(connection) },
      { name: "send.rb", language: "ruby", text: rubyProgram(connection) },
      { name: "send.py", language: "python", text: pythonProgram(connection) },
      { name: "send.go", language: "go", text: goProgram(connection) },
    ],
  };
}

/** Constructs the library of Node. @param imports further import declarations */
export function nodeLibrary(
  { id, key, secret, host, port, scheme }: AppConnection,
  imports = "",
): string {
  return `import Pusher from "pusher";
${imports}
const pusher = new Pusher({
  appId: ${doubleQuoted(id)},
  key: ${doubleQuoted(key)},
  secret: ${doubleQuoted(secret)},
  host: ${doubleQuoted(host)},
  port: "${port}",
  useTLS: ${scheme === "https"},
});
`;
}

/** Only PHP's library knows paths. */
function pathNote({ id, path }: AppConnection): string {
  if (path === "") return "";
  const folder = `/apps/${id}/`;
  return ` ${text`Only PHP's can call a server below a path: for the others, let your proxy pass ${folder} to Rollcall too.`}`;
}

function nodeProgram(connection: AppConnection): string {
  return `// npm install pusher
${nodeLibrary(connection)}
await pusher.trigger("presence-chart", "greeting", { text: "Hello" });
`;
}

function phpProgram({ id, key, secret, host, port, scheme, path }: AppConnection): string {
  const pathLine = path === "" ? "" : `    'path' => ${singleQuoted(path)},\n`;
  return `<?php
// composer require pusher/pusher-php-server
require __DIR__ . '/vendor/autoload.php';

$pusher = new Pusher\\Pusher(${singleQuoted(key)}, ${singleQuoted(secret)}, ${singleQuoted(id)}, [
    'host' => ${singleQuoted(host)},
    'port' => ${port},
    'scheme' => '${scheme}',
${pathLine}]);

$pusher->trigger('presence-chart', 'greeting', ['text' => 'Hello']);
`;
}

function rubyProgram({ id, key, secret, host, port, scheme }: AppConnection): string {
  return `# gem install pusher
require 'pusher'

pusher = Pusher::Client.new(
  app_id: ${singleQuoted(id)},
  key: ${singleQuoted(key)},
  secret: ${singleQuoted(secret)},
  host: ${singleQuoted(host)},
  port: ${port},
  use_tls: ${scheme === "https"}
)

pusher.trigger('presence-chart', 'greeting', { text: 'Hello' })
`;
}

function pythonProgram({ id, key, secret, host, port, scheme }: AppConnection): string {
  return `# pip install pusher
import pusher

client = pusher.Pusher(
    app_id=${doubleQuoted(id)},
    key=${doubleQuoted(key)},
    secret=${doubleQuoted(secret)},
    host=${doubleQuoted(host)},
    port=${port},
    ssl=${scheme === "https" ? "True" : "False"},
)

client.trigger("presence-chart", "greeting", {"text": "Hello"})
`;
}

function goProgram({ id, key, secret, host, port, scheme }: AppConnection): string {
  return `// go get github.com/pusher/pusher-http-go/v5
package main

import (
	"log"

	"github.com/pusher/pusher-http-go/v5"
)

func main() {
	client := pusher.Client{
		AppID:  ${doubleQuoted(id)},
		Key:    ${doubleQuoted(key)},
		Secret: ${doubleQuoted(secret)},
		Host:   ${doubleQuoted(`${host}:${port}`)},
		Secure: ${scheme === "https"},
	}
	greeting := map[string]string{"text": "Hello"}
	if err := client.Trigger("presence-chart", "greeting", greeting); err != nil {
		log.Fatal(err)
	}
}
`;
}
