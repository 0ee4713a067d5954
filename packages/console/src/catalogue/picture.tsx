import { SERVICE_URL } from '../api/place.ts';
import './catalogue.css';

const KINDS = {
  thumbnail: ['thumbnail', 'portraitImage', 'coverImage'],
  portrait: ['portraitImage', 'coverImage', 'thumbnail'],
} as const;

type Pictures = Readonly<Record<(typeof KINDS)['thumbnail'][number], string | null>>;

/**
 * Shows the first letter of the name unless the service itself serves a picture: the content security policy
 * allows nothing from other hosts.
 */
export function Picture(props: {
  readonly product: Pictures & { readonly name: string };
  readonly look: keyof typeof KINDS;
}) {
  const { product, look } = props;
  const url = KINDS[look].map((kind) => product[kind]).find((one) => one?.startsWith(`${SERVICE_URL}/`));
  if (url == null)
    return (
      <span className={`no-picture ${look}`} aria-hidden>
        {product.name.slice(0, 1)}
      </span>
    );
  return <img className={`picture ${look}`} src={url} alt="" loading="lazy" />;
}
