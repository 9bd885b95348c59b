import type { ContactEntry } from '#web/data/contacts.ts'
import { fullName } from '#web/data/store/contact-name.ts'
import { fieldWords } from '#web/data/changes/field-words.ts'
import { MergeIcon } from '#web/ui/icons.tsx'
import { ValueChoice } from '#web/ui/value-choice.tsx'
import type { ComparedField, Comparison } from './compare-contact.ts'

/** Which value is kept: the known contact's, or the typed one. */
export type Side = 'theirs' | 'mine'
/** The chosen side of each field. A missing field keeps the contact's value. */
export type Sides = Readonly<Partial<Record<ComparedField, Side>>>

interface KnownOrTypedValuesProps {
  entry: ContactEntry
  comparison: Comparison
  sides: Sides
  onChoose: (field: ComparedField, side: Side) => void
}

/** Asks, for each field that differs, whether the known contact keeps its value or takes the typed one. */
export function KnownOrTypedValues({ entry: { contact }, comparison, sides, onChoose }: KnownOrTypedValuesProps) {
  const { fills, differs } = comparison
  const filledLabels = Object.keys(fills).map(fieldLabel)
  return (
    <div className="flex flex-col gap-5 pt-1">
      <p className="text-sm text-ink2">
        {fullName(contact) ?? 'The contact with this address'} has other details than you typed.
      </p>
      {differs.map(({ field, theirs, mine }, index) => (
        <ValueChoice
          key={field}
          legend={fieldLabel(field)}
          name={`choose-${field}`}
          isFirst={index === 0}
          value={sides[field] ?? 'theirs'}
          onChange={(side) => onChoose(field, side)}
          options={[
            { value: 'theirs', label: 'Keep theirs', detail: 'As it is now', shown: theirs },
            { value: 'mine', label: 'Take mine', detail: 'As you typed it', shown: mine },
          ]}
        />
      ))}
      {filledLabels.length > 0 && (
        <p className="flex items-center gap-2.5 text-sm text-ink2">
          <MergeIcon className="shrink-0 text-ink3" />
          {`Empty fields are filled in either way: ${listFormat.format(filledLabels)}.`}
        </p>
      )}
    </div>
  )
}

const listFormat = new Intl.ListFormat('en-GB')

function fieldLabel(field: string): string {
  return field === 'title' ? 'job title' : fieldWords(field)
}
