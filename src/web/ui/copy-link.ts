import { toast } from './toast.ts'

/** Copies a URL to the clipboard. If the browser does not allow that, shows the URL in a toast. */
export async function copyLink(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address)
    toast.success('Link copied')
  } catch {
    toast.error('Link not copied', { description: address })
  }
}
