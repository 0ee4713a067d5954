<?php

// Written by scripts/php-contract.ts from the contract. Do not edit.

declare(strict_types=1);

namespace Keyport;

final class Version
{
    public const NUMBER = '0.3.0';
}
