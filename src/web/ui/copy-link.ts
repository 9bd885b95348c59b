import { toast } from './toast.ts'

/** Copies an address. Where the browser does not allow it, shows the address. */
export async function copyLink(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address)
    toast.success('Link copied')
  } catch {
    toast.error('Link not copied', { description: address })
  }
}
