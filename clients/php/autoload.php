<?php

/** Loads the classes of this library without Composer: require_once 'keyport/autoload.php'; */

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Keyport\\')) {
        return;
    }
    $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('Keyport\\'))) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
