<?php

declare(strict_types=1);

namespace Keyport;

use Keyport\Internal\Http;
use Keyport\Internal\Once;
use Keyport\Internal\Text;
use Keyport\Internal\Tokens;
use Keyport\Internal\Transport;
use Keyport\Resources\Account;
use Keyport\Resources\Claims;
use Keyport\Resources\Clients;
use Keyport\Resources\Events;
use Keyport\Resources\Orders;
use Keyport\Resources\Products;
use Keyport\Resources\Requests;
use Keyport\Resources\Reservations;
use Keyport\Resources\Sandbox;
use Keyport\Resources\WebhookEndpoints;

/**
 * A client for resellers.
 *
 *     $keyport = new Keyport('https://export.example.com', $clientId, $clientSecret, tokenFile: '/var/lib/shop/keyport-token.json');
 *     foreach ($keyport->products()->list(['maxPrice' => '15.00']) as $product) {
 *         echo $product['name'];
 *     }
 *
 * @phpstan-import-type Order from Types
 * @phpstan-import-type Reservation from Types
 * @phpstan-import-type CreateOrderItem from Types
 */
final class Keyport
{
    public readonly string $baseUrl;
    private readonly Transport $transport;

    /**
     * @param string $baseUrl The service's URL, such as `https://export.example.com`. It may have a path.
     * @param string|null $clientId The OAuth client. All calls share its token, fetched when needed.
     * @param string|\Closure(): string|null $clientSecret A function is called for each token, so it can return a secret that was rotated elsewhere.
     * @param string|null $tokenFile Shares the token between the processes of a shop. Its folder must not be served.
     * @param (\Closure(): string)|null $accessToken Returns the token; replaces the client. Called for each request.
     * @param int $timeoutMs Deadline of a call in milliseconds, including retries.
     * @param int|null $maxRetries Maximum retries of a request. Default: only the deadline limits them.
     * @param (\Closure(array{method: string, url: string, attempt: int}): mixed)|null $onRequest Called before each request, including retries and token requests.
     * @param (\Closure(array{method: string, url: string, attempt: int, status: int|null, durationMs: int, error: string|null}): mixed)|null $onResponse
     *   Called after each response, or when there is none.
     */
    public function __construct(
        string $baseUrl,
        ?string $clientId = null,
        string|\Closure|null $clientSecret = null,
        ?string $tokenFile = null,
        ?\Closure $accessToken = null,
        int $timeoutMs = 60_000,
        ?int $maxRetries = null,
        ?\Closure $onRequest = null,
        ?\Closure $onResponse = null,
    ) {
        $this->baseUrl = Text::checkedBaseUrl($baseUrl);
        $http = new Http($onRequest, $onResponse);
        if ($accessToken === null && ($clientId === null || $clientId === '' || $clientSecret === null || $clientSecret === '')) {
            throw new \ValueError('Keyport needs clientId and clientSecret, or accessToken.');
        }
        $tokens = $accessToken ?? new Tokens(
            $http,
            $this->baseUrl,
            Text::checked('clientId', $clientId ?? ''),
            is_string($clientSecret) ? Text::checked('clientSecret', $clientSecret) : $clientSecret ?? static fn (): string => '',
            $tokenFile,
        );
        Transport::checkedNumber('maxRetries', $maxRetries ?? 0);
        $this->transport = new Transport($this->baseUrl, $http, $tokens, Transport::checkedNumber('timeoutMs', $timeoutMs), $maxRetries);
    }

    /** The catalogue. */
    public function products(): Products
    {
        return new Products($this->transport);
    }

    /** Orders and their keys. */
    public function orders(): Orders
    {
        return new Orders($this->transport);
    }

    /** Units and prices held while your customer pays. */
    public function reservations(): Reservations
    {
        return new Reservations($this->transport);
    }

    /** Claims about faulty keys. */
    public function claims(): Claims
    {
        return new Claims($this->transport);
    }

    /** Your own account. */
    public function account(): Account
    {
        return new Account($this->transport);
    }

    /** Your own credentials. */
    public function clients(): Clients
    {
        return new Clients($this->transport);
    }

    /** The log of your requests. */
    public function requests(): Requests
    {
        return new Requests($this->transport);
    }

    /** Events, in order. */
    public function events(): Events
    {
        return new Events($this->transport);
    }

    /** Endpoints that receive events. */
    public function webhookEndpoints(): WebhookEndpoints
    {
        return new WebhookEndpoints($this->transport);
    }

    /** Rehearsals, and your client's check-up. Sandbox only. */
    public function sandbox(): Sandbox
    {
        return new Sandbox($this->transport);
    }

    /**
     * Places the order of the journal once. Run it again after a crash, with the same journal and request: it finds out
     * what happened. Several processes may run it concurrently. Later runs return the order as it was placed, without a
     * request; `orders()->get()` returns its current status.
     *
     * A rejection, such as `insufficient-funds`, means that nothing was bought: the entry is removed, and the next run is
     * a new attempt. So does an invalid request, unless an earlier run sent it. An order that is waiting for payment is
     * returned with the status `pending_payment`.
     *
     *     $order = $keyport->createOrderOnce(new FileJournal("/var/lib/shop/purchases/4711.json"), [
     *         'auto' => ['productId' => $productId, 'quantity' => 1, 'maxPrice' => '15.00'],
     *         'reference' => '4711',
     *     ]);
     *
     * @param CreateOrderItem&array{reference?: string} $request
     * @return Order
     * @throws JournalError if the journal is damaged or belongs to a different purchase; nothing is sent then.
     */
    public function createOrderOnce(Journal $journal, array $request, ?CallOptions $options = null): array
    {
        /** @var Order $order */
        $order = Once::write($journal, 'order', $this->baseUrl, $request, $options, function (array $stored, CallOptions $keyed): array {
            try {
                /** @var CreateOrderItem&array{reference?: string} $stored */
                return $this->orders()->create($stored, $keyed);
            } catch (KeyportError $error) {
                $orderId = $error->is(ErrorCode::ORDER_NOT_PAID) ? $error->data['orderId'] ?? null : null;
                // The order exists and is waiting for payment.
                return is_string($orderId) ? $this->orders()->get($orderId, new CallOptions($keyed->timeoutMs)) : throw $error;
            }
        });
        return $order;
    }

    /**
     * Makes the reservation of the journal once, as `createOrderOnce` places an order. It becomes at most one order: after
     * a crash call `reservations()->order()` again. If it was ordered before, that call is rejected with
     * `reservation-used` and the `orderId`.
     *
     * @param CreateOrderItem&array{reference?: string, ttlSeconds?: int} $request
     * @return Reservation
     * @throws JournalError if the journal is damaged or belongs to a different purchase; nothing is sent then.
     */
    public function createReservationOnce(Journal $journal, array $request, ?CallOptions $options = null): array
    {
        /** @var Reservation $reservation */
        $reservation = Once::write($journal, 'reservation', $this->baseUrl, $request, $options, function (array $stored, CallOptions $keyed): array {
            /** @var CreateOrderItem&array{reference?: string, ttlSeconds?: int} $stored */
            return $this->reservations()->create($stored, $keyed);
        });
        return $reservation;
    }

    /**
     * Calls any operation, even one for which the client has no method, and returns the whole body. A write is retried
     * only with an `idempotencyKey`.
     *
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     */
    public function request(string $method, string $path, array $query = [], ?array $body = null, ?CallOptions $options = null): array
    {
        return $this->transport->envelope($method, $path, $query, $body, $options, $options?->idempotencyKey);
    }
}
