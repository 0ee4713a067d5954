/** Serves the pictures of the demo catalogue, drawn on request; the details of its products name their addresses. */
import { isProductId } from '@keyport/core/ids';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';
import { ApiError } from '../http/api-error.ts';
import { findProductName } from './pictures.sql.ts';
import { parsePictureFile, renderPicture } from './pictures.ts';

export function registerPictures(server: FastifyInstance, deps: { readonly database: Database }): void {
  server.get<{ Params: { productId: string; file: string } }>(
    '/media/products/:productId/:file',
    async (request, reply) => {
      const { productId, file } = request.params;
      const picture = parsePictureFile(file);
      // The database is asked last: nobody needs a token for this.
      if (picture === undefined || !isProductId(productId)) throw new ApiError('not-found');
      const name = await findProductName(deps.database.kysely, productId);
      if (name === undefined) throw new ApiError('not-found');
      return reply
        .header('cache-control', 'public, max-age=86400')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
        .type('image/svg+xml')
        .send(renderPicture(productId, name, picture.kind, picture.index));
    },
  );
}
