/**
 * A proxy between a node and its PostgreSQL that breaks the connection at a given place of an exchange, which
 * lasts until ReadyForQuery outside any transaction.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Owner, onEnd } from '../../../packages/server/test/support/database.ts';
import { type Direction, isReadyAndIdle, MessageSplitter, type WireMessage } from './cuts-framing.ts';

export const CUT_POSITIONS = ['before', 'middle', 'after'] as const;

/** The connection breaks when this message arrives; `position` is how much of it still passes. */
type CutPlace = {
  readonly direction: Direction;
  readonly messageIndex: number;
  readonly position: (typeof CUT_POSITIONS)[number];
};

/**
 * `fin`, `rst`: both ends see it. `stall`: nothing passes in this direction any more, until the other end's
 * own timeouts would have ended the connection. `late`: the node sees a reset, and the server later
 * receives what the node had sent.
 */
export const CUT_KINDS = ['fin', 'rst', 'stall', 'late'] as const;

export type CutConnection = 'first' | 'later' | 'any';

export type Cut = CutPlace & { readonly kind: (typeof CUT_KINDS)[number] };

type Watch = {
  readonly cut: Cut | undefined;
  readonly on: CutConnection;
  /** These include the one that was cut. */
  readonly messages: Readonly<Record<Direction, string[]>>;
  hasBegun: boolean;
  isCut: boolean;
};

export type CutProxy = {
  readonly url: string;
  watch(options: { readonly on: CutConnection; readonly cut?: Cut }): Watch;
  unwatch(): void;
  usedConnections(): number;
  /** Ends all connections except those that receive notifications. */
  drop(): void;
};

export type ProxyOptions = {
  readonly opens: (message: WireMessage) => boolean;
  /** Whether the message shows that its connection has carried such an exchange; by default `opens` decides. */
  readonly uses?: ((message: WireMessage) => boolean) | undefined;
  /** When a server that receives nothing ends a stalled session; 10 s in production. */
  readonly stallMaxMs: number;
  readonly lateMs: number;
};

/** The session that runs LISTEN. */
const LISTENER_NAME = 'keyport-listen';

type Connection = {
  readonly node: Socket;
  readonly server: Socket;
  readonly send: Readonly<Record<Direction, Sender>>;
  isOpened: boolean;
  isUsed: boolean;
  isListener: boolean;
  watch: Watch | undefined;
  readonly blocked: Set<Direction>;
  /** The bytes that the node sent before it saw the reset. */
  late: Buffer[] | undefined;
  isCut: boolean;
};

type Sender = (bytes: Buffer, onSent?: () => void) => void;

export async function openCutProxy(
  owner: Owner,
  databaseUrl: string,
  options: ProxyOptions,
): Promise<CutProxy> {
  const target = new URL(databaseUrl);
  const connections = new Set<Connection>();
  let armed: Watch | undefined;

  const listener = createServer((node) => {
    const server = connect(Number(target.port), target.hostname);
    const connection: Connection = {
      node,
      server,
      send: { 'to-server': senderTo(server), 'to-node': senderTo(node) },
      isOpened: false,
      isUsed: false,
      isListener: false,
      watch: undefined,
      blocked: new Set(),
      late: undefined,
      isCut: false,
    };
    connections.add(connection);
    follow(connection, 'to-server', node);
    follow(connection, 'to-node', server);
  });

  function follow(connection: Connection, direction: Direction, from: Socket): void {
    const splitter = new MessageSplitter(direction);
    from.setNoDelay(true);
    from.on('data', (chunk: Buffer) => {
      for (const message of splitter.push(chunk)) pass(connection, direction, message);
    });
    from.on('error', () => {});
    from.on('close', () => {
      if (!connection.blocked.has(direction) && connection.late === undefined) destroy(connection);
    });
  }

  function pass(connection: Connection, direction: Direction, message: WireMessage): void {
    if (connection.late !== undefined && direction === 'to-server') connection.late.push(message.bytes);
    if (connection.blocked.has(direction)) return;
    connection.isListener ||= direction === 'to-server' && message.bytes.includes(LISTENER_NAME);
    if (direction === 'to-server') {
      if (options.opens(message)) open(connection);
      connection.isUsed ||= (options.uses ?? options.opens)(message);
    }
    const { watch } = connection;
    const types = watch?.messages[direction];
    types?.push(message.type);
    const { cut } = watch ?? {};
    if (watch !== undefined && cut?.direction === direction && types?.length === cut.messageIndex + 1) {
      watch.isCut = true;
      breakAt(connection, cut, message);
      return;
    }
    connection.send[direction](message.bytes);
    if (direction === 'to-node' && isReadyAndIdle(message)) connection.watch = undefined;
  }

  function open(connection: Connection): void {
    const fits = { first: !connection.isOpened, later: connection.isUsed, any: true };
    if (armed !== undefined && fits[armed.on]) {
      connection.watch = armed;
      armed.hasBegun = true;
      armed = undefined;
    }
    connection.isOpened = true;
  }

  function breakAt(connection: Connection, cut: Cut, message: WireMessage): void {
    connection.isCut = true;
    connection.watch = undefined;
    const half = Math.ceil(message.bytes.length / 2);
    const passedBytes = { before: 0, middle: half, after: message.bytes.length }[cut.position];
    const [passed, rest] = [message.bytes.subarray(0, passedBytes), message.bytes.subarray(passedBytes)];
    const directions: Direction[] = cut.kind === 'stall' ? [cut.direction] : ['to-server', 'to-node'];
    for (const direction of directions) connection.blocked.add(direction);
    if (cut.kind === 'late') connection.late = cut.direction === 'to-server' ? [rest] : [];
    const act = () => BREAKS[cut.kind](connection);
    // A reset would discard bytes that are written but not sent yet.
    if (passedBytes === 0) act();
    else connection.send[cut.direction](passed, act);
  }

  const BREAKS: Readonly<Record<Cut['kind'], (connection: Connection) => void>> = {
    fin({ node, server }) {
      node.end();
      server.end();
    },
    rst({ node, server }) {
      node.resetAndDestroy();
      server.resetAndDestroy();
    },
    stall(connection) {
      void sleep(options.stallMaxMs, undefined, { ref: false }).then(() => destroy(connection));
    },
    late(connection) {
      connection.node.resetAndDestroy();
      void sleep(options.lateMs).then(() => {
        for (const bytes of connection.late ?? []) connection.send['to-server'](bytes);
        connection.server.end();
      });
    },
  };

  function destroy(connection: Connection): void {
    connection.node.destroy();
    connection.server.destroy();
    connections.delete(connection);
  }

  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string')
    throw new Error('the proxy does not listen on a TCP port');
  const url = new URL(databaseUrl);
  url.port = String(address.port);
  onEnd(owner, async () => {
    listener.close();
    for (const connection of connections) destroy(connection);
  });
  return {
    url: url.href,
    watch({ on, cut }) {
      armed = { cut, on, messages: { 'to-server': [], 'to-node': [] }, hasBegun: false, isCut: false };
      return armed;
    },
    unwatch() {
      armed = undefined;
    },
    usedConnections: () => [...connections].filter(({ isUsed, isCut }) => isUsed && !isCut).length,
    drop() {
      for (const connection of connections) {
        if (!connection.isListener && !connection.isCut) destroy(connection);
      }
    },
  };
}

function senderTo(socket: Socket): Sender {
  return (bytes, onSent) => {
    if (!socket.writable) onSent?.();
    else socket.write(bytes, onSent);
  };
}
