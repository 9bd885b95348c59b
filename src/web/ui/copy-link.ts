import { toast } from './toast.ts'

/** Copies a URL to the clipboard. If the browser does not allow that, shows the URL in a toast. */
export async function copyLink(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url)
    toast.success('Link copied')
  } catch {
    toast.error('Link not copied', { description: url })
  }
}
