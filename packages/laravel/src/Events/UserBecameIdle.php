<?php

declare(strict_types=1);

namespace Rollcall\Laravel\Events;

use Carbon\CarbonImmutable;

/**
 * No tab of a user who is online is in use any more. `rollcall:idle` finds it.
 */
final readonly class UserBecameIdle
{
    /**
     * @param string $id the ID with which the user joined
     * @param CarbonImmutable $since when a tab was used last
     */
    public function __construct(
        public string $id,
        public string $channel,
        public CarbonImmutable $since,
    ) {
    }
}
