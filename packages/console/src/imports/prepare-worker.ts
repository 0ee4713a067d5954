import { prepare } from './table-file.ts';

addEventListener('message', async ({ data }: MessageEvent<Parameters<typeof prepare>>) => {
  try {
    postMessage({ prepared: await prepare(...data) });
  } catch (error) {
    postMessage({ error });
  }
});
