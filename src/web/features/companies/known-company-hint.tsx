import { useEffect, useRef } from 'react'
import { useOpenRecord } from '#web/crm/record-link.tsx'
import type { Company } from '#web/data/server/rows.ts'
import { Button } from '#web/ui/button.tsx'
import { LetterTile } from '#web/ui/letter-tile.tsx'
import { announce } from '#web/ui/live-region.ts'

interface KnownCompanyHintProps {
  company: Company
  /** A new object each time the form is submitted: then the button 'Add anyway' gets the focus. */
  submission: object | null
  /** Called before the company is opened. */
  onOpen: () => void
  onAdd: () => void
}

/** Shown below a name that a company already has: 'Acme exists', with buttons that open the company or add another one. */
export function KnownCompanyHint({ company, submission, onOpen, onAdd }: KnownCompanyHintProps) {
  const open = useOpenRecord()
  const addButton = useRef<HTMLButtonElement>(null)
  const headline = `${company.name} exists`
  const facts = [company.domain ?? company.website, company.phone].filter(Boolean).join(' · ')
  useEffect(() => announce(headline), [headline])
  useEffect(() => {
    if (submission) addButton.current?.focus()
  }, [submission])
  return (
    <div className="col-span-full flex flex-wrap items-center gap-3 rounded-card bg-accent-soft py-2.5 pr-2.5 pl-3">
      <LetterTile name={company.name} size={32} />
      <div className="min-w-32 flex-1">
        <p className="text-sm font-medium wrap-anywhere">{headline}</p>
        {facts && <p className="truncate text-xs text-ink2">{facts}</p>}
      </div>
      <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
        <Button
          onClick={() => {
            onOpen()
            open('companies', company.id)
          }}
        >
          Open
        </Button>
        {/* The class shows the focus ring: browsers show none if code sets the focus after a click. */}
        <Button ref={addButton} onClick={onAdd} className="focus:outline-2 focus:outline-offset-2 focus:outline-focus">
          Add anyway
        </Button>
      </div>
    </div>
  )
}
