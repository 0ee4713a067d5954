<?php

declare(strict_types=1);

namespace Keyport;

/**
 * Keeps one purchase, so that a run after a crash sends the same request with the same key: FileJournal on disk,
 * PdoJournal in your database.
 */
interface Journal
{
    /** What was stored, or null. */
    public function read(): ?string;

    /** Stores the text durably, and returns false if there is one, also of another process. */
    public function create(string $text): bool;

    public function replace(string $text): void;

    public function remove(): void;

    /** Names the journal in messages. */
    public function name(): string;
}
