import { Client } from 'pg';

export async function openAdmin(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, application_name: 'fault' });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export async function closeAdmin(client: Client): Promise<void> {
  await client.end().catch(() => {});
}

/** Returns the first row. */
export async function askDatabase(url: string, text: string, values: readonly unknown[] = []) {
  const client = await openAdmin(url);
  try {
    return (await client.query(text, [...values])).rows[0];
  } finally {
    await closeAdmin(client);
  }
}
