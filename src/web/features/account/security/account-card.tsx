import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { exportMyData } from '#web/data/session/account.ts'
import { downloadText } from '#web/lib/download.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { SecurityCard } from './security-card.tsx'

const DeleteAccountDialog = lazyDialog(async () => (await import('./delete-account-dialog.tsx')).DeleteAccountDialog)

/** The card to export the person's data and to delete the account. */
export function AccountCard({ onDeleted }: { onDeleted: () => void }) {
  const device = useDevice()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const [isExporting, setExporting] = useState(false)
  const exportData = useOnce(async () => {
    setExporting(true)
    try {
      const day = new Date().toISOString().slice(0, 10)
      downloadText(`banyan-crm-my-data-${day}.json`, await exportMyData(device), 'application/json')
    } catch (error) {
      toast.error('Your data was not exported', { description: error instanceof Error ? error.message : String(error) })
    } finally {
      setExporting(false)
    }
  })
  return (
    <SecurityCard
      title="Your account"
      description="Deleting your account cannot be undone. Export your data first. Records that you made stay in their brands."
    >
      <div className="mt-4 flex flex-wrap gap-2">
        <Button icon={<DownloadIcon />} pending={isExporting} onClick={exportData}>
          Export my data
        </Button>
        <Button className="text-danger!" onClick={() => setDialogOpen(true)}>
          Delete my account
        </Button>
      </div>
      <DeleteAccountDialog open={isDialogOpen} onClose={() => setDialogOpen(false)} onDeleted={onDeleted} />
    </SecurityCard>
  )
}
