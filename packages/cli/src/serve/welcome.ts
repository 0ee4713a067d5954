import { join } from 'node:path';
import type { Config } from '@keyport/server/config';
import type { RunningService } from '@keyport/server/service';

export type Welcome = {
  readonly url: string;
  readonly publicUrl: string;
  readonly mode: string;
  readonly reference: string;
  /** Signs in once; absent when other operators can invite. */
  readonly consoleLink?: string | undefined;
  /** Signs in once, as the demo reseller's owner. */
  readonly portalLink?: string | undefined;
  readonly operator: {
    readonly clientId: string;
    /** Present if this start generated it; otherwise `secretKeptIn` is. */
    readonly clientSecret?: string | undefined;
    readonly secretKeptIn?: string | undefined;
  };
  readonly demo?: { readonly clientId: string; readonly clientSecret: string; readonly productId: string };
  readonly curl?: string;
};

export function describeService(
  { url, publicUrl, mode, operator, consoleLink, portalLink, demo }: RunningService,
  config: Config,
): Welcome {
  const isNew = operator.isNew && config.operatorSecret === undefined;
  return {
    url,
    publicUrl,
    mode,
    reference: `${publicUrl}/docs`,
    consoleLink,
    portalLink,
    operator: {
      clientId: operator.clientId,
      clientSecret: isNew ? operator.clientSecret : undefined,
      secretKeptIn: isNew ? undefined : describeSecretPlace(config, operator.clientSecret),
    },
    ...(demo?.clientSecret === undefined
      ? {}
      : describeDemo(publicUrl, { ...demo, clientSecret: demo.clientSecret })),
  };
}

function describeDemo(
  publicUrl: string,
  { clientId, clientSecret, productId }: NonNullable<Welcome['demo']>,
) {
  return { demo: { clientId, clientSecret, productId }, curl: buildCurl(publicUrl, clientId, clientSecret) };
}

function describeSecretPlace(config: Config, secret: string | undefined): string {
  if (config.operatorSecret !== undefined) return 'KEYPORT_OPERATOR_SECRET';
  if (secret !== undefined) return join(config.dataDir, 'credentials.json');
  return 'no file; for another operator set KEYPORT_OPERATOR_ID and KEYPORT_OPERATOR_SECRET';
}

function buildCurl(publicUrl: string, clientId: string, clientSecret: string): string {
  const token =
    `curl -s -d grant_type=client_credentials -d client_id=${shellQuote(clientId)} ` +
    `--data-urlencode ${shellQuote(`client_secret=${clientSecret}`)} ${publicUrl}/oauth/token | ` +
    `sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`;
  return `curl -s -H "Authorization: Bearer $(${token})" "${publicUrl}/export/v1/product-offers?itemsPerPage=10"`;
}

function shellQuote(text: string): string {
  return /^[\w=.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

export function formatWelcome(welcome: Welcome): string {
  const { url, publicUrl, mode, reference, consoleLink, portalLink, operator, demo, curl } = welcome;
  const lines = [
    `Keyport is ready (${mode}).`,
    '',
    `  Base URL        ${publicUrl}`,
    `  API reference   ${reference}`,
    `  Guide           ${reference}/guide`,
    `  Console         ${publicUrl}/console`,
    '',
    ...(consoleLink === undefined
      ? []
      : ['Open the console signed in, once within 48 hours:', '', `  ${consoleLink}`, '']),
    ...(portalLink === undefined
      ? []
      : [
          "Open the portal signed in as the demo reseller's owner, once within 48 hours:",
          '',
          `  ${portalLink}`,
          '',
        ]),
    `  Operator        ${operator.clientId}`,
    operator.clientSecret === undefined
      ? `  its secret      kept in ${operator.secretKeptIn}`
      : `  its secret      ${operator.clientSecret}`,
  ];
  if (demo !== undefined) {
    lines.push('', 'To call the API as the demo reseller, paste this into another shell:', '');
    lines.push(`  export KEYPORT_URL=${shellQuote(url)}`);
    lines.push(`  export CLIENT_ID=${shellQuote(demo.clientId)}`);
    lines.push(`  export CLIENT_SECRET=${shellQuote(demo.clientSecret)}`);
    lines.push('', 'The first page of the catalogue, as the demo reseller sees it:', '', `  ${curl}`);
  }
  return `${lines.join('\n')}\n`;
}
