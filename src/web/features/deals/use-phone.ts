import { useSyncExternalStore } from 'react'

const query = '(max-width: 639.98px)'

/** Whether the window is as narrow as a phone: one stage at a time, sheets from below. */
export function usePhone(): boolean {
  return useSyncExternalStore(listen, () => matchMedia(query).matches)
}

function listen(changed: () => void): () => void {
  const media = matchMedia(query)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}
