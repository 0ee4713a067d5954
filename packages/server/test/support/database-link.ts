/** A proxy between a node and its PostgreSQL whose connections a test cuts, silences or delays. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type Owner, onEnd } from './database.ts';

export type DatabaseLink = {
  readonly url: string;
  cut(which?: 'all' | 'listener'): void;
  down(): void;
  /**
   * Nothing passes in either direction and neither end is notified, as if a cable failed. `restore` lets only
   * new connections through.
   */
  silence(): void;
  restore(): void;
  /**
   * Holds the first request that contains this text, and everything after it on the connection, until
   * `release`, so that the node seems to hang.
   */
  holdAt(text: string): { readonly held: Promise<void>; release(): void };
};

type Connection = {
  readonly node: Socket;
  readonly server: Socket;
  isSilent: boolean;
  isListener: boolean;
  /** The node's bytes while it is delayed; undefined while everything passes. */
  held: Buffer[] | undefined;
};

/** The name of the session that runs LISTEN. */
const LISTENER_NAME = 'keyport-listen';

export async function openDatabaseLink(owner: Owner, databaseUrl: string): Promise<DatabaseLink> {
  const target = new URL(databaseUrl);
  const connections = new Set<Connection>();
  let state: 'up' | 'down' | 'silent' = 'up';
  let hold: { readonly text: string; readonly begin: (connection: Connection) => void } | undefined;

  const proxy = createServer((node) => {
    if (state === 'down') {
      node.resetAndDestroy();
      return;
    }
    const server = connect(Number(target.port), target.hostname);
    const connection: Connection = {
      node,
      server,
      isSilent: state === 'silent',
      isListener: false,
      held: undefined,
    };
    connections.add(connection);
    node.on('data', (bytes: Buffer) => {
      if (connection.isSilent) return;
      connection.isListener ||= bytes.includes(LISTENER_NAME);
      if (hold !== undefined && bytes.includes(hold.text)) hold.begin(connection);
      if (connection.held === undefined) server.write(bytes);
      else connection.held.push(bytes);
    });
    server.on('data', (bytes: Buffer) => {
      if (!connection.isSilent) node.write(bytes);
    });
    const end = () => {
      if (!connection.isSilent && connection.held === undefined) destroy(connection);
    };
    for (const socket of [node, server]) socket.on('error', end).on('close', end);
  });
  const destroy = (connection: Connection) => {
    connection.node.destroy();
    connection.server.destroy();
    connections.delete(connection);
  };
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('the link listens on a port');
  const url = new URL(databaseUrl);
  url.port = String(address.port);
  onEnd(owner, async () => {
    proxy.close();
    for (const connection of connections) destroy(connection);
  });
  return {
    url: url.href,
    cut(which = 'all') {
      for (const connection of connections) {
        if (which === 'all' || connection.isListener) destroy(connection);
      }
    },
    down() {
      state = 'down';
      for (const connection of connections) destroy(connection);
    },
    silence() {
      state = 'silent';
      for (const connection of connections) connection.isSilent = true;
    },
    restore() {
      state = 'up';
    },
    holdAt(text) {
      const { promise: held, resolve } = Promise.withResolvers<void>();
      let heldConnection: Connection | undefined;
      hold = {
        text,
        begin(connection) {
          hold = undefined;
          heldConnection = connection;
          connection.held = [];
          resolve();
        },
      };
      return {
        held,
        release() {
          hold = undefined;
          if (heldConnection?.held === undefined) return;
          const { node, server, held } = heldConnection;
          heldConnection.held = undefined;
          if (node.destroyed || server.destroyed) destroy(heldConnection);
          else for (const bytes of held) server.write(bytes);
        },
      };
    },
  };
}
