import { Dialog } from '#web/ui/dialog.tsx'
import { Kbd } from '#web/ui/kbd.tsx'
import { shortcutList } from './shortcut-list.ts'

/** The dialog with the list of shortcuts, which the key '?' opens. */
export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts" width="small">
      <dl className="flex flex-col divide-y divide-line">
        {shortcutList.map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4 py-2">
            <dt className="order-2 flex shrink-0 gap-1">
              <span className="sr-only">{keys.join(' and ')}</span>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd className="text-ink2">{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
