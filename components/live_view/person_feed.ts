import { useEffect, useState } from "react";
import { href, personPath } from "@/shared/address.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Change, OnlineChanged } from "@/shared/online.ts";
import type { PersonSnapshot } from "@/shared/person.ts";
import { usePresence } from "../presence/shared_presence.ts";
import { fetchJson, onlineFeed, useOnline } from "./online_feed.ts";

/** How often the person is asked for although nothing changed, in milliseconds. */
const askEveryMs = 10_000;

/** The least time between two requests, in milliseconds. */
const pauseMs = 500;

/** What a person's page shows. */
export interface FollowedPerson {
  /** The last answer of the server, all of it of the same moment. */
  snapshot: PersonSnapshot;
  isOnline: boolean;
  /** Whether it is what the server knows now. */
  isLive: boolean;
}

/**
 * A person, live: the feed of the list of who is online says when something of the person changed, and then the
 * server is asked for all that the page shows. In a large channel the feed has no changes of single people, and
 * what happens in other counted channels is not in it: the server is asked now and then, too.
 *
 * @param first what the HTML shows.
 * @param isFollowed see `PersonView`; otherwise only the channel of the users online says whether they are online.
 */
export function usePerson(
  settings: ClientSettings,
  id: string,
  { first, isFollowed }: { first: PersonSnapshot; isFollowed: boolean },
): FollowedPerson {
  const [snapshot, setSnapshot] = useState(first);
  const [isAnswered, setAnswered] = useState(true);
  const { state } = useOnline(isFollowed ? settings : null);
  const { members, status } = usePresence(settings);
  useEffect(() => {
    if (state !== "following") return;
    return follow(settings, id, (answer) => {
      setAnswered(answer !== null);
      if (answer) setSnapshot(answer);
    });
  }, [state]);
  const isOnline = snapshot.presence !== null || (!isFollowed && members?.has(id) === true);
  // Who is not back yet after a restart may still come.
  const isCurrent = status === "live" || status === "connecting" ||
    (status === "recovering" && isOnline);
  return { snapshot, isOnline, isLive: isAnswered && isCurrent };
}

/** Reports every answer of the server; null when it failed. @returns stop */
function follow(
  settings: ClientSettings,
  id: string,
  report: (answer: PersonSnapshot | null) => void,
): () => void {
  let isStopped = false;
  const ask = oneAtATime(async () => {
    const answer = await fetchJson<PersonSnapshot>(href(`${personPath(id)}/now`));
    if (!isStopped) report(answer);
  });
  const askIfSeen = () => document.hidden || ask();
  const feed = onlineFeed(settings);
  const stops = [
    feed.listen<OnlineChanged>("OnlineChanged", ({ changes }) => {
      if (changes.some((change) => userIdOf(change) === id)) ask();
    }),
    feed.listen("OnlineSummary", askIfSeen),
  ];
  const timer = setInterval(askIfSeen, askEveryMs);
  document.addEventListener("visibilitychange", askIfSeen);
  ask();
  return () => {
    isStopped = true;
    for (const stop of stops) stop();
    clearInterval(timer);
    document.removeEventListener("visibilitychange", askIfSeen);
  };
}

function userIdOf(change: Change): string {
  if (change.type === "joined") return change.person.id;
  return change.type === "activity" ? change.entry.id : change.id;
}

/**
 * Runs work after each call that came since it last began, never twice at the same time, so that answers arrive
 * in their order.
 */
export function oneAtATime(work: () => Promise<void>): () => void {
  let isDue = false;
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    while (isDue) {
      isDue = false;
      await work();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    isRunning = false;
  };
  return () => {
    isDue = true;
    if (!isRunning) void run();
  };
}
