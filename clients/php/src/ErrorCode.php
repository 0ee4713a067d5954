<?php

// Written by scripts/php-contract.ts from the contract. Do not edit.

declare(strict_types=1);

namespace Keyport;

/** The known codes of KeyportError. Later versions of the service may add codes: handle an unknown one by its status. */
final class ErrorCode
{
    public const VALIDATION_ERROR = 'validation-error';
    public const VALIDATION_FAILED = 'validation-failed';
    public const CART_VALIDATION_ERROR = 'cart-validation-error';
    public const OFFER_NOT_AVAILABLE = 'offer-not-available';
    public const ORDER_NOT_COMPLETE = 'order-not-complete';
    public const ORDER_EXPIRED = 'order-expired';
    public const MAX_PRICE_EXCEEDED = 'max-price-exceeded';
    public const PRODUCT_EXCLUDED = 'product-excluded';
    public const LENGTH_OUT_OF_RANGE = 'length-out-of-range';
    public const INT_OUT_OF_RANGE = 'int-out-of-range';
    public const ORDER_NOT_FOUND = 'order-not-found';
    public const PRODUCT_NOT_FOUND = 'product-not-found';
    public const UNAUTHORIZED = 'unauthorized';
    public const INSUFFICIENT_FUNDS = 'insufficient-funds';
    public const PAYMENT_WENT_WRONG = 'payment-went-wrong';
    public const PAYMENT_NOT_CONFIGURED = 'payment-not-configured';
    public const ORDER_NOT_PAID = 'order-not-paid';
    public const IDEMPOTENCY_KEY_PROCESSING = 'idempotency-key-processing';
    public const ORDER_AUTO_REFUND_IMAGE_KEYS = 'order-auto-refund-image-keys';
    public const CURSOR_EXPIRED = 'cursor-expired';
    public const IDEMPOTENCY_KEY_ALREADY_USED = 'idempotency-key-already-used';
    public const RESERVATION_EXPIRED = 'reservation-expired';
    public const RESERVATION_USED = 'reservation-used';
    public const INTERNAL_SERVER_ERROR = 'internal-server-error';
    public const FORBIDDEN = 'forbidden';
    public const NOT_FOUND = 'not-found';
    public const METHOD_NOT_ALLOWED = 'method-not-allowed';
    public const REQUEST_TIMEOUT = 'request-timeout';
    public const CONFLICT = 'conflict';
    public const CLAIM_WINDOW_OVER = 'claim-window-over';
    public const RETURN_NOT_POSSIBLE = 'return-not-possible';
    public const STATE_CHANGED = 'state-changed';
    public const PAYLOAD_TOO_LARGE = 'payload-too-large';
    public const URI_TOO_LONG = 'uri-too-long';
    public const UNSUPPORTED_MEDIA_TYPE = 'unsupported-media-type';
    public const TOO_MANY_REQUESTS = 'too-many-requests';
    public const HEADERS_TOO_LARGE = 'headers-too-large';
    public const NOT_IMPLEMENTED = 'not-implemented';
    public const SERVICE_UNAVAILABLE = 'service-unavailable';
}
