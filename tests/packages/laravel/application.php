<?php

declare(strict_types=1);

/**
 * A Laravel app that has the package, for the tests, in the folder `APP_FOLDER`. Called on the command
 * line it is `artisan`, for PHP's own server the front controller, and PHPUnit gets the app. `LARAVEL` lists
 * what loads the framework.
 */

namespace {
    // Debian's release of Laravel is older than its PHP.
    error_reporting(E_ALL & ~E_DEPRECATED);
    $root = dirname(__DIR__, 3);
    foreach (explode(':', getenv('LARAVEL') ?: "{$root}/packages/laravel/vendor/autoload.php") as $file) {
        require_once $file;
    }
    require_once "{$root}/tests/fixtures/guides/laravel/pusher.php";

    /** What Composer makes of the manifest: where classes are, and which provider Laravel discovers. */
    $manifest = json_decode((string) file_get_contents("{$root}/packages/laravel/composer.json"), true);
    spl_autoload_register(function (string $class) use ($manifest, $root): void {
        foreach ($manifest['autoload']['psr-4'] as $prefix => $folder) {
            $path = str_replace('\\', '/', substr($class, strlen($prefix)));
            $file = "{$root}/packages/laravel/{$folder}{$path}.php";
            if (str_starts_with($class, $prefix) && is_file($file)) {
                require $file;
            }
        }
    });
}

namespace App\Models {
    use Illuminate\Foundation\Auth\User as Authenticatable;
    use Rollcall\Laravel\HasPresence;

    final class User extends Authenticatable
    {
        use HasPresence;

        /** @var list<string> */
        protected $guarded = [];

        /** @var string */
        protected $keyType = 'string';

        /** @var bool */
        public $incrementing = false;

        public static function named(string $id): self
        {
            return new self(['id' => $id, 'name' => ucfirst($id), 'email' => "{$id}@example.com"]);
        }
    }
}

/** Fakes of what the widgets extend, which Debian does not have. */

namespace Filament\Widgets {
    abstract class StatsOverviewWidget
    {
        abstract protected function getStats(): array;
    }
}

namespace Filament\Widgets\StatsOverviewWidget {
    final class Stat
    {
        public ?string $description = null;

        private function __construct(public readonly string $label, public readonly string $value)
        {
        }

        public static function make(string $label, string $value): self
        {
            return new self($label, $value);
        }

        public function description(?string $text): self
        {
            $this->description = $text;

            return $this;
        }
    }
}

namespace Laravel\Pulse\Livewire {
    abstract class Card
    {
    }
}

namespace {
    use App\Models\User;
    use Filament\Widgets\StatsOverviewWidget\Stat;
    use Illuminate\Contracts\Console\Kernel as ConsoleKernel;
    use Illuminate\Contracts\Debug\ExceptionHandler;
    use Illuminate\Contracts\Http\Kernel as HttpKernel;
    use Illuminate\Foundation\Application;
    use Illuminate\Foundation\Bootstrap\LoadConfiguration;
    use Illuminate\Foundation\Bootstrap\RegisterProviders;
    use Illuminate\Http\Request;
    use Illuminate\Support\Facades\Artisan;
    use Illuminate\Support\Facades\Auth;
    use Illuminate\Support\Facades\Blade;
    use Illuminate\Support\Facades\Broadcast;
    use Illuminate\Support\Facades\Event;
    use Illuminate\Support\Facades\Route;
    use Illuminate\Support\Facades\View;
    use Rollcall\Laravel\Events\UserBecameIdle;
    use Rollcall\Laravel\Events\UserCameOnline;
    use Rollcall\Laravel\Events\UserUpdated;
    use Rollcall\Laravel\Events\UserWentOffline;
    use Rollcall\Laravel\Filament\OnlineWidget;
    use Rollcall\Laravel\Rollcall;

