/** A closed loop: every caller does one action after another while `goesOn` returns true. */
export async function runClosed(
  callers: number,
  goesOn: () => boolean,
  act: (caller: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (goesOn()) await act(caller);
    }),
  );
}
