<?php

declare(strict_types=1);

namespace Rollcall\Laravel\Pulse;

use Illuminate\Contracts\Support\Renderable;
use Illuminate\Http\Client\HttpClientException;
use Illuminate\Support\Facades\View;
use Laravel\Pulse\Livewire\Card;
use Livewire\Attributes\Lazy;
use Rollcall\Laravel\Rollcall;

/**
 * How many are online, users and guests apart, and who, for a dashboard of Pulse:
 * `<livewire:rollcall.online cols="4" />`.
 */
#[Lazy]
final class OnlineCard extends Card
{
    public function render(): Renderable
    {
        try {
            $online = Rollcall::online(['limit' => 100]);
        } catch (HttpClientException $error) {
            report($error);
            $online = null;
        }

        $note = $online === null ? null : Rollcall::noteOf($online);
        $apart = $online === null ? null : Rollcall::apartOf($online);

        return View::make('rollcall::pulse', ['online' => $online, 'note' => $note, 'apart' => $apart]);
    }
}
