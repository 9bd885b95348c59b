import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { RefreshIcon } from '#web/ui/icons.tsx'

/** Shown if the server did not return the brands, and none is on this device. */
export function BrandsError({ message, onRetry }: { message: string | null; onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState
        drawing="error"
        title="Error loading brands"
        description={message}
        actions={
          <Button icon={<RefreshIcon />} onClick={onRetry}>
            Try again
          </Button>
        }
      />
    </div>
  )
}
