import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Gateway, PaymentList } from './gateway.ts';
import { guardGateway } from './guard.ts';
import { createGatewaySimulator } from './simulator.ts';
import { type GatewayWatcher, watchGateway } from './watch.ts';

/** Undefined: gateway accounts have no payment method. */
export async function chooseGateway(
  config: Config,
  log: Logger,
  watcher: GatewayWatcher,
): Promise<Gateway | undefined> {
  const { gatewayConcurrency: concurrency } = config;
  const { onBreaker } = watcher;
  const guard = (gateway: Gateway) =>
    guardGateway(watchGateway(gateway, watcher), { concurrency, log, onBreaker });
  switch (config.gateway) {
    case 'none':
      return undefined;
    case 'simulator':
      // Unguarded: requested failures of one account must not open a breaker for the others.
      return watchGateway(createGatewaySimulator(), watcher);
    case 'stripe': {
      // The libraries of the providers are large, and most installations do not use them.
      const { createStripeGateway } = await import('./stripe.ts');
      return guard(createStripeGateway(stripeOptions(config)));
    }
    case 'http': {
      const { createSignedHttpGateway } = await import('./signed-http.ts');
      return guard(createSignedHttpGateway(signedHttpOptions(config)));
    }
  }
}

/** Undefined without a provider, and for the simulator, which stores no payments. */
export async function choosePaymentList(config: Config): Promise<PaymentList | undefined> {
  switch (config.gateway) {
    case 'none':
    case 'simulator':
      return undefined;
    case 'stripe': {
      const { createStripePaymentList } = await import('./stripe.ts');
      return createStripePaymentList(stripeOptions(config));
    }
    case 'http': {
      const { createSignedHttpPaymentList } = await import('./signed-http.ts');
      return createSignedHttpPaymentList(signedHttpOptions(config));
    }
  }
}

const STRIPE_URL = 'https://api.stripe.com';

function stripeOptions(config: Config) {
  return { secretKey: given(config.stripeSecretKey), url: config.gatewayUrl ?? STRIPE_URL };
}

function signedHttpOptions(config: Config) {
  return {
    url: given(config.gatewayUrl),
    keyId: given(config.gatewayKeyId),
    secret: given(config.gatewaySecret),
    nowMs: Date.now,
  };
}

function given(value: string | undefined): string {
  if (value === undefined)
    throw new Error('a setting of the payment provider is missing from the checked configuration');
  return value;
}
