<?php

// A small shop with the PHP library: product page, stock from a mirror, reserve, pay, order, deliver, return, webhook.
//   export KEYPORT_URL=… CLIENT_ID=… CLIENT_SECRET=… WEBHOOK_SECRET=whsec_… SHOP_DATA=/var/lib/shop
//   php shop.php sync            reads the catalogue; run it every minute
//   php -S 127.0.0.1:8000 shop.php
declare(strict_types=1);

use Keyport\CallOptions;
use Keyport\CatalogueMirror;
use Keyport\ErrorCode;
use Keyport\Keyport;
use Keyport\KeyportConnectionError;
use Keyport\KeyportError;
use Keyport\PdoJournal;
use Keyport\Webhook;
use Keyport\WebhookVerificationError;

require getenv('KEYPORT_LIBRARY') ?: __DIR__ . '/../../clients/php/autoload.php';

// The data of the shop and the token are in a folder that the web server does not serve.
$folder = (string) getenv('SHOP_DATA');
$pdo = new PDO("sqlite:$folder/shop.sqlite");
$pdo->exec('PRAGMA busy_timeout = 10000');
$pdo->exec('CREATE TABLE IF NOT EXISTS sale (id TEXT PRIMARY KEY, product_id TEXT, max_price TEXT, attempt INTEGER NOT NULL DEFAULT 1,
    paid TEXT, order_key TEXT, return_key TEXT, order_id TEXT, status TEXT)');
$pdo->exec('CREATE TABLE IF NOT EXISTS event (id TEXT PRIMARY KEY)');
$pdo->exec(PdoJournal::SCHEMA);
$keyport = new Keyport(
    (string) getenv('KEYPORT_URL'),
    (string) getenv('CLIENT_ID'),
    (string) getenv('CLIENT_SECRET'),
    tokenFile: "$folder/token.json",
    timeoutMs: 20_000,
);
$mirror = new CatalogueMirror($keyport, $pdo, orderable: true);
$mirror->createTables();

if (PHP_SAPI === 'cli') {
    $mirror->sync();
    exit("{$mirror->count()} products\n");
}

/** @return array<string, mixed> */
function findSale(PDO $pdo, string $id): array
{
    $found = $pdo->prepare('SELECT * FROM sale WHERE id = ?');
    $found->execute([$id]);
    return $found->fetch(PDO::FETCH_ASSOC) ?: exit(page('There is no such sale.', 404));
}

/** @param array<string, mixed> $facts */
function store(PDO $pdo, string $id, array $facts): void
{
    $columns = implode(', ', array_map(static fn (string $name): string => "$name = ?", array_keys($facts)));
    $pdo->prepare("UPDATE sale SET $columns WHERE id = ?")->execute([...array_values($facts), $id]);
}

function uuid(): string
{
    return vsprintf('%s%s-%s-4%.3s-8%.3s-%s%s%s', str_split(bin2hex(random_bytes(16)), 4));
}

/** Stands for your payment provider, which takes and gives back the payment of a sale once. */
function takePayment(string $sale, string $amount): bool
{
    return true;
}

function refundPayment(string $sale, string $amount): void
{
    error_log("$sale: the customer gets $amount EUR back");
}

/** A run after a crash, or a second click, returns the same reservation. */
function reserve(Keyport $keyport, PDO $pdo, array $sale): array
{
    $journal = new PdoJournal($pdo, "{$sale['id']}-{$sale['attempt']}");
    $line = ['productId' => $sale['product_id'], 'quantity' => 1, 'maxPrice' => $sale['max_price']];
    return $keyport->createReservationOnce($journal, ['auto' => $line, 'reference' => $sale['id'], 'ttlSeconds' => 900]);
}

/** Orders a paid sale, or says why it has to wait. */
function deliver(Keyport $keyport, PDO $pdo, string $id): ?string
{
    $sale = findSale($pdo, $id);
    if ($sale['paid'] === null || $sale['order_id'] !== null) {
        return null;
    }
    // The key is stored before the request, so every attempt is the same order.
    $key = $sale['order_key'] ?? uuid();
    store($pdo, $id, ['order_key' => $key]);
    $reserved = reserve($keyport, $pdo, $sale);
    try {
        $order = $keyport->reservations()->order($reserved['id'], new CallOptions(idempotencyKey: $key));
    } catch (KeyportError $error) {
        if ($error->is(ErrorCode::RESERVATION_USED)) {
            $order = $keyport->orders()->get($error->data['orderId']);
        } elseif ($error->is(ErrorCode::RESERVATION_EXPIRED)) {
            refundPayment($id, $sale['paid']);
            store($pdo, $id, ['paid' => null, 'order_key' => null, 'attempt' => $sale['attempt'] + 1]);
            return 'The reservation has expired. You get your money back and can buy again.';
        } else {
            // Final for this key: the reservation stays active, and the next attempt is a new one.
            store($pdo, $id, ['order_key' => null]);
            error_log("$id: {$error->getMessage()} (trace id {$error->traceId})");
            return 'Your key will be delivered soon.';
        }
    } catch (KeyportConnectionError) {
        // The order may have been placed. The same key finds out.
        return 'Your key will be delivered soon.';
    }
    store($pdo, $id, ['order_id' => $order['id'], 'status' => $order['status']]);
    return null;
}

