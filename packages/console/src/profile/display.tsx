/** How this browser shows dates, times and numbers. */
import { NativeSelect, Stack } from '@mantine/core';
import { setPreferences, usePreferences } from '../preferences.ts';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Section } from '../ui/page.tsx';
import { texts } from './texts.ts';

const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const LOCALES =
  'en-GB en-US de-DE fr-FR es-ES it-IT nl-NL pl-PL pt-PT sv-SE da-DK fi-FI cs-CZ tr-TR uk-UA ja-JP'.split(
    ' ',
  );

const toName = (locale: string) => new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale;

export function Display() {
  const { ownZone, locale } = usePreferences();
  const { display } = texts;
  return (
    <Section title={common.display}>
      <Stack>
        <NativeSelect
          label={display.zone}
          value={ownZone}
          data={[
            { value: '', label: display.ofBrowser(BROWSER_ZONE) },
            ...Intl.supportedValuesOf('timeZone'),
          ]}
          onChange={({ currentTarget }) => setPreferences({ ownZone: currentTarget.value, zone: 'local' })}
        />
        <NativeSelect
          label={display.locale}
          value={locale}
          data={[
            { value: '', label: display.ofBrowser(toName(navigator.language)) },
            ...LOCALES.map((value) => ({ value, label: toName(value) })),
          ]}
          onChange={({ currentTarget }) => {
            setPreferences({ locale: currentTarget.value });
            // Formats are made once.
            location.reload();
          }}
        />
        <Hint>{display.hint}</Hint>
      </Stack>
    </Section>
  );
}
