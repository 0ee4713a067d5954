<?php

/** A receiver of webhooks: WEBHOOK_SECRET=whsec_… RECEIVED=file php -S 127.0.0.1:3000 receiver.php */

declare(strict_types=1);

use Keyport\Webhook;
use Keyport\WebhookVerificationError;

require __DIR__ . '/../autoload.php';

try {
    $event = Webhook::verify((string) file_get_contents('php://input'), $_SERVER, trim((string) file_get_contents((string) getenv('SECRET_FILE'))));
} catch (WebhookVerificationError $error) {
    http_response_code(400);
    exit($error->reason);
}
file_put_contents((string) getenv('RECEIVED'), "{$event['type']}\n", FILE_APPEND);
http_response_code(204);
