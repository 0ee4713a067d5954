import { Center, Image } from '@mantine/core';
import { SERVICE_URL } from '../api/place.ts';

const KINDS = {
  thumbnail: ['thumbnail', 'portraitImage', 'coverImage'],
  portrait: ['portraitImage', 'coverImage', 'thumbnail'],
} as const;

const SIZES = {
  thumbnail: { w: 24, h: 24, bdrs: 3, flex: 'none' },
  portrait: { w: 115, h: 168, bdrs: 3, flex: 'none' },
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
      <Center
        component="span"
        className="no-picture"
        bg="var(--panel)"
        c="dimmed"
        {...SIZES[look]}
        aria-hidden
      >
        {product.name.slice(0, 1)}
      </Center>
    );
  return <Image src={url} alt="" loading="lazy" {...SIZES[look]} />;
}
