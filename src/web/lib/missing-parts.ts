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
 * From now on, handles files of the app that cannot be loaded. While the server is unreachable, the page does not reload. If it may
 * (`mayReload`), the page reloads in two cases: the server does not have the file any more, because an update deletes old files; or the server
 * has the file, but its import failed before. Chromium remembers a failed import until the page is closed, so the same page cannot load the file.
 */
export function recoverFromMissingParts(): void {
  // The messages of the imports that failed. In most browsers a message names the file.
  const failures = new Set<string>()
  addEventListener('vite:preloadError', ({ payload: { message } }) => {
    void reloadIfHelpful(message, failures.has(message))
    failures.add(message)
  })
}

async function reloadIfHelpful(failure: string, hasFailedBefore: boolean): Promise<void> {
  const [fileUrl = ''] = /\S+$/.exec(failure) ?? []
  const response = await fetch(fileUrl, { cache: 'no-store' }).catch(() => null)
  // Some hosts send index.html instead of the status 404.
  const isHtml = response?.headers.get('content-type')?.includes('html')
  const isReloadUseful = response?.ok ? hasFailedBefore || isHtml : response?.status === 404
  // The page reloads once per file. Otherwise a file that cannot be loaded for another reason would reload it for ever.
  const storage = tabStorage()
  if (!isReloadUseful || !mayReload() || !storage || storage.getItem(failure)) return
  storage.setItem(failure, 'reloaded')
  location.reload()
}
