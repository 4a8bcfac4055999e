<x-pulse::card :cols="$cols" :rows="$rows" :class="$class">
    <x-pulse::card-header name="Online" :details="$note">
        <x-slot name="icon">
            <x-pulse::icons.computer-desktop />
        </x-slot>
    </x-pulse::card-header>

    <x-pulse::scroll :expand="$expand" wire:poll.5s="">
        @if ($online === null)
            <p class="text-sm text-gray-500 dark:text-gray-400">Rollcall cannot be asked.</p>
        @else
            <p class="text-xl font-bold text-gray-700 dark:text-gray-300 tabular-nums">
                {{ number_format($online['users']) }}
                @if ($online['active'] !== null)
                    <small class="text-sm font-medium">{{ number_format($online['active']) }} active</small>
                @endif
            </p>
            @if ($apart !== null)
                <p class="text-sm text-gray-500 dark:text-gray-400">{{ $apart }}</p>
            @endif
            <ul class="mt-3 text-sm text-gray-500 dark:text-gray-400">
                @foreach ($online['people'] ?? [] as $person)
                    <li class="truncate">
                        {{ $person['name'] ?? $person['id'] }}
                        <small>{{ $person['online_since']->diffForHumans() }}</small>
                    </li>
                @endforeach
            </ul>
        @endif
    </x-pulse::scroll>
</x-pulse::card>
