<?php

declare(strict_types=1);

namespace Rollcall\Laravel\Tests;

use App\Models\User;
use Carbon\CarbonImmutable;
use Illuminate\Contracts\Console\Kernel as ConsoleKernel;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Contracts\Http\Kernel as HttpKernel;
use Illuminate\Filesystem\Filesystem;
use Illuminate\Http\Client\RequestException;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Artisan;
use Illuminate\Support\Facades\Blade;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Event;
use PHPUnit\Framework\TestCase;
use Rollcall\Laravel\Events\UserBecameIdle;
use Rollcall\Laravel\Events\UserCameOnline;
use Rollcall\Laravel\Events\UserUpdated;
use Rollcall\Laravel\Events\UserWentOffline;
use Rollcall\Laravel\Rollcall;
use RuntimeException;

/**
 * The package in an app, beside a running Rollcall, which the variables `ROLLCALL_URL`, `ROLLCALL_TOKEN` of the
 * scope `names`, `PUSHER_APP_ID`, `PUSHER_APP_KEY` and `PUSHER_APP_SECRET` name. In `presence-chart`, Ada has been
 * idle for some minutes, Ben is online without a report of his tab, Cleo has left, and there is no one else.
 * `LARAVEL` names what loads the framework, where it is not Composer's `vendor/autoload.php`.
 */
final class PackageTest extends TestCase
{
    private const EVENTS = [UserCameOnline::class, UserUpdated::class, UserWentOffline::class, UserBecameIdle::class];

    private static Application $app;

    private static string $folder;

    /** @var array<string, mixed> what each test begins with */
    private static array $settings;

    /** @var list<object> what a listener has got */
    private array $dispatched = [];

    private bool $fails = false;

    public static function setUpBeforeClass(): void
    {
        self::$folder = sys_get_temp_dir() . '/rollcall-laravel-' . bin2hex(random_bytes(8));
        foreach (['bootstrap/cache', 'config', 'resources/views', 'storage/views'] as $path) {
            mkdir(self::$folder . "/{$path}", 0700, true);
        }
        file_put_contents(self::$folder . '/config/app.php', "<?php return [];\n");
        putenv('APP_FOLDER=' . self::$folder);
        self::$app = require dirname(__DIR__, 3) . '/tests/packages/laravel/application.php';
        self::$app->make(ConsoleKernel::class)->bootstrap();
        // A busy machine may take longer than a page should wait.
        self::$settings = ['timeout_seconds' => 100] + config('rollcall');
    }

    public static function tearDownAfterClass(): void
    {
        (new Filesystem())->deleteDirectory(self::$folder);
    }

    protected function setUp(): void
    {
        Cache::flush();
        config(['rollcall' => self::$settings]);
        foreach (self::EVENTS as $name) {
            Event::forget($name);
            Event::listen($name, function (object $event): void {
                if ($this->fails) {
                    throw new RuntimeException('The listener fails.');
                }
                $this->dispatched[] = $event;
            });
        }
    }

    public function testKnowsWhoIsOnlineByIdAndByModel(): void
    {
        $known = array_map(Rollcall::isOnline(...), ['ada', 'ben', 'cleo', 'dan', 7, null]);
        self::assertSame([true, true, false, false, false, false], $known);
        self::assertTrue(Rollcall::isOnline(User::named('ben')));
        self::assertSame([true, false, false], array_map(Rollcall::isIdle(...), ['ada', 'ben', 'cleo']));
    }

    public function testListsWhoIsOnlineByNamePageByPage(): void
    {
        $first = Rollcall::online(['limit' => 1]);
        self::assertSame(['live', 2, 2], [$first['state'], $first['users'], $first['connections']]);
        self::assertInstanceOf(CarbonImmutable::class, $first['as_of']);
        self::assertCount(1, $first['people']);
        self::assertNull(Rollcall::online(['limit' => 1, 'after' => $first['next']])['next']);
        $people = iterator_to_array(Rollcall::people(['limit' => 1]), false);
        $names = array_column($people, 'name');
        sort($names);
        self::assertSame(['Ada', 'Ben'], $names);
        self::assertContainsOnlyInstancesOf(CarbonImmutable::class, array_column($people, 'online_since'));
        self::assertSame(['ada'], array_column(Rollcall::online(['status' => 'idle'])['people'], 'id'));
    }

