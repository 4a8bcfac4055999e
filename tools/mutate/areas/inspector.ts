import { mutationsOf } from "../mutation.ts";

const folder = "tests/inspector";

/** The list of channels, and the events of those that are inspected. */
export const inspector = mutationsOf({
  "inspector/census.ts": `${folder}/census_test.ts`,
  "inspector/census_cache.ts": `${folder}/census_cache_test.ts`,
  "inspector/channel_list.ts": `${folder}/channel_list_test.ts`,
  "inspector/channel_status.ts": `${folder}/channel_status_test.ts`,
  "inspector/member_searches.ts": `${folder}/channel_status_test.ts`,
  "inspector/event_sample.ts": `${folder}/inspector_test.ts`,
  "inspector/inspector.ts": `${folder}/inspector_test.ts`,
  "inspector/recent_events.ts": `${folder}/recent_events_test.ts`,
  "inspector/tap.ts": `${folder}/inspector_test.ts`,
  "inspector/test_event.ts": `${folder}/test_event_test.ts`,
}, {
  "inspector/census.ts": [
    ["await this.#rest();", "this.#counted = 0;", "counting many channels keeps others waiting"],
    [
      "    const users = new Set<string>();\n",
      "    const users = new Set<string>([name]);\n",
      "an app has a user too many",
    ],
  ],
  "inspector/census_cache.ts": [
    [
      "Math.max(leastAgeMs, (end - start) / mostOfTheTime)",
      "leastAgeMs",
      "counting takes all of the time",
    ],
    [
      "    this.#cancel = this.#clock.after(keptMs, () => this.forget());\n",
      "",
      "a census is kept for ever",
    ],
  ],
  "inspector/channel_list.ts": [
    [
      "order(row, last) >= 0",
      "order(row, last) <= 0",
      "the list has other rows than the first ones",
    ],
    ["name.toLowerCase().includes(part)", "name.includes(part)", "a search depends on case"],
  ],
  "inspector/member_searches.ts": [
    [
      "(end - start) / mostOfTheTime",
      "0",
      "a search among 100,000 is made for each page that asks",
    ],
  ],
  "inspector/channel_status.ts": [
    [
      "isOwn ? members.map(({ userId }) => userId) : []",
      "members.map(({ userId }) => userId)",
      "a user of another app is looked up among the accounts",
    ],
    [
      "`${name} ${detail} ${id}`",
      "`${name}`",
      "a member is not found by the ID that the app knows",
    ],
    ["words.every(", "words.some(", "a search for a whole name finds half of the channel"],
    ["isOwn && (kind", "(kind", "a user of another app has a link to a person who is not there"],
  ],
  "inspector/event_sample.ts": [
    ["|| before >= mostShown.ofOneName", "", "a frequent event hides the rare ones"],
    ["this.#shown.clear();", "", "an event is shown a few times and never again"],
  ],
  "inspector/inspector.ts": [
    [
      "if (this.#inspected.has(channel) && !this.#isNeeded(channel)) this.#end(channel);",
      "",
      "a channel is followed after the last page left",
    ],
    [
      "!known && this.#inspected.size >= mostInspected",
      "false",
      "channels without end are followed",
    ],
    [
      "!known && !isRecorded && !this.#isWatched(name)",
      "false",
      "a request follows a channel that no page inspects",
    ],
    [
      "if (app === tap.app && this.#isNeeded(name)) continue;",
      "continue;",
      "an app that is removed is followed",
    ],
    [
      "tap?.id === inspection ? tap.find(number) : undefined",
      "tap?.find(number)",
      "the data of another event is shown",
    ],
  ],
  "inspector/recent_events.ts": [
    ["if (this.#bytes <= maxKeptBytes) break;", "break;", "the data of events fills the memory"],
    ["this.#bytes -= event.line.bytes;", "", "no data is kept after a while"],
  ],
  "inspector/tap.ts": [
    [
      "event.channel !== channel || of !== id",
      "event.channel !== channel",
      "events of another app are shown",
    ],
    ["    this.#cancel?.();\n", "", "a timer stays when the last page leaves"],
    [
      "if (!this.#sample.take(name)) return;",
      "this.#sample.take(name);",
      "pages are flooded with events",
    ],
  ],
  "inspector/test_event.ts": [
    [
      "isEncryptedChannel(channel) || ",
      "",
      "clients of an encrypted channel get what they cannot decrypt",
    ],
  ],
});
