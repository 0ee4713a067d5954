import mark from '../icon.svg';
import { common } from '../texts.ts';

export function Brand({ mode }: { readonly mode: 'sandbox' | 'live' | undefined }) {
  return (
    <span className="brand">
      <img src={mark} alt="" width={24} height={24} />
      <span className="product">{common.brand}</span>
      {mode === undefined ? null : <span className={`mode ${mode}`}>{common.modes[mode]}</span>}
    </span>
  );
}
