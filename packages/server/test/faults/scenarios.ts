/** Every scenario by its name. */
import { killDatabase, restartDatabase } from './kill-database.ts';
import { killNodes } from './kill-nodes.ts';
import type { Scenario } from './scenario.ts';

export const SCENARIOS: readonly Scenario[] = [killNodes, killDatabase, restartDatabase];
