<?php

declare(strict_types=1);

namespace Rollcall\Laravel\Events;

use Carbon\CarbonImmutable;

/**
 * Your server has changed what the other members know of a user.
 */
final readonly class UserUpdated
{
    /**
     * @param string $id the ID with which the user joined
     * @param CarbonImmutable $at when it happened, however late the webhook comes
     * @param mixed $info the user's new `user_info`
     */
    public function __construct(
        public string $id,
        public string $channel,
        public CarbonImmutable $at,
        public mixed $info = null,
    ) {
    }
}
