<?php

declare(strict_types=1);

namespace Keyport\Internal;

/**
 * After a crash or power cut, a file has its old or new content.
 *
 * @internal
 */
final class Files
{
    public static function replace(string $file, string $text): void
    {
        $part = self::writePart($file, $text);
        if (!@rename($part, $file)) {
            @unlink($part);
            throw new \RuntimeException("$file could not be written.");
        }
        self::syncFolder($file);
    }

    /** False if the file exists. */
    public static function create(string $file, string $text): bool
    {
        $part = self::writePart($file, $text);
        // Unlike a rename, a link never replaces the file of another process.
        $isCreated = @link($part, $file);
        @unlink($part);
        if (!$isCreated && !file_exists($file)) {
            throw new \RuntimeException("$file could not be created: its folder must exist and be on a file system with hard links.");
        }
        self::syncFolder($file);
        return $isCreated;
    }

    public static function remove(string $file): void
    {
        if (!@unlink($file) && file_exists($file)) {
            throw new \RuntimeException("$file could not be removed.");
        }
        self::syncFolder($file);
    }

    private static function writePart(string $file, string $text): string
    {
        $part = $file . '.' . bin2hex(random_bytes(8)) . '.tmp';
        $mask = umask(0o077);
        $handle = @fopen($part, 'x');
        umask($mask);
        if ($handle === false) {
            throw new \RuntimeException("$part could not be created. Does its folder exist, and may this program write there?");
        }
        $isWritten = fwrite($handle, $text) === strlen($text) && fflush($handle) && fsync($handle);
        fclose($handle);
        if (!$isWritten) {
            @unlink($part);
            throw new \RuntimeException("$part could not be written completely. Is the disk full?");
        }
        return $part;
    }

    /** Makes the file's name durable where the system lets a program open a folder. */
    private static function syncFolder(string $file): void
    {
        $folder = @fopen(dirname($file), 'r');
        if ($folder !== false) {
            @fsync($folder);
            fclose($folder);
        }
    }
}
