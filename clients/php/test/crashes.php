<?php

/**
 * Kills the program at step number CRASH_AT: before and after each file operation, request and statement, and in the middle
 * of a write. Functions of the library's namespace take the place of PHP's own.
 */

declare(strict_types=1);

namespace Keyport\Internal {
    function step(): void
    {
        static $left = null;
        $left ??= (int) getenv('CRASH_AT');
        if (--$left === 0) {
            posix_kill(posix_getpid(), SIGKILL);
        }
    }

    /**
     * @template Result
     * @param callable(): Result $work
     * @return Result
     */
    function between(callable $work): mixed
    {
        step();
        $result = $work();
        step();
        return $result;
    }

    function fopen(string $file, string $mode): mixed
    {
        return between(static fn () => \fopen($file, $mode));
    }

    /** @param resource $handle */
    function fwrite($handle, string $text): int|false
    {
        step();
        $half = \fwrite($handle, substr($text, 0, intdiv(strlen($text), 2)));
        \fflush($handle);
        step();
        $rest = \fwrite($handle, substr($text, (int) $half));
        step();
        return (int) $half + (int) $rest;
    }

    /** @param resource $handle */
    function fsync($handle): bool
    {
        return between(static fn () => \fsync($handle));
    }

    function rename(string $from, string $to): bool
    {
        return between(static fn () => \rename($from, $to));
    }

    function link(string $target, string $link): bool
    {
        return between(static fn () => \link($target, $link));
    }

    function unlink(string $file): bool
    {
        return between(static fn () => \unlink($file));
    }

    function curl_exec(\CurlHandle $handle): string|bool
    {
        return between(static fn () => \curl_exec($handle));
    }
}

namespace Keyport\Test {
    use function Keyport\Internal\between;

    final class CrashingPdo extends \PDO
    {
        public function prepare(string $query, array $options = []): \PDOStatement|false
        {
            return between(fn () => parent::prepare($query, $options));
        }

        public function beginTransaction(): bool
        {
            return between(fn () => parent::beginTransaction());
        }

        public function commit(): bool
        {
            return between(fn () => parent::commit());
        }
    }
}
