/** Needs no token, so it never queries the database. */
import { ApiError } from '@keyport/http/replies/api-error';
import type { Route } from '@keyport/http/server/exchange';
import { readRows } from './catalogue.ts';
import { parsePictureFile, renderPicture } from './pictures.ts';

export function pictureRoutes(): Route[] {
  let names: ReadonlyMap<string, string> | undefined;
  const handle: Route['handle'] = ({ params: { productId = '', file = '' } }) => {
    names ??= new Map(readRows<{ id: string; name: string }>('products').map(({ id, name }) => [id, name]));
    const picture = parsePictureFile(file);
    const name = names.get(productId);
    if (picture === undefined || name === undefined) throw new ApiError('not-found');
    return {
      status: 200,
      bytes: renderPicture(productId, name, picture.kind, picture.index),
      headers: {
        'cache-control': 'public, max-age=86400',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'content-type': 'image/svg+xml',
      },
    };
  };
  return [{ method: 'GET', path: '/media/products/{productId}/{file}', handle }];
}
