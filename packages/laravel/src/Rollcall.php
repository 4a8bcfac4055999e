<?php

declare(strict_types=1);

namespace Rollcall\Laravel;

use Carbon\CarbonImmutable;
use Illuminate\Contracts\Cache\Repository;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Http\Client\ConnectionException;
use Illuminate\Http\Client\HttpClientException;
use Illuminate\Http\Client\RequestException;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Http;
use InvalidArgumentException;

/**
 * Asks Rollcall who is online. A user is a model, or the ID with which the user joins.
 *
 * A status is remembered for some seconds in the cache, so that a page which asks for many users one by
 * one costs one request, if it asks for {@see statuses()} of all of them first. While Rollcall cannot be
 * reached, no further page waits for it within these seconds.
 *
 * @phpstan-type Status array{
 *     id: string, online: bool, status: 'active'|'idle'|null, online_since: CarbonImmutable|null,
 *     last_seen: CarbonImmutable|null, as_of: CarbonImmutable, state: 'live'|'recovering'|'stale'
 * }
 * @phpstan-type Person array{
 *     id: string, app: string, online_since: CarbonImmutable, connections: int,
 *     status: 'active'|'idle'|null, idle_since: CarbonImmutable|null, device: string|null,
 *     name?: string, detail?: string|null, url?: string|null, page?: string|null
 * }
 */
final class Rollcall
{
    /** The most people of whom one request asks. */
    private const MOST_PEOPLE = 1000;

    /** The fields of an answer that are times. */
    private const TIMES = ['as_of', 'online_since', 'idle_since', 'last_seen'];

    /**
     * Whether a user is online; false where the {@see status()} is not known.
     */
    public static function isOnline(mixed $user): bool
    {
        return self::status($user)['online'] ?? false;
    }

    /**
     * Whether a user is online and uses no tab; false where it is not known.
     */
    public static function isIdle(mixed $user): bool
    {
        return (self::status($user)['status'] ?? null) === 'idle';
    }

    /**
     * What is known of a user, for a page, which an error must not end: it is reported as one of the app,
     * and not again while no further page waits.
     *
     * @return Status|null null for null, as for a guest, and while Rollcall cannot be asked
     */
    public static function status(mixed $user): ?array
    {
        if ($user === null || $user === '') {
            return null;
        }
        $id = self::idOf($user);
        $isKnown = self::isPaused();
        try {
            return self::statuses([$id])[$id] ?? null;
        } catch (HttpClientException $error) {
            if (! $isKnown) {
                app(ExceptionHandler::class)->report($error);
            }

            return null;
        }
    }

    /**
     * When each of these users was online last, by ID; null when it is not known.
     *
     * @param iterable<mixed> $users
     * @return array<array-key, CarbonImmutable|null>
     * @throws HttpClientException when Rollcall cannot be reached, or refuses
     */
    public static function lastSeen(iterable $users): array
    {
        return array_map(fn (array $status) => $status['last_seen'], self::statuses($users));
    }

    /**
     * What is known of each of these users, by ID.
     *
     * @param iterable<mixed> $users
     * @return array<array-key, Status>
     * @throws HttpClientException when Rollcall cannot be reached, or refuses
     */
    public static function statuses(iterable $users): array
    {
        $keys = [];
        foreach ($users as $user) {
            $id = self::idOf($user);
            $keys[$id] = self::keyOf($id);
        }
        $found = self::remembers() && $keys !== [] ? self::cache()->getMultiple(array_values($keys)) : [];
        $statuses = [];
        foreach ($keys as $id => $key) {
            $statuses[$id] = $found[$key] ?? null;
        }
        $missing = array_map('strval', array_keys($statuses, null, true));
        foreach (array_chunk($missing, self::MOST_PEOPLE) as $ids) {
            foreach (self::ask($ids) as $status) {
                $statuses[$status['id']] = $status;
            }
        }

        return array_map(self::withTimes(...), array_filter($statuses));
    }

    /**
     * How many are online, and who: the first page of them, or the one that `after` leads to, which is
     * `next` of the page before. With `q`, `status` (`active` or `idle`), `page` and `limit`.
     *
     * @param array<string, scalar> $query
     * @return array{
     *     as_of: CarbonImmutable, state: 'live'|'recovering'|'stale', users: int, active: int|null,
     *     connections: int, people?: list<Person>, next?: string|null
     * }
     * @throws HttpClientException when Rollcall cannot be reached, or refuses
     */
    public static function online(array $query = []): array
    {
        $answer = self::withTimes(self::call('get', 'online', $query));
        if (isset($answer['people'])) {
            $answer['people'] = array_map(self::withTimes(...), $answer['people']);
        }

        return $answer;
    }

    /**
     * The users online, one after another, from as many requests as it takes.
     *
     * @param array<string, scalar> $query as {@see online()} takes it
     * @return iterable<Person>
     * @throws HttpClientException when Rollcall cannot be reached, or refuses
     */
    public static function people(array $query = []): iterable
    {
        $query += ['limit' => self::MOST_PEOPLE];
        do {
            $answer = self::online($query);
            foreach ($answer['people'] ?? [] as $person) {
                yield $person;
            }
            $query['after'] = $answer['next'] ?? null;
        } while ($query['after'] !== null);
    }

    /**
     * What has to be said beside the numbers of an answer; null while they are exact.
     *
     * @param array{as_of: CarbonImmutable, state: string} $answer
     */
    public static function noteOf(array $answer): ?string
    {
        return match ($answer['state']) {
            'recovering' => 'Some are still coming back',
            'stale' => "Not updating since {$answer['as_of']->toTimeString('minute')} UTC",
            default => null,
        };
    }

