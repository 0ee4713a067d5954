import { restoreBackup } from './restore-backup.ts';
import { testScenario } from './scenario.ts';

testScenario(restoreBackup, 2);
