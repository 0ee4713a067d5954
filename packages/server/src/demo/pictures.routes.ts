/**
 * Serves the pictures of the demo catalogue, drawn on request; the details of its products name their addresses. This
 * needs no token, so it knows the demo's products only and never queries the database.
 */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import { readRows } from './catalogue.ts';
import { parsePictureFile, renderPicture } from './pictures.ts';

export function registerPictures(server: FastifyInstance): void {
  let names: ReadonlyMap<string, string> | undefined;
  server.get<{ Params: { productId: string; file: string } }>(
    '/media/products/:productId/:file',
    async (request, reply) => {
      const { productId, file } = request.params;
      names ??= new Map(readRows<{ id: string; name: string }>('products').map(({ id, name }) => [id, name]));
      const picture = parsePictureFile(file);
      const name = names.get(productId);
      if (picture === undefined || name === undefined) throw new ApiError('not-found');
      return reply
        .header('cache-control', 'public, max-age=86400')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
        .type('image/svg+xml')
        .send(renderPicture(productId, name, picture.kind, picture.index));
    },
  );
}
