<?php

declare(strict_types=1);

namespace Rollcall\Laravel\Events;

use Carbon\CarbonImmutable;

/**
 * A user's first connection has joined the channel. If your only Rollcall server is killed, it comes again
 * for each user who is back.
 */
final readonly class UserCameOnline
{
    /**
     * @param string $id the ID with which the user joined
     * @param CarbonImmutable $at when it happened, however late the webhook comes
     * @param mixed $info what the other members know of the user; null unless the webhook includes `details`
     */
    public function __construct(
        public string $id,
        public string $channel,
        public CarbonImmutable $at,
        public mixed $info = null,
    ) {
    }
}
