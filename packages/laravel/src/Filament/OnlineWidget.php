<?php

declare(strict_types=1);

namespace Rollcall\Laravel\Filament;

use Filament\Widgets\StatsOverviewWidget;
use Filament\Widgets\StatsOverviewWidget\Stat;
use Illuminate\Http\Client\HttpClientException;
use Rollcall\Laravel\Rollcall;

/**
 * How many are online and active, users and guests apart, for a dashboard of Filament.
 */
final class OnlineWidget extends StatsOverviewWidget
{
    /**
     * @return array<Stat>
     */
    protected function getStats(): array
    {
        try {
            $online = Rollcall::online(['limit' => 1]);
        } catch (HttpClientException $error) {
            report($error);

            return [Stat::make('Online', '–')->description('Rollcall cannot be asked')];
        }
        $stats = [
            Stat::make('Online', number_format($online['users']))
                ->description(Rollcall::noteOf($online) ?? Rollcall::apartOf($online)),
        ];
        if ($online['active'] !== null) {
            $stats[] = Stat::make('Active', number_format($online['active']));
        }
        $stats[] = Stat::make('Connections', number_format($online['connections']));

        return $stats;
    }
}