    public function testKnowsWhenUsersWereOnlineLast(): void
    {
        $times = Rollcall::lastSeen([User::named('ada'), 'cleo', 'dan']);
        self::assertSame(['ada', 'cleo', 'dan'], array_keys($times));
        self::assertGreaterThan(CarbonImmutable::now()->subHour(), $times['cleo']);
        self::assertGreaterThanOrEqual($times['cleo'], $times['ada'], 'Ada is online, and was as Cleo left.');
        self::assertNull($times['dan']);
    }

    public function testHasTheStatusesOfManyUsersAndRemembersThem(): void
    {
        $statuses = Rollcall::statuses(['ben', 7, User::named('cleo')]);
        self::assertEqualsCanonicalizing(['ben', 7, 'cleo'], array_keys($statuses));
        self::assertSame(['7', false, null], [$statuses[7]['id'], $statuses[7]['online'], $statuses[7]['last_seen']]);
        ['ben' => $ben, 'cleo' => $cleo] = $statuses;
        self::assertSame([true, null, 'live'], [$ben['online'], $ben['status'], $ben['state']]);
        self::assertSame([false, null], [$cleo['online'], $cleo['online_since']]);
        $times = [$ben['as_of'], $ben['online_since'], $ben['last_seen'], $cleo['last_seen']];
        self::assertContainsOnlyInstancesOf(CarbonImmutable::class, $times);

        config(['rollcall.token' => 'rollcall_' . str_repeat('x', 43)]);
        self::assertEquals($statuses, Rollcall::statuses(['ben', 7, 'cleo']), 'Nothing is asked again.');
        $this->expectException(RequestException::class);
        Rollcall::statuses(['ben', 'dan']);
    }

    public function testTellsOfAModelThatHasPresence(): void
    {
        [$ada, $ben, $cleo] = array_map(User::named(...), ['ada', 'ben', 'cleo']);
        self::assertSame(['ada', true, true], [$ada->rollcallId(), $ada->isOnline(), $ada->isIdle()]);
        self::assertSame([true, false], [$ben->isOnline(), $ben->isIdle()]);
        self::assertSame([false, false], [$cleo->isOnline(), $cleo->isIdle()]);
        self::assertEquals(Rollcall::lastSeen(['cleo'])['cleo'], $cleo->lastSeen());
        self::assertNull(User::named('dan')->lastSeen());
    }

    public function testDrawsByOnlineInBlade(): void
    {
        $template = '@online($user) {{ $user->name }} is here. @else Away. @endonline';
        $draw = fn (?User $user): string => trim(Blade::render($template, ['user' => $user]));
        self::assertSame('Ada is here.', $draw(User::named('ada')));
        self::assertSame('Away.', $draw(User::named('cleo')));
        self::assertSame('Away.', $draw(null), 'A guest is not online.');
    }

    public function testDispatchesEachEventOfAWebhookOnceAndInOrder(): void
    {
        $at = time() * 1000;
        $joined = self::event('member_added', $at, ['user_info' => ['id' => 'eve']]);
        $changed = self::event('member_updated', $at + 1, ['user_info' => ['status' => 'away']]);
        $left = self::event('member_removed', $at + 2, ['seconds' => 3, 'reason' => 'closed']);
        $others = [
            ['name' => 'channel_occupied', 'channel' => 'presence-chart', 'time_ms' => $at],
            self::event('member_added', $at, ['channel' => 'presence-other']),
        ];
        self::assertSame(204, $this->deliver(self::body([...$others, $joined, $changed, $left])));
        $dispatched = [
            new UserCameOnline('eve', 'presence-chart', CarbonImmutable::createFromTimestampMs($at), ['id' => 'eve']),
            new UserUpdated(
                'eve',
                'presence-chart',
                CarbonImmutable::createFromTimestampMs($at + 1),
                ['status' => 'away'],
            ),
            new UserWentOffline('eve', 'presence-chart', CarbonImmutable::createFromTimestampMs($at + 2), 3, 'closed'),
        ];
        self::assertEquals($dispatched, $this->dispatched);

        // Again: each alone, all in another request, and with a field more.
        foreach ([[$joined], [$left, $changed], [['joined_at' => 1] + $joined]] as $events) {
            self::assertSame(204, $this->deliver(self::body($events)));
        }
        self::assertEquals($dispatched, $this->dispatched);
        self::assertSame(204, $this->deliver(self::body([self::event('member_added', $at + 3), $joined])));
        self::assertCount(4, $this->dispatched, 'Another event of the same user is news.');
    }

