import { useShortcut } from '#web/lib/shortcuts.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { PlusIcon } from './icons.tsx'

/** The one filled button of a page, 'Add Contact'; on the phone a plus with that name. `n` presses it. */
export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  useShortcut('n', onClick)
  return (
    <>
      <Button variant="primary" icon={<PlusIcon />} aria-keyshortcuts="n" onClick={onClick} className="max-sm:hidden">
        {label}
      </Button>
      <IconButton
        label={label}
        icon={<PlusIcon className="size-5" />}
        variant="primary"
        onClick={onClick}
        tooltip={false}
        className="sm:hidden"
      />
    </>
  )
}