    /**
     * Users and guests of an answer apart, as "31 users, 204 guests"; null while no one is a guest.
     *
     * @param array{users: int, guests?: int} $answer
     */
    public static function apartOf(array $answer): ?string
    {
        $guests = $answer['guests'] ?? 0;
        if ($guests === 0) {
            return null;
        }
        $users = $answer['users'] - $guests;
        $count = fn (int $count, string $noun): string => number_format($count)." {$noun}".($count === 1 ? '' : 's');

        return "{$count($users, 'user')}, {$count($guests, 'guest')}";
    }

    /**
     * Forgets the status of a user, so that the next call asks for it.
     */
    public static function forget(mixed $user): void
    {
        self::cache()->forget(self::keyOf(self::idOf($user)));
    }

    /**
     * The ID with which a user joins.
     *
     * @throws InvalidArgumentException for what is neither a user nor an ID
     */
    public static function idOf(mixed $user): string
    {
        $id = match (true) {
            ! is_object($user) => $user,
            method_exists($user, 'rollcallId') => $user->rollcallId(),
            method_exists($user, 'getAuthIdentifierForBroadcasting') => $user->getAuthIdentifierForBroadcasting(),
            default => null,
        };
        if (! is_int($id) && (! is_string($id) || $id === '')) {
            throw new InvalidArgumentException('Pass a user, or the ID with which the user joins.');
        }

        return (string) $id;
    }

    /**
     * The cache that statuses and events are kept in.
     */
    public static function cache(): Repository
    {
        return Cache::store(config('rollcall.cache_store'));
    }

    /**
     * For how many seconds an event is known that was dispatched.
     */
    public static function onceSeconds(): int
    {
        return max(600, (int) config('rollcall.once_seconds'));
    }

    /**
     * Asks for people, and remembers what is answered.
     *
     * @param list<string> $ids
     * @return list<array<string, mixed>> with times as texts, as the cache has them too
     */
    private static function ask(array $ids): array
    {
        $answer = self::call('post', 'people/status', ['ids' => $ids]);
        $head = ['as_of' => $answer['as_of'], 'state' => $answer['state']];
        $statuses = array_map(fn (array $person) => $person + $head, $answer['people'] ?? []);
        if (self::remembers()) {
            $values = array_combine(array_map(self::keyOf(...), array_column($statuses, 'id')), $statuses);
            self::cache()->setMultiple($values, self::rememberSeconds());
        }

        return $statuses;
    }

    /**
     * Calls Rollcall's API.
     *
     * @param array<string, mixed> $input the parameters, or the fields of the body
     * @return array<string, mixed>
     * @throws ConnectionException when there is no answer, or was none some seconds ago
     * @throws RequestException when the answer is an error, with the API's message
     */
    private static function call(string $method, string $path, array $input): array
    {
        $url = rtrim((string) config('rollcall.url'), '/');
        if ($url === '') {
            throw new ConnectionException('Set ROLLCALL_URL to where Rollcall is.');
        }
        if (self::isPaused()) {
            throw new ConnectionException("Rollcall could not be asked at {$url} a moment ago.");
        }
        $place = ['app' => config('rollcall.app_id'), 'channel' => config('rollcall.channel')];
        $isGiven = fn (mixed $value): bool => $value !== null && $value !== '';
        try {
            $answer = Http::baseUrl("{$url}/api/v1")
                ->withToken((string) config('rollcall.token'))
                ->acceptJson()
                ->timeout((int) config('rollcall.timeout_seconds'))
                ->{$method}($path, array_filter([...$place, ...$input], $isGiven))
                ->throw()
                ->json();
            if (! isset($answer['as_of'], $answer['state'])) {
                throw new ConnectionException("What answers at {$url} is not Rollcall.");
            }

            return $answer;
        } catch (HttpClientException $error) {
            self::pauseAfter($error);
            throw $error;
        }
    }

    /**
     * Whether Rollcall could not be asked some seconds ago.
     */
    private static function isPaused(): bool
    {
        return self::remembers() && self::cache()->has(self::pauseKey());
    }

    /**
     * Asks no more for some seconds, unless the error is about this call alone.
     */
    private static function pauseAfter(HttpClientException $error): void
    {
        $status = $error instanceof RequestException ? $error->response->status() : 0;
        if (self::remembers() && ($status === 0 || $status === 401 || $status === 429 || $status >= 500)) {
            self::cache()->put(self::pauseKey(), true, self::rememberSeconds());
        }
    }

    private static function pauseKey(): string
    {
        return 'rollcall:pause:' . hash('sha256', (string) config('rollcall.url'));
    }

    /**
     * @param array<string, mixed> $values
     * @return array<string, mixed> with times in the place of their texts
     */
    private static function withTimes(array $values): array
    {
        foreach (self::TIMES as $name) {
            if (isset($values[$name])) {
                $values[$name] = CarbonImmutable::parse($values[$name]);
            }
        }

        return $values;
    }

    private static function keyOf(int|string $id): string
    {
        $place = [config('rollcall.app_id'), config('rollcall.channel'), (string) $id];

        return 'rollcall:status:' . hash('sha256', json_encode($place, JSON_THROW_ON_ERROR));
    }

    private static function remembers(): bool
    {
        return self::rememberSeconds() > 0;
    }

    private static function rememberSeconds(): int
    {
        return (int) config('rollcall.remember_seconds');
    }
}
