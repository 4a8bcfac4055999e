<?php

declare(strict_types=1);

return [
    /*
     * Where Rollcall is, such as https://rollcall.example.com, and an API token of it with the scope
     * `ids`, or `names` for the names and pages of the people online.
     */
    'url' => env('ROLLCALL_URL'),
    'token' => env('ROLLCALL_TOKEN'),

    /*
     * The app that your users join, with the values that Rollcall has too. The key and the secret
     * verify webhooks.
     */
    'app_id' => env('PUSHER_APP_ID', env('REVERB_APP_ID')),
    'app_key' => env('PUSHER_APP_KEY', env('REVERB_APP_KEY')),
    'app_secret' => env('PUSHER_APP_SECRET', env('REVERB_APP_SECRET')),

    /*
     * The presence channel whose members are your users online. Events and status are about it.
     */
    'channel' => env('ROLLCALL_CHANNEL', 'presence-chart'),

    /*
     * The route that receives webhooks. Without a path there is none.
     */
    'webhook_path' => env('ROLLCALL_WEBHOOK_PATH', 'rollcall/webhook'),
    'webhook_middleware' => [],

    /*
     * The cache store in which statuses are remembered, and the events that were dispatched. It must be
     * one that all servers and processes of your app share; null is the default store.
     */
    'cache_store' => env('ROLLCALL_CACHE_STORE'),

    /*
     * For how many seconds a status is remembered. Webhooks end it earlier; 0 asks each time.
     */
    'remember_seconds' => 5,

    /*
     * For how many seconds an event that was dispatched is known as such. Older ones are ignored.
     */
    'once_seconds' => 6 * 3600,

    /*
     * How long Rollcall may take to answer.
     */
    'timeout_seconds' => 2,
];
