export function prefers(mediaType: 'text/csv', accept: string | undefined): boolean {
  const weights = new Map((accept ?? '').split(',').map(parseRange));
  const anyOfType = (type: string) => weights.get(`${type.split('/', 1)[0]}/*`) ?? 0;
  const wanted = weights.get(mediaType) ?? anyOfType(mediaType);
  const json = weights.get('application/json') ?? anyOfType('application/json');
  return wanted > json;
}

function parseRange(text: string): [mediaType: string, weight: number] {
  const [mediaType = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return [mediaType, Number(weight) || 0];
}
