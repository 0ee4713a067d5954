/**
 * A program that kills itself at a step: node crashing.ts WHAT STEP JSON. Steps are before and after each
 * file operation and request, and in the middle of a write.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [, , what, step, input = '{}'] = process.argv;
let left = Number(step);

function count(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

// biome-ignore lint/suspicious/noExplicitAny: functions of any form
type AnyFunction = (...args: any[]) => any;

function disturb(object: object, names: readonly string[]): void {
  for (const name of names) {
    const original: AnyFunction = Reflect.get(object, name);
    Reflect.set(object, name, async function (this: fs.promises.FileHandle, ...args: [Buffer | string]) {
      count();
      if (name === 'writeFile') {
        const half = Buffer.from(args[0]).subarray(0, Buffer.byteLength(args[0]) / 2);
        left -= 1;
        if (left === 0) {
          await original.call(this, half);
          process.kill(process.pid, 'SIGKILL');
        }
      }
      const result = await original.apply(this, args);
      count();
      return result;
    });
  }
}

const handle = await fs.promises.open(process.execPath);
disturb(Object.getPrototypeOf(handle), ['writeFile', 'sync', 'truncate', 'close']);
disturb(fs.promises, ['open', 'link', 'unlink', 'rename', 'readFile']);
syncBuiltinESMExports();

// These modules must be loaded after `disturb` has replaced the functions.
const { Keyport } = await import('../src/keyport.ts');
const { createOrderOnce, createReservationOnce } = await import('../src/node/once.ts');
const { CatalogueMirror } = await import('../src/node/catalogue-mirror.ts');

const { options, file, request } = JSON.parse(input);
const keyport = new Keyport({
  ...options,
  fetch: async (url, init) => {
    count();
    const response = await fetch(url, init);
    count();
    return response;
  },
});
if (what === 'order') console.log(JSON.stringify(await createOrderOnce(keyport, file, request)));
else if (what === 'reservation')
  console.log(JSON.stringify(await createReservationOnce(keyport, file, request)));
else {
  const mirror = new CatalogueMirror(keyport, file);
  await mirror.sync();
  console.log(JSON.stringify([...mirror.products.values()]));
}
