<?php

declare(strict_types=1);

namespace Rollcall\Laravel\Console;

use Illuminate\Console\Command;

/**
 * Sets an app up for Rollcall: the values in `.env`, who may join in `routes/channels.php`, and the scripts
 * for Echo and `@rollcall/client`. It only adds what is missing, and names what is there with another
 * value: run it as often as you like.
 */
final class InstallCommand extends Command
{
    /** @var string */
    protected $signature = 'rollcall:install
        {--url= : Where Rollcall is, such as https://rollcall.example.com}
        {--app-id= : The ID of the app, as Rollcall has it}
        {--app-key= : Its key}
        {--app-secret= : Its secret}
        {--token= : An API token of Rollcall}
        {--broadcaster= : pusher or reverb; the one that .env has, or pusher}';

    /** @var string */
    protected $description = 'Connect this app to Rollcall; changes nothing that is there';

    /** @var list<string> what is left to do by hand */
    private array $left = [];

    public function handle(): int
    {
        $environment = $this->read($this->laravel->basePath('.env')) ?? '';
        $broadcaster = $this->option('broadcaster')
            ?? (self::valueIn($environment, 'BROADCAST_CONNECTION') === 'reverb' ? 'reverb' : 'pusher');
        if (! in_array($broadcaster, ['pusher', 'reverb'], true)) {
            $this->error('The broadcaster is pusher or reverb.');

            return self::INVALID;
        }
        $prefix = strtoupper($broadcaster);
        $url = $this->given('url', $environment, 'ROLLCALL_URL', 'Where is Rollcall?');
        $address = $url === null ? [] : parse_url($url);
        if ($address === false || ($url !== null && ! preg_match('#^https?://[^/\s]+#', $url))) {
            $this->error('The URL is not one, such as https://rollcall.example.com.');

            return self::INVALID;
        }
        $entries = $this->entries($environment, $broadcaster, $prefix, $url, $address);
        if (! str_starts_with($entries['ROLLCALL_TOKEN'] ?? 'rollcall_', 'rollcall_')) {
            $this->error('The API token is none: it begins with rollcall_.');

            return self::INVALID;
        }
        $this->writeEnvironment($environment, $entries);
        $this->writeChannel();
        $this->loadChannels();
        $this->writeScripts($broadcaster, $prefix, rtrim($address['path'] ?? '', '/'));
        $this->sayWhatIsLeft();

        return self::SUCCESS;
    }

    /**
     * The entries of `.env`, in order; null for a value that is not known.
     *
     * @param array<string, mixed> $address the parts of the URL
     * @return array<string, string|null>
     */
    private function entries(
        string $environment,
        string $broadcaster,
        string $prefix,
        ?string $url,
        array $address,
    ): array {
        $scheme = $address['scheme'] ?? null;
        $port = $scheme === null ? null : (string) ($address['port'] ?? ($scheme === 'https' ? 443 : 80));
        $ask = fn (string $option, string $name, string $question): ?string =>
            $this->given($option, $environment, $name, $question);
        $entries = [
            'ROLLCALL_URL' => $url,
            'ROLLCALL_TOKEN' => $ask('token', 'ROLLCALL_TOKEN', 'An API token of Rollcall'),
            'BROADCAST_CONNECTION' => $broadcaster,
            "{$prefix}_APP_ID" => $ask('app-id', "{$prefix}_APP_ID", 'The ID of the app'),
            "{$prefix}_APP_KEY" => $ask('app-key', "{$prefix}_APP_KEY", 'Its key'),
            "{$prefix}_APP_SECRET" => $ask('app-secret', "{$prefix}_APP_SECRET", 'Its secret'),
            "{$prefix}_HOST" => $address['host'] ?? null,
            "{$prefix}_PORT" => $port,
            "{$prefix}_SCHEME" => $scheme,
        ];
        if ($broadcaster === 'pusher') {
            $entries['PUSHER_APP_CLUSTER'] = 'self';
        }
        foreach (['APP_KEY', 'HOST', 'PORT', 'SCHEME'] as $name) {
            $entries["VITE_{$prefix}_{$name}"] = "\${{$prefix}_{$name}}";
        }

        return $entries;
    }

    /**
     * A value from an option, from `.env` or, where someone is there to answer, from a question.
     */
    private function given(string $option, string $environment, string $name, string $question): ?string
    {
        $value = $this->option($option) ?? self::valueIn($environment, $name);
        if (($value === null || $value === '') && $this->input->isInteractive()) {
            $isSecret = in_array($option, ['app-secret', 'token'], true);
            $value = $isSecret ? $this->secret($question) : $this->ask($question);
        }

        return $value === null || $value === '' ? null : (string) $value;
    }

    /**
     * Adds the entries that `.env` does not have.
     *
     * @param array<string, string|null> $entries
     */
    private function writeEnvironment(string $environment, array $entries): void
    {
        $lines = [];
        foreach ($entries as $name => $value) {
            $present = self::valueIn($environment, $name);
            if ($present === null && $value !== null) {
                // Vite's entries refer to others.
                $lines[] = "{$name}=" . (str_starts_with($name, 'VITE_') ? "\"{$value}\"" : self::quoted($value));
            } elseif ($present === null) {
                $this->left[] = "Set {$name} in .env.";
            } elseif ($value !== null && $present !== $value) {
                $isSecret = str_ends_with($name, '_SECRET') || str_ends_with($name, '_TOKEN');
                $wanted = $isSecret ? 'the value that Rollcall has' : self::quoted($value);
                $this->left[] = ".env has another {$name}: set it to {$wanted}.";
            } elseif ($present === '') {
                $this->left[] = "Set {$name} in .env, where it is empty.";
            }
        }
        $this->append('.env', $lines === [] ? '' : implode("\n", ['# Rollcall', ...$lines]) . "\n");
    }

    /**
     * Says in `routes/channels.php` who may join.
     */
    private function writeChannel(): void
    {
        $name = substr((string) config('rollcall.channel'), strlen('presence-'));
        $file = 'routes/channels.php';
        $text = $this->read($this->laravel->basePath($file));
        if ($text !== null && preg_match("/channel\\(\\s*['\"]" . preg_quote($name, '/') . "['\"]/", $text)) {
            return;
        }
        $import = 'use Illuminate\Support\Facades\Broadcast;';
        $isShort = $text === null || str_contains($text, $import);
        $facade = $isShort ? 'Broadcast' : '\Illuminate\Support\Facades\Broadcast';
        $channel = <<<PHP
            {$facade}::channel('{$name}', fn (\$user) => [
                'id' => \$user->getAuthIdentifierForBroadcasting(),
                // Only Rollcall's admins see this.
                'rollcall' => ['name' => \$user->name, 'detail' => \$user->email],
            ]);

            PHP;
        $this->append($file, $text === null ? "<?php\n\n{$import}\n\n{$channel}" : $channel);
    }

    /**
     * Has `bootstrap/app.php` load `routes/channels.php`, as `install:broadcasting` of Laravel does. Apps
     * without `withRouting` have a service provider for it.
     */
    private function loadChannels(): void
    {
        $path = $this->laravel->bootstrapPath('app.php');
        $text = $this->read($path);
        if ($text === null || ! str_contains($text, '->withRouting(')) {
            return;
        }
        if (preg_match('#^(?!\s*//).*\bchannels:|->withBroadcasting\(#m', $text)) {
            return;
        }
        $line = "        channels: __DIR__.'/../routes/channels.php',";
        $changed = preg_replace('#->withRouting\(\R#', "$0{$line}\n", $text, 1);
        if ($changed === $text) {
            $this->left[] = "Add channels: __DIR__.'/../routes/channels.php' to withRouting in bootstrap/app.php.";

            return;
        }
        file_put_contents($path, $changed, LOCK_EX);
        $this->line('bootstrap/app.php: loads routes/channels.php.');
    }

    /**
     * Makes the scripts for Echo and `@rollcall/client`, and imports them in the script of all pages.
     */
    private function writeScripts(string $broadcaster, string $prefix, string $path): void
    {
        $name = substr((string) config('rollcall.channel'), strlen('presence-'));
        $cluster = $broadcaster === 'pusher' ? "  cluster: \"self\",\n" : '';
        $wsPath = $path === '' ? '' : '  wsPath: ' . json_encode($path, JSON_UNESCAPED_SLASHES) . ",\n";
        $this->create('resources/js/echo.js', <<<JS
            import Echo from "laravel-echo";
            import Pusher from "pusher-js";
            window.Pusher = Pusher;

            window.Echo = new Echo({
              broadcaster: "{$broadcaster}",
              key: import.meta.env.VITE_{$prefix}_APP_KEY,
            {$cluster}  wsHost: import.meta.env.VITE_{$prefix}_HOST,
              wsPort: import.meta.env.VITE_{$prefix}_PORT ?? 80,
              wssPort: import.meta.env.VITE_{$prefix}_PORT ?? 443,
            {$wsPath}  forceTLS: import.meta.env.VITE_{$prefix}_SCHEME === "https",
              enabledTransports: ["ws", "wss"],
            });

            JS);
        $this->create('resources/js/rollcall.js', <<<JS
            import "./echo";
            import { rollcall } from "@rollcall/client";

            rollcall(window.Echo).join("{$name}", { page: true, activity: true });

            JS);
        $app = $this->read($this->laravel->resourcePath('js/app.js'));
        if ($app === null) {
            $this->left[] = 'Import resources/js/rollcall.js in the script of your pages.';
        } elseif (! preg_match('#[\'"]\./rollcall(?:\.js)?[\'"]#', $app)) {
            $this->append('resources/js/app.js', "import \"./rollcall\";\n");
        }
        if ($path !== '') {
            $this->left[] = "Add 'path' => '{$path}' to the options of {$broadcaster} in config/broadcasting.php.";
        }
    }

    private function sayWhatIsLeft(): void
    {
        $this->line('');
        $this->line('Left to do:');
        $webhook = rtrim((string) config('app.url'), '/') . '/' . ltrim((string) config('rollcall.webhook_path'), '/');
        $steps = [
            ...$this->left,
            'Install the packages of the scripts: npm install laravel-echo pusher-js @rollcall/client',
            "Set WEBHOOK_URL={$webhook} in Rollcall's settings. It begins with APP_URL: is your app there?",
            'Set WEBHOOK_EVENT_TYPES=member_added,member_removed,member_updated and WEBHOOK_INCLUDE=details there too.',
        ];
        foreach ($steps as $step) {
            $this->line("- {$step}");
        }
    }

    /**
     * Makes a file that is not there.
     */
    private function create(string $file, string $text): void
    {
        if (! file_exists($this->laravel->basePath($file))) {
            $this->append($file, $text);
        }
    }

    /**
     * Adds text at the end of a file, after an empty line; makes the file if it is not there.
     */
    private function append(string $file, string $text): void
    {
        if ($text === '') {
            return;
        }
        $path = $this->laravel->basePath($file);
        $before = $this->read($path) ?? '';
        $ending = str_contains($before, "\r\n") ? "\r\n" : "\n";
        $between = $before === '' ? '' : (str_ends_with($before, "\n") ? '' : $ending);
        $isImport = str_starts_with($text, 'import "./');
        $between .= $before === '' || $isImport ? '' : $ending;
        if (! is_dir(dirname($path))) {
            mkdir(dirname($path), 0755, true);
        }
        file_put_contents($path, $between . str_replace("\n", $ending, $text), FILE_APPEND | LOCK_EX);
        $this->line($before === '' ? "{$file}: written." : "{$file}: added what was missing.");
    }

    private function read(string $path): ?string
    {
        return is_file($path) ? (string) file_get_contents($path) : null;
    }

    /**
     * The value of an entry of a `.env`, without quotes; null when it has none.
     */
    private static function valueIn(string $environment, string $name): ?string
    {
        $entry = '/^[ \t]*(?:export[ \t]+)?' . preg_quote($name, '/') . '[ \t]*=[ \t]*(.*?)[ \t\r]*$/m';
        if (! preg_match($entry, $environment, $match)) {
            return null;
        }
        if (preg_match('/^"((?:[^"\\\\]|\\\\.)*)"/', $match[1], $quoted)) {
            return preg_replace('/\\\\(["\\\\$])/', '$1', $quoted[1]);
        }

        return preg_match("/^'([^']*)'/", $match[1], $quoted) ? $quoted[1] : preg_replace('/\s+#.*/', '', $match[1]);
    }

    /**
     * A value as `.env` has it, in quotes where it needs them.
     */
    private static function quoted(string $value): string
    {
        $isPlain = (bool) preg_match('#^[\w./:\[\]-]+$#', $value);

        return $isPlain ? $value : '"' . addcslashes($value, '"\\$') . '"';
    }
}
