/** A705. */
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import type { HeaderLines, LinesFor } from '@keyport/http/server/header-lines';
import { toPath } from '@keyport/http/server/router';

const EXPORT = /^\/export\/v1(?:[/?#]|$)/;
/** The router decodes paths and accepts whole URLs. */
const UNUSUAL = /^(?:[a-z]+:|[^?]*%)/i;
const NONE: HeaderLines = [];

export function versionLines(version: string): LinesFor {
  const lines = ['keyport-version', version];
  const isExport = (url: string) => EXPORT.test(url) || (UNUSUAL.test(url) && EXPORT.test(toPath(url)));
  return (url) => (url === undefined || isExport(url) ? lines : NONE);
}

/** RFC 9745 and RFC 8594. */
export function deprecationLines({ deprecation }: Pick<OperationSpec, 'deprecation'>): HeaderLines {
  if (deprecation === undefined) return NONE;
  const { since, sunset } = deprecation;
  return ['deprecation', `@${Date.parse(since) / 1000}`, 'sunset', new Date(sunset).toUTCString()];
}
