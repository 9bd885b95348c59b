import { Button } from './button.tsx'
import { PlusIcon } from './icons.tsx'

/** A button beside the title of a panel's section. It opens the form for a new record of the section's list. */
export function PanelAddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="quiet" icon={<PlusIcon />} onClick={onClick} className="-mr-3">
      {label}
    </Button>
  )
}