function h(string $text): string
{
    return htmlspecialchars($text);
}

function page(string $content, int $status = 200): string
{
    http_response_code($status);
    header('content-security-policy: default-src \'none\'; style-src \'unsafe-inline\'; form-action \'self\'');
    return "<!doctype html><html lang=en><meta charset=utf-8><title>Shop</title><main><h1>Shop</h1>$content</main></html>";
}

function button(string $action, string $id, string $label): string
{
    return "<form method=post action=/$action><input type=hidden name=id value=\"" . h($id) . '"><button>' . h($label) . '</button></form>';
}

function showSale(PDO $pdo, string $id, ?string $message = null): string
{
    $sale = findSale($pdo, $id);
    $state = match (true) {
        $sale['order_id'] === null => $sale['paid'] === null ? button('pay', $id, "Pay {$sale['max_price']} EUR at most") : button('pay', $id, 'Try again'),
        $sale['status'] === 'complete' => button('keys', $id, 'Show the key') . button('return', $id, 'Return it unread'),
        default => '<p>The order is ' . h((string) $sale['status']) . '.</p>',
    };
    return page(($message === null ? '' : '<p>' . h($message) . '</p>') . $state);
}

$path = parse_url((string) $_SERVER['REQUEST_URI'], PHP_URL_PATH);
$id = is_string($_REQUEST['id'] ?? null) ? $_REQUEST['id'] : '';
$route = "{$_SERVER['REQUEST_METHOD']} $path";

if ($route === 'GET /') {
    $rows = '';
    foreach ($mirror->products() as $product) {
        // Without stock there is no lowest price.
        if ($product['minPrice'] !== null && $product['totalQuantity'] > 0) {
            $rows .= '<li>' . h($product['name']) . ' ' . h($product['minPrice']) . ' EUR' . button('buy', $product['id'], 'Buy') . '</li>';
        }
    }
    echo page("<ul>$rows</ul>");
} elseif ($route === 'POST /buy') {
    $product = $mirror->get($id) ?? exit(page('This product is no longer on offer.', 404));
    $sale = 'sale-' . bin2hex(random_bytes(16));
    $pdo->prepare('INSERT INTO sale (id, product_id, max_price) VALUES (?, ?, ?)')->execute([$sale, $product['id'], $product['minPrice']]);
    try {
        reserve($keyport, $pdo, findSale($pdo, $sale));
        header("location: /sale?id=$sale", true, 303);
    } catch (KeyportError $error) {
        echo page('It is no longer available at this price. ' . h($error->getMessage()), 409);
    }
} elseif ($route === 'GET /sale') {
    echo showSale($pdo, $id);
} elseif ($route === 'POST /pay') {
    $sale = findSale($pdo, $id);
    if ($sale['paid'] === null) {
        $price = reserve($keyport, $pdo, $sale)['totalPrice'];
        if (takePayment($id, $price)) {
            store($pdo, $id, ['paid' => $price]);
        }
    }
    echo showSale($pdo, $id, deliver($keyport, $pdo, $id));
} elseif ($route === 'POST /keys') {
    $items = $keyport->orders()->keys((string) findSale($pdo, $id)['order_id']);
    echo page('<p>Your key: <code>' . h(implode(', ', array_column($items[0]['keys'], 'code'))) . '</code></p>');
} elseif ($route === 'POST /return') {
    $sale = findSale($pdo, $id);
    $key = $sale['return_key'] ?? uuid();
    store($pdo, $id, ['return_key' => $key]);
    $order = $keyport->orders()->get((string) $sale['order_id']);
    $item = $order['transactions'][0]['items'][0];
    try {
        $items = [['id' => $item['id'], 'quantity' => 1]];
        $order = $keyport->orders()->return($order['id'], ['items' => $items], new CallOptions(idempotencyKey: $key));
        store($pdo, $id, ['status' => $order['status']]);
        refundPayment($id, (string) $sale['paid']);
        echo showSale($pdo, $id, 'It was returned.');
    } catch (KeyportError $error) {
        echo showSale($pdo, $id, $error->is(ErrorCode::RETURN_NOT_POSSIBLE) ? 'It can’t be returned: ' . $error->data['reason'] : 'Please try again.');
    }
} elseif ($route === 'POST /webhook') {
    try {
        $event = Webhook::verify((string) file_get_contents('php://input'), $_SERVER, (string) getenv('WEBHOOK_SECRET'));
    } catch (WebhookVerificationError $error) {
        http_response_code(400);
        exit($error->reason);
    }
    // The event is noted in one transaction with its work, so that work that failed is done again.
    $pdo->beginTransaction();
    $noted = $pdo->prepare('INSERT INTO event (id) VALUES (?) ON CONFLICT DO NOTHING');
    $noted->execute([$event['id']]);
    $order = $event['data']['order'] ?? null;
    if ($noted->rowCount() === 1 && is_array($order)) {
        $pdo->prepare('UPDATE sale SET status = ? WHERE order_id = ?')->execute([$order['status'], $order['id']]);
    }
    $pdo->commit();
    http_response_code(204);
} else {
    echo page('There is no such page.', 404);
}
