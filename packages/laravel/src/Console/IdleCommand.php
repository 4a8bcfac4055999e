<?php

declare(strict_types=1);

namespace Rollcall\Laravel\Console;

use Illuminate\Console\Command;
use Illuminate\Contracts\Events\Dispatcher;
use Rollcall\Laravel\Events\UserBecameIdle;
use Rollcall\Laravel\Rollcall;

/**
 * Dispatches {@see UserBecameIdle} once for each user who has become idle, for which no webhook is sent.
 */
final class IdleCommand extends Command
{
    /** @var string */
    protected $signature = 'rollcall:idle';

    /** @var string */
    protected $description = 'Dispatch UserBecameIdle for the users who have become idle; schedule it each minute';

    public function handle(Dispatcher $dispatcher): int
    {
        $cache = Rollcall::cache();
        $count = 0;
        foreach (Rollcall::people(['status' => 'idle']) as ['id' => $id, 'idle_since' => $since]) {
            $place = [config('rollcall.app_id'), config('rollcall.channel'), $id, $since->getTimestampMs()];
            $key = 'rollcall:idle:' . hash('sha256', json_encode($place, JSON_THROW_ON_ERROR));
            if ($cache->add($key, true, Rollcall::onceSeconds())) {
                $dispatcher->dispatch(new UserBecameIdle($id, (string) config('rollcall.channel'), $since));
                $count++;
            } else {
                // Who stays idle for longer is no news either.
                $cache->put($key, true, Rollcall::onceSeconds());
            }
        }
        $this->line("{$count} became idle.");

        return self::SUCCESS;
    }
}
