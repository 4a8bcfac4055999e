import type { AuthorizedCount, Recovery } from "@/shared/recovery.ts";

type Answered = (error: Error | null, answer: unknown) => void;

/** The part of pusher-js that {@link keepAuthorizedCount} uses. */
export interface Authorizing {
  config: {
    channelAuthorizer(channel: { channelName: string; socketId: string }, answered: Answered): void;
  };
}

/** What the auth route last answered for the presence channel, with times by the page's clock. */
let authorized: { recovery: Recovery | null; isQuiet: boolean } = {
  recovery: null,
  isQuiet: false,
};

/** Keeps what the auth route answers besides signatures; pusher-js passes none of it on. */
export function keepAuthorizedCount({ config }: Authorizing): void {
  const authorize = config.channelAuthorizer;
  config.channelAuthorizer = (channel, answered) =>
    authorize(channel, (error, answer) => {
      const count = answer as AuthorizedCount | null;
      if (count && channel.channelName.startsWith("presence-")) {
        const { recovery, isQuiet = false } = count;
        authorized = { recovery: recovery ? byPage(recovery, Date.now()) : null, isQuiet };
      }
      answered(error, answer);
    });
}

/** As `byClock`, which would be a script of its own in pages: others have no use for it here. */
function byPage(recovery: Recovery, now: number): Recovery {
  const { startedAt, grewAt } = recovery;
  return { ...recovery, startedAt: startedAt + now, grewAt: grewAt + now };
}

/**
 * As what the page was last admitted to the channel of the users online: whether it is told their number
 * only, and the recovery of that number; null when it could be believed.
 */
export function authorizedCount(): Readonly<typeof authorized> {
  return authorized;
}
