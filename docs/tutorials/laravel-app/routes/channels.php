<?php

use App\Models\User;
use Illuminate\Support\Facades\Broadcast;

Broadcast::channel('chart', fn (User $user) => [
    'id' => $user->id, // For everyone in the channel.
    'rollcall' => ['name' => $user->name, 'detail' => $user->email], // For admins only.
]);
