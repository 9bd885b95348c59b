import { useId } from 'react'
import type { NoteKind } from '#web/data/server/rows.ts'
import { noteKinds, writtenKinds } from './note-kinds.tsx'

/** Chooses whether an entry is a note, a call or a meeting. An email can also stay an email. */
export function NoteKindChoice({ value, onChange }: { value: NoteKind; onChange: (kind: NoteKind) => void }) {
  const name = useId()
  const kinds = value === 'email' ? [...writtenKinds, value] : writtenKinds
  return (
    <fieldset className="flex gap-0.5">
      <legend className="sr-only">Kind</legend>
      {kinds.map((kind) => (
        <label
          key={kind}
          className="relative inline-flex h-8 cursor-pointer items-center gap-1.5 rounded-control px-2 text-13/5 text-ink2 select-none hover:bg-hover has-checked:bg-active has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus max-sm:h-11 max-sm:px-3"
        >
          <input
            type="radio"
            name={name}
            value={kind}
            checked={kind === value}
            onChange={() => onChange(kind)}
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
          />
          {noteKinds[kind].icon}
          {noteKinds[kind].label}
        </label>
      ))}
    </fieldset>
  )
}
