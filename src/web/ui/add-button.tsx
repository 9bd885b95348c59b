import { useShortcut } from '#web/lib/shortcuts.ts'
import { Button } from './button.tsx'
import { PlusIcon } from './icons.tsx'

/** The primary button of a page, 'Add Contact'. On the narrowest phones it has no plus sign. The key `n` presses it. */
export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  useShortcut('n', onClick)
  return (
    <Button
      variant="primary"
      icon={<PlusIcon className="max-[24.9375rem]:hidden" />}
      aria-keyshortcuts="n"
      onClick={onClick}
      className="max-sm:px-3.5"
    >
      {label}
    </Button>
  )
}