    $folder = (string) getenv('APP_FOLDER');
    $app = new Application($folder);
    $app->singleton(HttpKernel::class, Illuminate\Foundation\Http\Kernel::class);
    $app->singleton(ConsoleKernel::class, Illuminate\Foundation\Console\Kernel::class);
    $app->singleton(ExceptionHandler::class, Illuminate\Foundation\Exceptions\Handler::class);
    $app->afterBootstrapping(LoadConfiguration::class, function (Application $app) use ($manifest, $folder): void {
        $providers = array_filter([
            Illuminate\Auth\AuthServiceProvider::class,
            Illuminate\Broadcasting\BroadcastServiceProvider::class,
            Illuminate\Cache\CacheServiceProvider::class,
            Illuminate\Database\DatabaseServiceProvider::class,
            Illuminate\Encryption\EncryptionServiceProvider::class,
            Illuminate\Filesystem\FilesystemServiceProvider::class,
            Illuminate\Foundation\Providers\ConsoleSupportServiceProvider::class,
            Illuminate\Foundation\Providers\FoundationServiceProvider::class,
            Illuminate\Queue\QueueServiceProvider::class,
            Illuminate\Session\SessionServiceProvider::class,
            Illuminate\Translation\TranslationServiceProvider::class,
            Illuminate\View\ViewServiceProvider::class,
            ...$manifest['extra']['laravel']['providers'],
        ], 'class_exists');
        $app['config']->set([
            'app.providers' => $providers,
            'app.aliases' => $manifest['extra']['laravel']['aliases'],
            'app.debug' => true,
            'app.key' => str_repeat('k', 32),
            'app.cipher' => 'AES-256-CBC',
            'app.locale' => 'en',
            'app.url' => 'https://app.example.com',
            'auth.defaults.guard' => 'query',
            'auth.guards.query' => ['driver' => 'query'],
            'broadcasting.default' => env('BROADCAST_CONNECTION', 'null'),
            'broadcasting.connections.pusher' => [
                'driver' => 'pusher',
                'key' => env('PUSHER_APP_KEY'),
                'secret' => env('PUSHER_APP_SECRET'),
                'app_id' => env('PUSHER_APP_ID'),
                'options' => ['host' => env('PUSHER_HOST'), 'port' => env('PUSHER_PORT')],
            ],
            'broadcasting.connections.log' => ['driver' => 'null'],
            'broadcasting.connections.reverb' => ['driver' => 'null'],
            'cache.default' => 'file',
            'cache.stores.file' => ['driver' => 'file', 'path' => "{$folder}/storage/cache"],
            'logging.default' => 'single',
            'logging.channels.single' => ['driver' => 'single', 'path' => "{$folder}/storage/laravel.log"],
            'view.paths' => ["{$folder}/resources/views"],
            'view.compiled' => "{$folder}/storage/views",
        ]);
    });
    $app->afterBootstrapping(RegisterProviders::class, fn () => Auth::viaRequest(
        'query',
        fn (Request $request): ?User => $request->query('user') ? User::named($request->query('user')) : null,
    ));
    $livewire = new class {
        /** @var array<string, class-string> */
        public array $components = [];

        public function component(string $name, string $class): void
        {
            $this->components[$name] = $class;
        }
    };
    $app->singleton('livewire', fn () => $livewire);
    $app->booted(function () use ($app, $folder): void {
        foreach ([UserCameOnline::class, UserWentOffline::class, UserUpdated::class, UserBecameIdle::class] as $name) {
            Event::listen($name, function (object $event) use ($folder): void {
                $line = json_encode(['event' => class_basename($event), ...get_object_vars($event)]);
                file_put_contents("{$folder}/storage/events.jsonl", "{$line}\n", FILE_APPEND | LOCK_EX);
            });
        }
        Broadcast::routes(['middleware' => []]);
        if (is_file("{$folder}/routes/channels.php")) {
            require "{$folder}/routes/channels.php";
        }
        Route::get('/page', fn (Request $request) => Blade::render(
            '@foreach ($users as $user) @online($user) {{ $user->name }} is online. @else {{ $user->name }} is away. '
                . '@endonline @endforeach',
            ['users' => array_map(User::named(...), (array) $request->query('users'))],
        ));
        Route::get('/crowd', fn (Request $request) => array_values(
            Rollcall::statuses(range(1, (int) $request->query('users'))),
        ));
        Route::get('/widget', function (): array {
            $stats = (fn (): array => $this->getStats())->call(new OnlineWidget());

            return array_map(fn (Stat $stat): array => [$stat->label, $stat->value, $stat->description], $stats);
        });
        Route::get('/card', function () use ($app, $folder): string {
            View::addNamespace('pulse', "{$folder}/resources/views/vendor/pulse");
            $class = $app['livewire']->components['rollcall.online'];
            $public = ['cols' => 4, 'rows' => 1, 'class' => '', 'expand' => false];

            return (new $class())->render()->with($public)->render();
        });
        Artisan::command('app:environment', fn () => $this->line((string) json_encode($_ENV)));
    });

    if (class_exists(PHPUnit\Framework\TestCase::class, false)) {
        return $app;
    }
    if (PHP_SAPI !== 'cli') {
        $app->make(HttpKernel::class)->handle(Request::capture())->send();

        return;
    }
    exit($app->make(ConsoleKernel::class)->handle(
        new Symfony\Component\Console\Input\ArgvInput(),
        new Symfony\Component\Console\Output\ConsoleOutput(),
    ));
}
