/**
 * Row types of every table, as the driver delivers them (db/database.ts): int8 is a safe `number` unless a statement
 * selects it as text, timestamptz is PostgreSQL's own text, bytea is a Buffer. Order ids are the one int8 that may
 * exceed 2^53: they are `string` here and are always selected with `::text` (A6).
 */
import type { Generated } from 'kysely';

type Timestamp = string;

export type Schema = {
  service_secret: {
    name: string;
    wrapped: Buffer;
    master_key_id: string | null;
    created_at: Generated<Timestamp>;
  };
  signing_key: {
    kid: string;
    algorithm: string;
    public_jwk: unknown;
    private_wrapped: Buffer;
    master_key_id: string | null;
    created_at: Generated<Timestamp>;
    retired_at: Timestamp | null;
  };
  account: {
    id: string;
    position: Generated<number>;
    name: string;
    status: Generated<'active' | 'suspended' | 'closed'>;
    payment_method: 'balance' | 'gateway' | null;
    gateway_customer: string | null;
    discount_basis_points: Generated<number>;
    hold_orders: Generated<boolean>;
    seller_id: string | null;
    order_value_max_minor: number | null;
    daily_spend_max_minor: number | null;
    daily_units_max: number | null;
    balance_minor: Generated<number>;
    spend_day: Generated<string>;
    day_spend_minor: Generated<number>;
    day_units: Generated<number>;
    order_hour: Generated<Timestamp>;
    hour_orders: Generated<number>;
    created_at: Generated<Timestamp>;
  };
  client: {
    id: string;
    account_id: string | null;
    role: 'reseller' | 'operator';
    name: string | null;
    allowed_addresses: Generated<string[]>;
    disabled_at: Timestamp | null;
    created_at: Generated<Timestamp>;
  };
  client_secret: {
    id: Generated<number>;
    client_id: string;
    secret_mac: Buffer;
    created_at: Generated<Timestamp>;
    retired_at: Timestamp | null;
  };
  seller: { id: string; name: string };
  product: {
    id: number;
    name: string;
    checkout_class: string;
    details: unknown;
    details_version: Generated<number>;
  };
  product_stamp: { product_id: number; stamp: Timestamp; first_stamp: Timestamp };
  catalogue_clock: { id: Generated<boolean>; last_stamp: Timestamp; epoch: Generated<string> };
  offer: {
    id: string;
    product_id: number;
    seller_id: string;
    price_minor: number;
    status: 'active' | 'paused';
    available_text: Generated<number>;
    available_image: Generated<number>;
    paused_by_import: number | null;
  };
  offer_log: {
    id: Generated<number>;
    offer_id: string;
    price_minor: number;
    status: 'active' | 'paused';
    at: Timestamp;
  };
  data_key: {
    id: Generated<number>;
    wrapped: Buffer;
    master_key_id: string | null;
    created_at: Generated<Timestamp>;
  };
  master_key_state: { id: Generated<boolean>; current_id: string | null };
  master_key_holder: { node_id: string; master_key_ids: string[]; seen_at: Timestamp };
  stock_key: {
    id: number;
    offer_id: string;
    kind: 'text' | 'image';
    state: Generated<'available' | 'reserved' | 'sold' | 'withdrawn'>;
    order_item_id: string | null;
    data_key_id: number;
    nonce: Buffer;
    ciphertext: Buffer;
    code_mac: Buffer;
    reserved_until: Timestamp | null;
    refunded_at: Timestamp | null;
    withdrawn_by_import: number | null;
  };
  order: {
    id: string;
    account_id: string;
    status: string;
    held_from: string | null;
    created_at: Timestamp;
    completed_at: Timestamp | null;
    currency: string;
    decimals: Generated<number>;
    discount_minor: number;
    total_price_minor: number;
    payment_method: string | null;
    origin: 'export-api' | 'imported';
    idempotency_key: string | null;
    image_refunded: Generated<boolean>;
    spend_day: string | null;
  };
  order_item: {
    id: string;
    order_id: string;
    offer_id: string;
    product_id: number;
    product_name: string;
    seller_id: string;
    seller_name: string;
    unit_price_minor: number;
    max_price_minor: number | null;
    quantity_ordered: number;
    quantity_invoiced: number;
    quantity_shipped: number;
    quantity_refunded: number;
  };
  order_status_log: {
    id: Generated<number>;
    order_id: string;
    from_status: string | null;
    via: string[];
    to_status: string;
    at: Timestamp;
    actor: string;
    reason: string;
  };
  idempotency_record: {
    account_id: string;
    operation: string;
    idempotency_key: string;
    fingerprint: string;
    status: number | null;
    body: string | null;
    order_id: string | null;
    created_at: Timestamp;
    finished_at: Timestamp | null;
  };
  write_record: {
    client_id: string;
    operation: string;
    idempotency_key: string;
    fingerprint: string;
    status: number;
    answer: Buffer;
    finished_at: Timestamp;
  };
  ledger_account: {
    id: Generated<number>;
    kind: 'prepaid' | 'cash' | 'sales' | 'gateway' | 'adjustments';
    account_id: string | null;
    currency: Generated<string>;
  };
  ledger_transfer: {
    id: Generated<number>;
    kind: 'deposit' | 'charge' | 'refund' | 'adjustment' | 'payout';
    from_ledger_account_id: number;
    to_ledger_account_id: number;
    amount_minor: number;
    currency: Generated<string>;
    account_id: string;
    prepaid_balance_after_minor: number | null;
    order_id: string | null;
    reference: string | null;
    reason: Generated<string | null>;
    created_at: Timestamp;
    line: Generated<number | null>;
    deposit_sum_minor: Generated<number | null>;
    charge_sum_minor: Generated<number | null>;
    refund_sum_minor: Generated<number | null>;
    adjustment_sum_minor: Generated<number | null>;
    payout_sum_minor: Generated<number | null>;
  };
  gateway_payment: {
    order_id: string;
    customer: string;
    amount_minor: number;
    state: 'open' | 'paid' | 'declined' | 'abandoned' | 'amount_mismatch';
    expires_at: Timestamp;
    next_check_at: Timestamp;
    hold_reason: string | null;
    reference: string | null;
    checks: Generated<number>;
  };
  gateway_refund: {
    id: Generated<number>;
    order_id: string;
    amount_minor: number;
    state: Generated<'open' | 'done'>;
    attempts: Generated<number>;
    created_at: Generated<Timestamp>;
    currency: Generated<string>;
    is_booked: Generated<boolean>;
    next_attempt_at: Generated<Timestamp>;
    done_at: Timestamp | null;
  };
  audit_entry: {
    id: Generated<number>;
    at: Generated<Timestamp>;
    client_id: string;
    action: string;
    account_id: string | null;
    order_id: string | null;
    trace_id: string | null;
    data: unknown;
  };
  history_bucket: {
    history: string;
    begins_at: Timestamp;
    begins_with: string;
    pending: Generated<number>;
    pending_payment: Generated<number>;
    processing: Generated<number>;
    held: Generated<number>;
    complete: Generated<number>;
    canceled: Generated<number>;
    closed: Generated<number>;
    orders: Generated<number>;
  };
  history_horizon: { id: Generated<boolean>; counted_until: Timestamp; counting_until: Timestamp };
  verify_schedule: {
    id: Generated<boolean>;
    due_at: Timestamp;
    node: string | null;
    finished_at: Timestamp | null;
    duration_ms: number | null;
    checked: number | null;
    broken: Readonly<Record<string, number>> | null;
    unchecked: string[] | null;
  };
  import_run: {
    number: Generated<number>;
    import_id: string | null;
    kind: 'sellers' | 'products' | 'offers' | 'keys';
    dry_run: boolean;
    delete_missing: boolean;
    holder: string | null;
    held_until: Timestamp;
    committed_line: Generated<number>;
    read: Generated<number>;
    written: Generated<number>;
    unchanged: Generated<number>;
    rejected: Generated<number>;
    removed: Generated<number>;
    restored: Generated<number>;
    has_seen: Generated<boolean>;
    finished_at: Timestamp | null;
  };
  clock_step: { number: Generated<number>; at: Timestamp; step: string };
  clock_watch: { id: Generated<boolean>; seen_at: Timestamp };
  import_seen: { run: number; thing: string; key: Buffer };
  audit_unsealed: { audit_entry_id: number };
  audit_seal: { position: number; audit_entry_id: number; mac: Buffer };
  audit_head: { id: Generated<boolean>; position: number; mac: Buffer; proof: Buffer };
  key_reveal: { stock_key_id: number; order_item_id: string; audit_entry_id: number };
};
