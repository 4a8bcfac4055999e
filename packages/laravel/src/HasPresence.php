<?php

declare(strict_types=1);

namespace Rollcall\Laravel;

use Carbon\CarbonImmutable;

/**
 * For the user model: whether the user is online. Call {@see Rollcall::statuses()} with a list of users
 * before you show it, and each costs no request of its own.
 */
trait HasPresence
{
    /**
     * The ID with which the user joins, as your app signs it.
     */
    public function rollcallId(): string
    {
        return (string) $this->getAuthIdentifierForBroadcasting();
    }

    /**
     * Whether the user is online; false while Rollcall cannot be asked.
     */
    public function isOnline(): bool
    {
        return Rollcall::isOnline($this);
    }

    /**
     * Whether the user is online and no tab is in use; false where tabs do not report it.
     */
    public function isIdle(): bool
    {
        return Rollcall::isIdle($this);
    }

    /**
     * When the user was online last; null when it is not known.
     */
    public function lastSeen(): ?CarbonImmutable
    {
        return Rollcall::status($this)['last_seen'] ?? null;
    }
}
