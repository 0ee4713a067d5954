<?php
// A receiver of webhooks for PHP 8, without packages: WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 webhook-receiver.php
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

function isGenuine(string $body): bool
{
    $secret = base64_decode(str_replace('whsec_', '', (string) getenv('WEBHOOK_SECRET')));
    if ($secret === '') {
        throw new Exception('set WEBHOOK_SECRET: with an empty key anyone can sign');
    }
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $secret, true));
    // There are several signatures while secrets overlap.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

function handle(array $event): void
{
    // Use your database: an event arrives again with the same id if your response was lost.
    $record = fopen(sys_get_temp_dir() . '/webhook-' . sha1($event['id']), 'c+');
    flock($record, LOCK_EX);
    if (stream_get_contents($record) === 'done') {
        return;
    }
    // Your work, or a queue for longer work. Note the id after it, or in one transaction with it: if it fails, PHP responds
    // with 500, and the event comes again.
    file_put_contents('php://stdout', $event['type'] . ' ' . ($event['data']['order']['id'] ?? '') . "\n");
    fwrite($record, 'done');
}

$body = file_get_contents('php://input');
if (!isGenuine($body)) {
    http_response_code(400);
    exit('wrong signature');
}
handle(json_decode($body, true, flags: JSON_THROW_ON_ERROR));
http_response_code(204);
