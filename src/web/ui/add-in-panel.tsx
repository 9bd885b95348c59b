import { Button } from './button.tsx'
import { PlusIcon } from './icons.tsx'

/** Beside the title of a panel's section: a button that adds to its list. */
export function AddInPanel({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="quiet" icon={<PlusIcon />} onClick={onClick} className="-mr-3">
      {label}
    </Button>
  )
}
