import { runningWork } from './running-work.ts'
import { tabStorage } from './tab-storage.ts'

/** Whether a form of this page contains text that was typed and not sent. */
export function hasUnsentText(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'form input:not([type=checkbox], [type=radio], [type=hidden], [type=search], [type=submit]), form textarea',
  )
  return Array.from(fields).some((field) => field.value.trim() !== '' && field.value !== field.dataset['initial'])
}

/** Whether the page may reload by itself: no typed text is unsent, and no work runs that the reload would end. */
export function mayReload(): boolean {
  return !hasUnsentText() && runningWork.size === 0
}

/**
 * From now on, handles files of the app that cannot be loaded. If the server has another version by now (an update deletes old files), the
 * page reloads if it may (`mayReload`). If the server is only unreachable, the page stays, and the file is requested again when it
 * is needed next.
 */
export function recoverFromMissingParts(): void {
  addEventListener('vite:preloadError', () => void reloadIfReplaced())
}

async function reloadIfReplaced(): Promise<void> {
  const key = 'banyan-reloaded-for'
  const version = document.querySelector('script[type=module]')?.getAttribute('src') ?? ''
  if (!version || !(await isReplaced(version))) return
  // The page reloads once per version. Otherwise a file that is missing for another reason would reload it for ever.
  const storage = tabStorage()
  if (!storage || !mayReload() || storage.getItem(key) === version) return
  storage.setItem(key, version)
  location.reload()
}

/** Whether the server has another version of the app: its page does not load `version`, the first script of this page. */
async function isReplaced(version: string): Promise<boolean> {
  try {
    const response = await fetch('/index.html', { cache: 'no-store' })
    return response.ok && !(await response.text()).includes(version)
  } catch {
    return false
  }
}