    public function testHasAnEventComeAgainOnWhichAListenerFailsAndOnlyThatOne(): void
    {
        $joined = self::event('member_added', time() * 1000);
        $left = self::event('member_removed', time() * 1000);
        self::assertSame(204, $this->deliver(self::body([$joined])));
        $this->fails = true;
        self::assertSame(500, $this->deliver(self::body([$joined, $left])));
        $this->fails = false;
        self::assertSame(204, $this->deliver(self::body([$joined, $left])));
        self::assertSame(204, $this->deliver(self::body([$joined, $left])));
        self::assertSame([UserCameOnline::class, UserWentOffline::class], array_map(get_class(...), $this->dispatched));
    }

    public function testRefusesABodyThatTheAppHasNotSigned(): void
    {
        $body = self::body([self::event('member_added', time() * 1000)]);
        $signature = self::signatureOf($body);
        self::assertSame(401, $this->deliver($body, ['X-Pusher-Signature' => '']));
        self::assertSame(401, $this->deliver($body, ['X-Pusher-Signature' => substr($signature, 0, -1) . 'x']));
        self::assertSame(401, $this->deliver($body, ['X-Pusher-Key' => 'another-key']));
        self::assertSame(401, $this->deliver("{$body} ", ['X-Pusher-Signature' => $signature]));
        config(['rollcall.app_secret' => '']);
        self::assertSame(401, $this->deliver($body), 'Without a secret nothing is believed.');
        self::assertSame([], $this->dispatched);
    }

    public function testTakesForNoNewsWhatIsOldOrOfAnotherForm(): void
    {
        // So old that the cache may have forgotten it.
        $old = self::event('member_added', (time() - Rollcall::onceSeconds() - 360) * 1000);
        self::assertSame(204, $this->deliver(self::body([$old])));
        self::assertSame(204, $this->deliver(self::body([1, [], ['name' => 'member_added']])));
        foreach (['', '[]', '{"events":1}'] as $body) {
            self::assertSame(400, $this->deliver($body), $body);
        }
        self::assertSame([], $this->dispatched);
    }

    public function testDispatchesOnceThatAUserBecameIdle(): void
    {
        foreach (['1 became idle.', '0 became idle.'] as $printed) {
            Artisan::call('rollcall:idle');
            self::assertSame($printed, trim(Artisan::output()));
        }
        self::assertCount(1, $this->dispatched);
        [$idle] = $this->dispatched;
        self::assertInstanceOf(UserBecameIdle::class, $idle);
        self::assertSame(['ada', 'presence-chart'], [$idle->id, $idle->channel]);
        self::assertLessThan(CarbonImmutable::now()->subMinute(), $idle->since);
    }

    /**
     * An event about Eve, as Rollcall delivers it.
     *
     * @param array<string, mixed> $further
     * @return array<string, mixed>
     */
    private static function event(string $name, int $milliseconds, array $further = []): array
    {
        $event = ['name' => $name, 'channel' => 'presence-chart', 'user_id' => 'eve', 'time_ms' => $milliseconds];

        return $further + $event;
    }

    /** @param list<mixed> $events */
    private static function body(array $events): string
    {
        return json_encode(['time_ms' => time() * 1000, 'events' => $events], JSON_THROW_ON_ERROR);
    }

    private static function signatureOf(string $body): string
    {
        return hash_hmac('sha256', $body, (string) config('rollcall.app_secret'));
    }

    /**
     * Delivers a webhook.
     *
     * @param array<string, string> $headers
     * @return int the status of the answer
     */
    private function deliver(string $body, array $headers = []): int
    {
        $request = Request::create('/rollcall/webhook', 'POST', content: $body);
        $request->headers->add($headers + [
            'X-Pusher-Key' => (string) config('rollcall.app_key'),
            'X-Pusher-Signature' => self::signatureOf($body),
        ]);

        return self::$app->make(HttpKernel::class)->handle($request)->getStatusCode();
    }
}
