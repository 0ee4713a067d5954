<?php

declare(strict_types=1);

namespace Keyport;

/** A journal was damaged or belongs to a different purchase. Nothing was sent; the message states what to do. */
final class JournalError extends \RuntimeException
{
}
