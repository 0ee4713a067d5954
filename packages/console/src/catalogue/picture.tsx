import { SERVICE_URL } from '../api/place.ts';
import './catalogue.css';

const KINDS = {
  thumbnail: ['thumbnail', 'portraitImage', 'coverImage'],
  portrait: ['portraitImage', 'coverImage', 'thumbnail'],
} as const;

type Pictures = Readonly<Record<(typeof KINDS)['thumbnail'][number], string | null>>;

/** Shows the first letter of the name if the product has no picture. */
export function Picture(props: {
  readonly product: Pictures & { readonly id: string; readonly name: string };
  readonly look: keyof typeof KINDS;
}) {
  const { product, look } = props;
  const kind = KINDS[look].find((name) => product[name] !== null);
  if (kind === undefined)
    return (
      <span className={`no-picture ${look}`} aria-hidden>
        {product.name.slice(0, 1)}
      </span>
    );
  return (
    <img
      className={`picture ${look}`}
      src={`${SERVICE_URL}/console/pictures/${product.id}/${kind}`}
      alt=""
      loading="lazy"
    />
  );
}
