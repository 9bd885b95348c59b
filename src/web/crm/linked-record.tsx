import { cx } from '#web/lib/class-names.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { comboboxProps, recordKinds } from './record-kinds.tsx'
import { useChoice } from '#web/ui/edit-in-place/use-choice.ts'
import type { EditRecordProps } from './edit-record.tsx'
import { EditRow } from '#web/ui/edit-in-place/edit-row.tsx'
import { OpenRecordLink } from './open-record-link.tsx'

/**
 * A linked record as a row of a card: avatar, name, and `detail` as a second line. It is edited in place like `EditRecord`. While nothing is
 * linked, icon and text on the phone are in line with those of fields (`EditRow`).
 */
export function LinkedRecord({ kind, id, name, detail, onSave, choices }: EditRecordProps & { detail: string | null }) {
  const { label, icon, leading } = recordKinds[kind]
  const value = id === null ? null : { id, label: name ?? '?' }
  const { shown, error, errorId, choose } = useChoice(label, value, (option) => onSave(option?.id ?? null))
  const secondLine = shown && shown.id === id && detail
  return (
    <div className="px-3 py-0.5 max-sm:px-4">
      <EditRow bare label={label} error={error} errorId={errorId}>
        <div className={cx('flex items-center gap-3', !shown && 'max-sm:gap-3.5')}>
          <span
            className={cx(
              'grid size-8 shrink-0 place-items-center text-ink3',
              !shown && 'max-sm:w-4.5 max-sm:[&>svg]:size-4.5',
            )}
          >
            {shown ? leading(shown, 32) : icon}
          </span>
          <div className="relative min-w-0 flex-1">
            <Combobox
              value={shown}
              onChange={choose}
              {...comboboxProps(choices)}
              placeholder={shown ? 'Search…' : `Add ${label.toLowerCase()}`}
              size="control"
              aria-label={label}
              className={cx(
                'field-quiet peer h-12! [&>button]:mr-0 [&>input]:font-medium',
                secondLine && 'not-data-[open=true]:[&>input]:pb-5',
              )}
              bare
              leading={leading}
            />
            {secondLine && (
              <span
                title={secondLine}
                className="pointer-events-none absolute right-1 bottom-1.5 left-0 truncate text-ink2 text-xs peer-focus-within:right-8 peer-hover:right-8 peer-data-[open=true]:hidden max-sm:text-13/4"
              >
                {secondLine}
              </span>
            )}
          </div>
          {shown && <OpenRecordLink kind={kind} record={shown} className="max-sm:-ml-3" />}
        </div>
      </EditRow>
    </div>
  )
}
