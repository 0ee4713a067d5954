<?php

// Written by scripts/php-contract.ts from the contract. Do not edit.

declare(strict_types=1);

namespace Keyport;

/**
 * The shapes of requests and responses. Import one with `@phpstan-import-type Order from \Keyport\Types`.
 *
 * @phpstan-type Account array{id: string, name: string, status: string, currency: 'EUR', balance: string, paymentMethod: string|null, discountPercent: string, limits: array{orderValueMax?: string|null, dailySpendMax?: string|null, dailyUnitsMax?: int|null, reservedUnitsMax?: int, readsPerSecondMax?: int|null, ordersPerSecondMax?: int|null}, usedToday: array{spend: string, units: int}, balanceLowThreshold: string|null, returnWindowHours: int, claimWindowHours: int}
 * @phpstan-type AccountBalanceLowEvent array{id: string, apiVersion: string, type: 'account.balance_low', createdAt: string, data: BalanceLowData}
 * @phpstan-type AccountStatusChangedEvent array{id: string, apiVersion: string, type: 'account.status_changed', createdAt: string, data: AccountStatusData}
 * @phpstan-type AccountStatusData array{status: string}
 * @phpstan-type AutoLine array{productId: string, quantity: int, maxPrice: string}
 * @phpstan-type BalanceLowData array{balance: string, threshold: string}
 * @phpstan-type CartValidationError array{code: 'cart-validation-error', message: string, status: int, data?: CartValidationErrorData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type CartValidationErrorData array{reason: string, limit?: string|int, used?: string|int, remaining?: string|int, requested?: string|int, accountStatus?: string}
 * @phpstan-type ChangedMember array{id: string, name: string, email: string, role: string, status: string, lastSeenAt: string|null, ended?: array{links: list<string>, secrets: list<string>, clients: list<string>}}
 * @phpstan-type ChangesMeta array{nextCursor: string, hasMore: bool, restarted: bool}
 * @phpstan-type Check array{id: string, title: string, status: string, evidence?: list<array{at: string, request: string, key?: string, status?: int, traceId?: string, note: string}>, howTo: string, doc: string}
 * @phpstan-type Checkup array{score: int, seen: int, since?: string, requests: int, checks: list<Check>}
 * @phpstan-type Claim array{id: string, orderId: string, itemId: string, reason: string, message: string|null, status: string, keys: list<array{id: string, masked: string, outcome: string|null}>, createdAt: string, decidedAt?: string, answer?: string}
 * @phpstan-type ClaimDecidedData array{claim: Claim}
 * @phpstan-type ClaimDecidedEvent array{id: string, apiVersion: string, type: 'claim.decided', createdAt: string, data: ClaimDecidedData}
 * @phpstan-type ClaimWindowOverData array{completedAt: string, windowHours: int}
 * @phpstan-type ClaimWindowOverError array{code: 'claim-window-over', message: string, status: int, data?: ClaimWindowOverData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type ClientChangedData array{clientId: string, change: string}
 * @phpstan-type ClientChangedEvent array{id: string, apiVersion: string, type: 'client.changed', createdAt: string, data: ClientChangedData}
 * @phpstan-type ConflictData array{status?: OrderStatus, approvalId?: string, refundable?: int, balance?: string, amount?: string, availableQuantity?: int, available?: int, claimId?: string, codeIndexes?: list<int>, keyIds?: list<string>, claimStatus?: string, reservationStatus?: string, latestExpiresAt?: string}
 * @phpstan-type ConflictError array{code: 'conflict', message: string, status: int, data?: ConflictData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type CreateOrderItem CreateOrderItemAuto|CreateOrderItemManual
 * @phpstan-type CreateOrderItemAuto array{auto: AutoLine}
 * @phpstan-type CreateOrderItemManual array{manual: ManualLine}
 * @phpstan-type CreateOrderRequest array{items: list<CreateOrderItem>, currency?: 'EUR', reference?: string}
 * @phpstan-type CreateReservationRequest array{items: list<CreateOrderItem>, currency?: 'EUR', reference?: string, ttlSeconds?: int}
 * @phpstan-type CursorMeta array{nextCursor: string|null, hasMore: bool}
 * @phpstan-type DayOfSpend array{date: string, orders: int, units: int, charged: string, refunded: string}
 * @phpstan-type ErrorCode string
 * @phpstan-type ErrorDetails CartValidationError|OfferNotAvailableError|OrderNotCompleteError|OrderExpiredError|MaxPriceExceededError|ProductExcludedError|ProductNotFoundError|InsufficientFundsError|PaymentWentWrongError|OrderNotPaidError|IdempotencyKeyProcessingError|ReservationUsedError|ForbiddenError|ConflictError|ClaimWindowOverError|ReturnNotPossibleError|StateChangedError|PayloadTooLargeError|UriTooLongError|TooManyRequestsError|OtherError
 * @phpstan-type ErrorResponse array{traceId?: string, error: ErrorDetails}
 * @phpstan-type Event OrderPendingPaymentEvent|OrderProcessingEvent|OrderHeldEvent|OrderCompleteEvent|OrderCanceledEvent|OrderClosedEvent|OrderRefundedEvent|OrderKeysExpiringEvent|AccountBalanceLowEvent|AccountStatusChangedEvent|ClaimDecidedEvent|ClientChangedEvent|ReservationExpiredEvent|WebhookTestEvent|OtherEvent
 * @phpstan-type EventType 'order.pending_payment'|'order.processing'|'order.held'|'order.complete'|'order.canceled'|'order.closed'|'order.refunded'|'order.keys_expiring'|'account.balance_low'|'account.status_changed'|'claim.decided'|'client.changed'|'reservation.expired'|'webhook.test'
 * @phpstan-type EventsMeta array{nextCursor: string, hasMore: bool}
 * @phpstan-type ForbiddenData array{reason?: string}
 * @phpstan-type ForbiddenError array{code: 'forbidden', message: string, status: int, data?: ForbiddenData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type IdempotencyKeyProcessingData array{retryAfterMs: int, retryable: bool}
 * @phpstan-type IdempotencyKeyProcessingError array{code: 'idempotency-key-processing', message: string, status: int, data?: IdempotencyKeyProcessingData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type InsufficientFundsData array{required: string, available: string}
 * @phpstan-type InsufficientFundsError array{code: 'insufficient-funds', message: string, status: int, data?: InsufficientFundsData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type InvitedMember array{id: string, name: string, email: string, role: string, status: string, lastSeenAt: string|null, invitationUrl: string, invitationExpiresAt: string, ended?: array{links: list<string>, secrets: list<string>, clients: list<string>}}
 * @phpstan-type LoggedRequest array{id: string, at: string, clientId: string|null, memberId?: string, method: string, path: string, query: string, status: int, code?: string, traceId: string, durationMs: int, idempotencyKey?: string, orderId?: string, address: string, userAgent?: string, requestBody?: string, responseBody?: string}
 * @phpstan-type LoggedRequestsMeta array{nextCursor: string|null, hasMore: bool, omitted: int}
 * @phpstan-type ManualLine array{offerId: string, quantity: int, maxPrice: string}
 * @phpstan-type MaxPriceExceededData array{offerPrice: string, maxPrice: string}
 * @phpstan-type MaxPriceExceededError array{code: 'max-price-exceeded', message: string, status: int, data?: MaxPriceExceededData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type Member array{id: string, name: string, email: string, role: string, status: string, lastSeenAt: string|null}
 * @phpstan-type OfferNotAvailableData array{reason?: string, availableQuantity: int, minPrice?: string, quantity: int, reservationId?: string}
 * @phpstan-type OfferNotAvailableError array{code: 'offer-not-available', message: string, status: int, data?: OfferNotAvailableData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type Order array{id: string, status: OrderStatus, createdAt: string, discount: string, totalPrice: string, currency: string, reference?: string, transactions?: list<Transaction>}
 * @phpstan-type OrderCanceledEvent array{id: string, apiVersion: string, type: 'order.canceled', createdAt: string, data: OrderEventData}
 * @phpstan-type OrderClosedEvent array{id: string, apiVersion: string, type: 'order.closed', createdAt: string, data: OrderEventData}
 * @phpstan-type OrderCompleteEvent array{id: string, apiVersion: string, type: 'order.complete', createdAt: string, data: OrderEventData}
 * @phpstan-type OrderEventData array{order: Order}
 * @phpstan-type OrderExpiredData array{completedAt: string, windowHours: int|float}
 * @phpstan-type OrderExpiredError array{code: 'order-expired', message: string, status: int, data?: OrderExpiredData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type OrderHeldEvent array{id: string, apiVersion: string, type: 'order.held', createdAt: string, data: OrderEventData}
 * @phpstan-type OrderKeys array{item: array{id: string}, keys: list<array{code: string}>}
 * @phpstan-type OrderKeysExpiringData array{order: Order, expiresAt: string}
 * @phpstan-type OrderKeysExpiringEvent array{id: string, apiVersion: string, type: 'order.keys_expiring', createdAt: string, data: OrderKeysExpiringData}
 * @phpstan-type OrderNotCompleteData array{status: OrderStatus, retryable: bool}
 * @phpstan-type OrderNotCompleteError array{code: 'order-not-complete', message: string, status: int, data?: OrderNotCompleteData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type OrderNotPaidData array{orderId: string}
 * @phpstan-type OrderNotPaidError array{code: 'order-not-paid', message: string, status: int, data?: OrderNotPaidData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type OrderPendingPaymentEvent array{id: string, apiVersion: string, type: 'order.pending_payment', createdAt: string, data: OrderEventData}
 * @phpstan-type OrderProcessingEvent array{id: string, apiVersion: string, type: 'order.processing', createdAt: string, data: OrderEventData}
 * @phpstan-type OrderRefundedData array{order: Order, refund: array{amount: string, items: list<array{id: string, quantity: int}>}}
 * @phpstan-type OrderRefundedEvent array{id: string, apiVersion: string, type: 'order.refunded', createdAt: string, data: OrderRefundedData}
 * @phpstan-type OrderStatus 'pending'|'processing'|'held'|'complete'|'canceled'|'closed'|'pending_payment'
 * @phpstan-type OrderTimeline array{changes: list<array{at: string, status: OrderStatus}>, refunds: list<array{at: string, amount: string}>, keysReadAt: string|null, keysReadableUntil: string|null, returnableUntil: string|null, claimableUntil: string|null}
 * @phpstan-type OtherError array{code: never, message: string, status: int, data?: array<string, mixed>, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type OtherEvent array{id: string, apiVersion: string, type: never, createdAt: string, data: array<string, mixed>}
 * @phpstan-type OwnClient array{clientId: string, name: string|null, liveSecrets: int, allowedAddresses: list<string>, disabledAt: string|null, createdAt: string, access: string}
 * @phpstan-type Pagination array{page: int, itemsPerPage: 10|20|50|100, totalResults: int, hasNext: bool, hasPrevious: bool}
 * @phpstan-type PayloadTooLargeData array{limit: int}
 * @phpstan-type PayloadTooLargeError array{code: 'payload-too-large', message: string, status: int, data?: PayloadTooLargeData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type PaymentWentWrongData array{orderId: string}
 * @phpstan-type PaymentWentWrongError array{code: 'payment-went-wrong', message: string, status: int, data?: PaymentWentWrongData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type Product array{id: string, name: string, totalQuantity: int, minPrice: string, updatedAt: string, offers: list<ProductOffer>, currency: 'EUR'}
 * @phpstan-type ProductDetail array{id: string, name: string, totalQuantity: int, minPrice: string|null, slug: string, region: string|null, developer: string|null, publisher: string|null, releaseDate: string|null, platform: string|null, categories: list<array{id: string, name: string}>|null, requirements: array{minimal?: array{processor?: string|null, graphics?: string|null, memory?: string|null, diskSpace?: string|null, system?: string|null, other?: string|null}, recommended?: array{processor?: string|null, graphics?: string|null, memory?: string|null, diskSpace?: string|null, system?: string|null, other?: string|null}}|null, restrictions: array{rating: string, descriptors: list<string>}|null, thumbnail: string|null, portraitImage: string|null, coverImage: string|null, images: list<string>|null, videos: list<string>|null, updatedAt: string|null, currency: 'EUR'}
 * @phpstan-type ProductExcludedData array{productId: string, checkoutClass: string}
 * @phpstan-type ProductExcludedError array{code: 'product-excluded', message: string, status: int, data?: ProductExcludedData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type ProductNotFoundData array{productId: string}
 * @phpstan-type ProductNotFoundError array{code: 'product-not-found', message: string, status: int, data?: ProductNotFoundData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type ProductOffer array{id: string, price: string, quantity: int}
 * @phpstan-type ProductWithOffers array{id: string, name: string, totalQuantity: int, offers: list<ProductOffer>, updatedAt: string, currency: 'EUR'}
 * @phpstan-type RemovedProduct array{id: string, removed: true, updatedAt: string}
 * @phpstan-type RequestCount array{minute: string, operation: string, count: int}
 * @phpstan-type Reservation array{id: string, status: ReservationStatus, createdAt: string, expiresAt: string, item: array{productId: string, offerId: string, quantity: int, price: string, totalPrice: string}, discount: string, totalPrice: string, currency: string, orderId?: string, reference?: string}
 * @phpstan-type ReservationExpiredData array{reservation: Reservation}
 * @phpstan-type ReservationExpiredEvent array{id: string, apiVersion: string, type: 'reservation.expired', createdAt: string, data: ReservationExpiredData}
 * @phpstan-type ReservationStatus string
 * @phpstan-type ReservationUsedData array{orderId: string}
 * @phpstan-type ReservationUsedError array{code: 'reservation-used', message: string, status: int, data?: ReservationUsedData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type ReturnNotPossibleData array{reason: string, windowHours?: int, refundable?: int}
 * @phpstan-type ReturnNotPossibleError array{code: 'return-not-possible', message: string, status: int, data?: ReturnNotPossibleData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type RotatedClient array{clientId: string, clientSecret: string, previousValidUntil: string}
 * @phpstan-type RotatedWebhookEndpoint array{id: string, url: string, types: list<string>, description: string|null, status: string, disabledReason?: string, failingSince?: string, createdAt: string, secret: string, previousValidUntil: string}
 * @phpstan-type SandboxAccount array{id: string, name: string, status: string, currency: 'EUR', balance: string, paymentMethod: string|null, discountPercent: string, limits: array{orderValueMax?: string|null, dailySpendMax?: string|null, dailyUnitsMax?: int|null, reservedUnitsMax?: int, readsPerSecondMax?: int|null, ordersPerSecondMax?: int|null}, usedToday: array{spend: string, units: int}, balanceLowThreshold: string|null, returnWindowHours: int, claimWindowHours: int}
 * @phpstan-type SandboxOffer array{id: string, productId: string, sellerId: string, price: string, status: string, quantity: int, keysWithdrawn?: array{withdrawn: int, notWithdrawn: list<array{index: int, reason: string, orderId?: string}>}, keysAdded?: array{added: int, duplicates: int, trimmed: int}}
 * @phpstan-type StateChangedError array{code: 'state-changed', message: string, status: int, data?: WritePreview, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type StatementLine array{id: string, createdAt: string, kind: string, amount: string, balance: string, orderId?: string, claimId?: string, reference?: string}
 * @phpstan-type StatementMeta array{nextCursor: string|null, hasMore: bool, opening: string, closing: string}
 * @phpstan-type SubError array{code: ErrorCode, field?: string, message: string}
 * @phpstan-type Token array{access_token: string, token_type: 'Bearer', expires_in: int}
 * @phpstan-type TokenError array{error: string, error_description?: string}
 * @phpstan-type TooManyRequestsData array{retryAfterMs: int, limit: int|float}
 * @phpstan-type TooManyRequestsError array{code: 'too-many-requests', message: string, status: int, data?: TooManyRequestsData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type Transaction array{id: string, seller: array{id: string, name?: string}, items: list<TransactionItem>}
 * @phpstan-type TransactionItem array{id: string, product: array{id: string, name: string}, offer: array{id: string}, quantity: array{ordered: int, invoiced: int, shipped: int, refunded: int}, price: string, totalPrice: string}
 * @phpstan-type UriTooLongData array{limit: int}
 * @phpstan-type UriTooLongError array{code: 'uri-too-long', message: string, status: int, data?: UriTooLongData, errors?: list<SubError>|null, doc_url?: string}
 * @phpstan-type WebhookAttempt array{at: string, durationMs: int, statusCode?: int, error?: string, responseExcerpt?: string}
 * @phpstan-type WebhookDelivery array{id: string, eventId: string, type: string, orderId?: string, status: string, nextAttemptAt?: string, attempts: list<WebhookAttempt>}
 * @phpstan-type WebhookEndpoint array{id: string, url: string, types: list<string>, description: string|null, status: string, disabledReason?: string, failingSince?: string, createdAt: string}
 * @phpstan-type WebhookEndpointWithSecret array{id: string, url: string, types: list<string>, description: string|null, status: string, disabledReason?: string, failingSince?: string, createdAt: string, secret: string}
 * @phpstan-type WebhookTest array{eventId: string}
 * @phpstan-type WebhookTestData array{endpointId: string}
 * @phpstan-type WebhookTestEvent array{id: string, apiVersion: string, type: 'webhook.test', createdAt: string, data: WebhookTestData}
 * @phpstan-type WebhooksQueued array{deliveries: int}
 * @phpstan-type WebhooksReplayed array{deliveries: int, eventsKeptFrom?: string}
 * @phpstan-type WritePreview array{dryRun: true, amount: string, bookings: list<array{kind: string, from: string, to: string, amount: string}>, balance: array{before: string, after: string}|null, order: array{before: Order, after: Order}|null, units: array{returned: int, withdrawn: int, kept: int, delivered: int, added: int}, keyIds?: list<string>, stock: list<array{offerId: string, before: int, after: int}>, offers?: list<array{offerId: string, before: array{price: string, status: string}, after: array{price: string, status: string}}>, notWithdrawn?: list<array{index: int, reason: string, orderId?: string}>, needsApproval: bool, openApprovals?: list<array{id: string, operation: string, amount: string, requestedBy: string, requestedAt: string}>}
 */
final class Types
{
}
