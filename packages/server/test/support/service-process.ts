/** The service, configured by the environment, for tests that kill it. Prints its URL once it is ready. */
import { pino } from 'pino';
import { parseConfig } from '../../src/config.ts';
import { startService } from '../../src/service.ts';

const config = parseConfig();
const service = await startService(config, { log: pino({ level: config.logLevel }, pino.destination(2)) });
console.log(service.url);
