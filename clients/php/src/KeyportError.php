<?php

declare(strict_types=1);

namespace Keyport;

/**
 * The service returned an error. Base decisions on its `errorCode`; the constants of `ErrorCode` name the known ones.
 *
 *     try {
 *         $keyport->orders()->create(['manual' => ['offerId' => $offerId, 'quantity' => 1, 'maxPrice' => '15.00']]);
 *     } catch (KeyportError $error) {
 *         if (!$error->is(ErrorCode::MAX_PRICE_EXCEEDED)) {
 *             throw $error;
 *         }
 *         echo $error->data['offerPrice'];
 *     }
 */
final class KeyportError extends \RuntimeException
{
    /**
     * @param int $status The HTTP status.
     * @param string $errorCode The machine-readable reason. Later versions of the service may add codes.
     * @param array<string, mixed> $data Facts about the error, by code.
     * @param list<array{code: string, field?: string, message: string}> $errors Faults in fields of the request.
     * @param string|null $traceId Quote it when you need help.
     * @param string|null $docUrl Explains what to do.
     * @param array<string, string> $headers The response's headers, in lower case.
     * @param string|null $idempotencyKey Set for a write.
     */
    public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        string $message,
        public readonly array $data = [],
        public readonly array $errors = [],
        public readonly ?string $traceId = null,
        public readonly ?string $docUrl = null,
        public readonly array $headers = [],
        public ?string $idempotencyKey = null,
    ) {
        parent::__construct($message);
    }

    public function is(string $errorCode): bool
    {
        return $this->errorCode === $errorCode;
    }
}
