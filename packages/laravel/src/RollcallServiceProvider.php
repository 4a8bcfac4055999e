<?php

declare(strict_types=1);

namespace Rollcall\Laravel;

use Illuminate\Support\Facades\Blade;
use Illuminate\Support\Facades\Route;
use Illuminate\Support\ServiceProvider;
use Rollcall\Laravel\Console\IdleCommand;
use Rollcall\Laravel\Console\InstallCommand;
use Rollcall\Laravel\Http\WebhookController;
use Rollcall\Laravel\Pulse\OnlineCard;

/**
 * Adds the settings, the route for webhooks, the commands, `@online` and, where Pulse is, its card.
 * Filament's widget needs no registration here: a panel names its class.
 */
final class RollcallServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->mergeConfigFrom(__DIR__ . '/../config/rollcall.php', 'rollcall');
    }

    public function boot(): void
    {
        $this->loadViewsFrom(__DIR__ . '/../resources/views', 'rollcall');
        $this->addRoute();
        Blade::if('online', fn (mixed $user = null): bool => Rollcall::isOnline($user));
        if (class_exists(\Laravel\Pulse\Livewire\Card::class)) {
            $this->callAfterResolving(
                'livewire',
                fn (object $livewire) => $livewire->component('rollcall.online', OnlineCard::class),
            );
        }
        if ($this->app->runningInConsole()) {
            $this->commands([InstallCommand::class, IdleCommand::class]);
            $this->publishes([__DIR__ . '/../config/rollcall.php' => config_path('rollcall.php')], 'rollcall-config');
        }
    }

    /**
     * The route is in no group: a webhook has a signature in the place of a session and a CSRF token.
     */
    private function addRoute(): void
    {
        $path = (string) config('rollcall.webhook_path');
        if ($path === '' || ($this->app->routesAreCached())) {
            return;
        }
        Route::post($path, WebhookController::class)
            ->middleware(config('rollcall.webhook_middleware'))
            ->name('rollcall.webhook');
    }
}
