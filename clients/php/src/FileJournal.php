<?php

declare(strict_types=1);

namespace Keyport;

use Keyport\Internal\Files;

/** A journal on disk: one file for each purchase, in a folder that your web server does not serve. */
final readonly class FileJournal implements Journal
{
    public function __construct(private string $file)
    {
    }

    public function read(): ?string
    {
        $text = is_file($this->file) ? @file_get_contents($this->file) : false;
        if ($text === false && file_exists($this->file)) {
            throw new JournalError("{$this->file}: it cannot be read. Check its permissions.");
        }
        return $text === false ? null : $text;
    }

    public function create(string $text): bool
    {
        return Files::create($this->file, $text);
    }

    public function replace(string $text): void
    {
        Files::replace($this->file, $text);
    }

    public function remove(): void
    {
        Files::remove($this->file);
    }

    public function name(): string
    {
        return $this->file;
    }
}
