/**
 * `npm run test:proof -- NAME [options]`: NAME is `fuzz`, `simulation` or a fault; without one, the
 * faults are listed.
 */
const [name] = process.argv.slice(2);
if (name === 'fuzz' || name === 'simulation') process.argv.splice(2, 1);
if (name === 'fuzz') await import('./hostile/main.ts');
else if (name === 'simulation') await import('./simulation/main.ts');
else await import('./faults/main.ts');
