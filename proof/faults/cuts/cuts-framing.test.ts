import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { type Direction, isReadyAndIdle, MessageSplitter, type WireMessage } from './cuts-framing.ts';

const PROTOCOL_3 = 196_608;
const LETTERS = [...'BCDEPQSXZ123ntTKRN'];

function typed(type: string, payload: Uint8Array): WireMessage {
  const head = Buffer.alloc(5, type);
  head.writeUInt32BE(payload.length + 4, 1);
  return { type, bytes: Buffer.concat([head, payload]) };
}

function untyped(type: string, code: number, payload: Uint8Array): WireMessage {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(payload.length + 8, 0);
  head.writeUInt32BE(code, 4);
  return { type, bytes: Buffer.concat([head, payload]) };
}

const payload = fc.uint8Array({ maxLength: 40 });
const later = fc.array(
  fc.tuple(fc.constantFrom(...LETTERS), payload).map(([type, bytes]) => typed(type, bytes)),
  { maxLength: 12 },
);
const conversation = fc.oneof(
  fc.record({ direction: fc.constant<Direction>('to-node'), messages: later }),
  fc.record({
    direction: fc.constant<Direction>('to-server'),
    messages: fc
      .tuple(payload, later)
      .map(([options, rest]) => [untyped('startup', PROTOCOL_3, options), ...rest]),
  }),
);

test('messages are complete and in order, no matter how the stream is cut into pieces', () => {
  fc.assert(
    fc.property(conversation, fc.array(fc.nat(), { maxLength: 30 }), ({ direction, messages }, places) => {
      const stream = Buffer.concat(messages.map(({ bytes }) => bytes));
      const cuts = places.map((place) => place % (stream.length + 1)).sort((left, right) => left - right);
      const splitter = new MessageSplitter(direction);
      const found: WireMessage[] = [];
      let from = 0;
      for (const to of [...cuts, stream.length]) {
        found.push(...splitter.push(stream.subarray(from, to)));
        from = to;
      }
      assert.deepEqual(found, messages);
      assert.equal(splitter.pendingBytes, 0);
    }),
    { numRuns: 1000 },
  );
});

test('byte by byte, a message comes out with its last byte and not before', () => {
  fc.assert(
    fc.property(fc.constantFrom(...LETTERS), payload, (type, bytes) => {
      const message = typed(type, bytes);
      const splitter = new MessageSplitter('to-node');
      for (let index = 0; index < message.bytes.length - 1; index += 1)
        assert.deepEqual(splitter.push(message.bytes.subarray(index, index + 1)), []);
      assert.equal(splitter.pendingBytes, message.bytes.length - 1);
      assert.deepEqual(splitter.push(message.bytes.subarray(-1)), [message]);
    }),
  );
});

test('a cancel request is distinguished from the start of a session', () => {
  const cancel = untyped('cancel', 80_877_102, Buffer.alloc(8));
  assert.deepEqual(new MessageSplitter('to-server').push(cancel.bytes), [cancel]);
});

test('bytes that cannot be split into messages are rejected', () => {
  const encryption = untyped('startup', 80_877_103, Buffer.alloc(0));
  assert.throws(() => new MessageSplitter('to-server').push(encryption.bytes), /encrypted/);
  const tooShort = Buffer.from([0x5a, 0, 0, 0, 3]);
  assert.throws(() => new MessageSplitter('to-node').push(tooShort), /3 bytes/);
  const tooLong = Buffer.from([0x5a, 0xff, 0xff, 0xff, 0xff]);
  assert.throws(() => new MessageSplitter('to-node').push(tooLong), /4294967295 bytes/);
});

test('only ReadyForQuery outside a transaction ends an exchange', () => {
  const ready = (status: string) => isReadyAndIdle(typed('Z', Buffer.from(status)));
  assert.deepEqual(['I', 'T', 'E'].map(ready), [true, false, false]);
  assert.equal(isReadyAndIdle(typed('C', Buffer.from('I'))), false);
});
