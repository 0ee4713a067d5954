/** Ends the service under test as soon as a request has changed a shared prototype. */
const shared = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
const before = shared.map((prototype) => Reflect.ownKeys(prototype).length);

setInterval(() => {
  const polluted = shared.some((prototype, index) => Reflect.ownKeys(prototype).length !== before[index]);
  if (polluted) throw new Error('a request has changed a prototype');
}, 50).unref();
