import type { AuthorizedCount, Recovery } from "../../shared/recovery.ts";

type Answered = (error: Error | null, answer: unknown) => void;

/** The part of pusher-js that {@link keepAuthorizedCount} uses. */
export interface Authorizing {
  config: {
    channelAuthorizer(channel: { channelName: string; socketId: string }, answered: Answered): void;
  };
}

/** The recovery in the last answer of the auth route for the presence channel, by the page's clock. */
let recovery: Recovery | null = null;

/** Keeps what the auth route answers besides signatures; pusher-js passes none of it on. */
export function keepAuthorizedCount({ config }: Authorizing): void {
  const authorize = config.channelAuthorizer;
  config.channelAuthorizer = (channel, answered) =>
    authorize(channel, (error, answer) => {
      const count = answer as AuthorizedCount | null;
      if (count && channel.channelName.startsWith("presence-")) {
        recovery = count.recovery ? byPage(count.recovery, Date.now()) : null;
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
 * The recovery of the number of users online when the page was last admitted to their channel; null when
 * the number could be believed.
 */
export function authorizedRecovery(): Recovery | null {
  return recovery;
}
