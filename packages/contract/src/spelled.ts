/** The name of a member as people read it: `totalPrice` is "Total price". */
export function spelled(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])[A-Z]|[-.]/g, (sign) =>
    /[-.]/.test(sign) ? ' ' : ` ${sign.toLowerCase()}`,
  );
  return (words.charAt(0).toUpperCase() + words.slice(1)).replaceAll(/ [A-Z]/g, (start) =>
    start.toLowerCase(),
  );
}
