import { useState } from 'react';
import { texts } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';

export function DropZone(props: {
  readonly onFile: (file: File) => void;
  readonly problem: string | undefined;
}) {
  const { onFile, problem } = props;
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: by keyboard the file is chosen with the field inside
    <div
      className="drop-zone"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <Icon name="imports" size={28} />
      <label>
        {texts.imports.drop}
        <input
          type="file"
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,application/x-ndjson"
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            // The same file can be chosen again after it was mended.
            currentTarget.value = '';
          }}
        />
      </label>
      <p className="hint">{texts.imports.dropHint}</p>
      {problem === undefined ? null : (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
