<?php

declare(strict_types=1);

namespace Rollcall\Laravel\Events;

use Carbon\CarbonImmutable;

/**
 * A user's last connection has left the channel, and the leave grace is over.
 */
final readonly class UserWentOffline
{
    /**
     * @param string $id the ID with which the user had joined
     * @param CarbonImmutable $at when it happened, however late the webhook comes
     * @param int|null $seconds for how long the user was online; null unless the webhook includes `details`
     * @param string|null $reason why the user left; null unless the webhook includes `details`
     * @param mixed $info what the other members knew of the user; null unless the webhook includes `details`
     */
    public function __construct(
        public string $id,
        public string $channel,
        public CarbonImmutable $at,
        public ?int $seconds = null,
        public ?string $reason = null,
        public mixed $info = null,
    ) {
    }
}
