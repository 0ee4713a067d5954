import { Client } from 'pg';
import type { Cluster, DatabaseNode } from '../../../deploy/cluster/cluster.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Ends a write that waits for a missing standby. */
const QUERY_TIMEOUT_MS = 6_000;

type Row = Readonly<Record<string, unknown>>;

export async function querySuperuser(
  cluster: Cluster,
  { postgresPort }: DatabaseNode,
  statement: string,
): Promise<readonly Row[]> {
  const { superuser } = cluster.passwords;
  return query(`postgres://postgres:${superuser}@127.0.0.1:${postgresPort}/keyport`, statement);
}

/** Queries as Keyport's role; without a node, it queries the leader through HAProxy. */
export async function queryKeyport(
  cluster: Cluster,
  node: DatabaseNode | undefined,
  statement: string,
): Promise<readonly Row[]> {
  const port = node?.postgresPort ?? cluster.databasePort;
  return query(`postgres://keyport:${cluster.passwords.keyport}@127.0.0.1:${port}/keyport`, statement);
}

async function query(connectionString: string, statement: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {});
  const limit = setTimeout(() => client.connection.stream.destroy(), QUERY_TIMEOUT_MS);
  try {
    await client.connect();
    return (await client.query<Row>(statement)).rows;
  } finally {
    clearTimeout(limit);
    client.connection.stream.destroy();
  }
}
