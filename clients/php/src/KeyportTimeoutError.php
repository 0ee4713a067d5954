<?php

declare(strict_types=1);

namespace Keyport;

/** The call's deadline (`timeoutMs`) passed. A write may have taken effect, as with every KeyportConnectionError. */
final class KeyportTimeoutError extends KeyportConnectionError
{
}
