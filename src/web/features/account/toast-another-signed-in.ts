import { untilVisible } from '#web/data/browser/until-visible.ts'
import { toast } from '#web/ui/toast.ts'

/**
 * Says in a toast, to the person with this email address, that another person has signed in in this browser and that unsent changes are kept. The
 * toast waits until the tab is visible, because the other person has signed in in another tab.
 */
export async function toastAnotherSignedIn(email: string): Promise<void> {
  await untilVisible()
  toast.farewell('Another person has signed in in this browser', {
    description: `Changes of ${email} that were not sent yet are kept on this device for 30 days. Sign in again to send them.`,
  })
}
