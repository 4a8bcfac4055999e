<?php

declare(strict_types=1);

namespace Rollcall\Laravel\Http;

use Carbon\CarbonImmutable;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Rollcall\Laravel\Events\UserCameOnline;
use Rollcall\Laravel\Events\UserUpdated;
use Rollcall\Laravel\Events\UserWentOffline;
use Rollcall\Laravel\Rollcall;
use Throwable;

/**
 * Receives Rollcall's webhooks, and dispatches an event of Laravel for each that is about a user.
 *
 * Rollcall delivers at least once, and Laravel's events are dispatched once: the cache knows those that
 * were. An event that a listener fails on is not one of them, so that Rollcall's next attempt brings it
 * to all its listeners again.
 */
final class WebhookController
{
    /** For how many seconds an event belongs to the request that dispatches it, should that one die. */
    private const CLAIM_SECONDS = 60;

    public function __construct(
        private readonly Dispatcher $dispatcher,
        private readonly ExceptionHandler $exceptions,
    ) {
    }

    /**
     * Answers 204, or what makes Rollcall try again: 500 when a listener failed, 503 while another request
     * dispatches the same event.
     */
    public function __invoke(Request $request): Response
    {
        if (! $this->isSigned($request)) {
            return new Response('The signature is not the one of this app.', 401);
        }
        $body = json_decode($request->getContent(), true);
        if (! is_array($body) || ! is_array($body['events'] ?? null)) {
            return new Response('The body is not a webhook.', 400);
        }
        $status = 204;
        foreach ($body['events'] as $event) {
            if (is_array($event)) {
                $status = max($status, $this->take($event, $body['time_ms'] ?? null));
            }
        }

        return new Response('', $status);
    }

    /**
     * Whether the request is signed by the app of the settings. Nothing is, while they have no secret.
     */
    private function isSigned(Request $request): bool
    {
        $key = (string) config('rollcall.app_key');
        $secret = (string) config('rollcall.app_secret');
        if ($key === '' || $secret === '') {
            return false;
        }
        $signature = hash_hmac('sha256', $request->getContent(), $secret);
        $isKey = hash_equals($key, (string) $request->header('X-Pusher-Key'));

        return hash_equals($signature, (string) $request->header('X-Pusher-Signature')) && $isKey;
    }

    /**
     * @param array<string, mixed> $event
     * @param mixed $sentAt `time_ms` of the request, which stands in where a server gives events no time
     * @return int the status of the answer, as far as it is about this event
     */
    private function take(array $event, mixed $sentAt): int
    {
        $milliseconds = $event['time_ms'] ?? $sentAt;
        if (! is_int($milliseconds) || $this->isTooOld($milliseconds)) {
            return 204;
        }
        $dispatched = $this->dispatchedFor($event, CarbonImmutable::createFromTimestampMs($milliseconds));
        if ($dispatched === null) {
            return 204;
        }
        $cache = Rollcall::cache();
        $key = $this->keyOf($event, $milliseconds);
        if (! $cache->add($key, 'running', self::CLAIM_SECONDS)) {
            return $cache->get($key) === 'done' ? 204 : 503;
        }
        Rollcall::forget($dispatched->id);
        try {
            $this->dispatcher->dispatch($dispatched);
        } catch (Throwable $error) {
            $cache->forget($key);
            $this->exceptions->report($error);

            return 500;
        }
        $cache->put($key, 'done', Rollcall::onceSeconds());

        return 204;
    }

    /**
     * What the cache knows an event by: when it happened, and what. A further delivery has the same, whatever
     * fields the webhook asks for by then.
     *
     * @param array<string, mixed> $event
     */
    private function keyOf(array $event, int $milliseconds): string
    {
        $info = $event['name'] === 'member_updated' ? $event['user_info'] ?? null : null;
        ['name' => $name, 'channel' => $channel, 'user_id' => $id] = $event;
        $parts = [config('rollcall.app_id'), $channel, $id, $name, $milliseconds, $info];

        return 'rollcall:event:' . hash('sha256', json_encode($parts, JSON_THROW_ON_ERROR));
    }

    /**
     * Whether the cache may have forgotten the event: a request that someone recorded is of no use then.
     */
    private function isTooOld(int $milliseconds): bool
    {
        return $milliseconds < (time() - Rollcall::onceSeconds()) * 1000;
    }

    /**
     * The event of Laravel; null for what is not about a user of the channel.
     *
     * @param array<string, mixed> $event
     */
    private function dispatchedFor(
        array $event,
        CarbonImmutable $at,
    ): UserCameOnline|UserWentOffline|UserUpdated|null {
        $id = $event['user_id'] ?? null;
        $channel = $event['channel'] ?? null;
        if (! is_string($id) || ! is_string($channel) || $channel !== config('rollcall.channel')) {
            return null;
        }
        $info = $event['user_info'] ?? null;

        return match ($event['name'] ?? null) {
            'member_added' => new UserCameOnline($id, $channel, $at, $info),
            'member_removed' => new UserWentOffline(
                $id,
                $channel,
                $at,
                isset($event['seconds']) ? (int) $event['seconds'] : null,
                isset($event['reason']) ? (string) $event['reason'] : null,
                $info,
            ),
            'member_updated' => new UserUpdated($id, $channel, $at, $info),
            default => null,
        };
    }
}
