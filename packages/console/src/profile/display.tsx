/** How this browser shows dates, times and numbers. */
import { NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { currentName, LOCAL_ZONE, setPreferences, usePreferences } from '../preferences.ts';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Section } from '../ui/page.tsx';
import { texts } from './texts.ts';

const LOCALES =
  'en-GB en-US en-IN de-DE fr-FR es-ES it-IT nl-NL pl-PL pt-PT pt-BR sv-SE da-DK nb-NO fi-FI cs-CZ sk-SK hu-HU ro-RO el-GR tr-TR uk-UA hi-IN bn-BD ne-NP th-TH vi-VN id-ID ja-JP ko-KR zh-CN'.split(
    ' ',
  );
const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(currentName).toSorted()])];

/** With the current offsets, by which people recognize zones. The browser takes half a second to find them. */
function toOffsets(): { readonly value: string; readonly label: string }[] {
  const now = new Date();
  const toOffset = (timeZone: string) =>
    new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
      .formatToParts(now)
      .find(({ type }) => type === 'timeZoneName')?.value;
  return ZONES.map((value) => ({ value, label: `${value} (${toOffset(value)})` }));
}

const toName = (locale: string) => new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale;

export function Display() {
  const { ownZone, locale } = usePreferences();
  const { display } = texts;
  const [zones, setZones] = useState<ReturnType<typeof toOffsets>>();
  const showOffsets = () => (zones === undefined ? setZones(toOffsets()) : undefined);
  return (
    <Section title={common.display}>
      <Stack>
        <NativeSelect
          label={display.zone}
          value={ownZone}
          data={[{ value: '', label: display.ofBrowser(LOCAL_ZONE) }, ...(zones ?? ZONES)]}
          onPointerEnter={showOffsets}
          onFocus={showOffsets}
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
